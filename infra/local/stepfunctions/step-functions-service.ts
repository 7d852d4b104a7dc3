import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type AwsRequest, type AwsService, answerJson, answerJsonError, readBody } from '../aws-service.ts';
import type { Principal } from '../iam/principal.ts';
import { DATA_LIMIT_BYTES } from './data-limit.ts';
import type { Executions } from './executions.ts';
import { type Execution, ExecutionStatus } from './kept-executions.ts';
import { PageRequest, page } from './page.ts';
import type { DeclaredStateMachine } from './state-machines.ts';
import { StepFunctionsError } from './step-functions-error.ts';

/** Step Functions' limit for a request. */
const REQUEST_LIMIT_BYTES = 1_048_576;
const NAME = /^[0-9A-Za-z_-]{1,80}$/;

interface Operation {
  /** The field of the request that names what a role must be allowed to act on; absent: all. */
  readonly resource?: string;
  answer(executions: Executions, request: unknown): unknown;
}

/** An operation whose request has been read by a schema. A field that is not in it is not known here. */
function operation<Schema extends z.ZodType>(
  schema: Schema,
  answer: (executions: Executions, request: z.output<Schema>) => unknown,
  resource?: string,
): Operation {
  return {
    ...(resource !== undefined && { resource }),
    answer: (executions, request) => {
      const parsed = schema.safeParse(request);
      if (!parsed.success) {
        throw new StepFunctionsError(
          'ValidationException',
          z.prettifyError(parsed.error).replaceAll('\n', ' '),
        );
      }
      return answer(executions, parsed.data);
    },
  };
}

const stateMachineArn = z.string();
const executionArn = z.string();
const includedData = z.enum(['ALL_DATA', 'METADATA_ONLY']).optional();

const OPERATIONS: Readonly<Record<string, Operation>> = {
  StartExecution: operation(
    z.strictObject({
      stateMachineArn,
      name: z.string().default(() => randomUUID()),
      input: z.string().default('{}'),
      traceHeader: z.string().optional(),
    }),
    (executions, request) => {
      executions.stateMachine(request.stateMachineArn);
      checkName(request.name);
      checkInput(request.input);
      const { arn, startMs } = executions.start(request.stateMachineArn, request.name, request.input);
      return { executionArn: arn, startDate: startMs / 1000 };
    },
    'stateMachineArn',
  ),
  StopExecution: operation(
    z.strictObject({ executionArn, error: z.string().optional(), cause: z.string().optional() }),
    (executions, { executionArn: arn, error, cause }) => {
      const { stopMs = Date.now() } = executions.stop(arn, { error, cause });
      return { stopDate: stopMs / 1000 };
    },
    'executionArn',
  ),
  DescribeExecution: operation(
    z.strictObject({ executionArn, includedData }),
    (executions, { executionArn: arn }) => described(executions.find(arn)),
    'executionArn',
  ),
  GetExecutionHistory: operation(
    z.strictObject({
      executionArn,
      reverseOrder: z.boolean().default(false),
      includeExecutionData: z.boolean().optional(),
      ...PageRequest.shape,
    }),
    (executions, { executionArn: arn, reverseOrder, ...request }) => {
      const events = executions.history(arn);
      const { items, nextToken } = page(reverseOrder ? events.toReversed() : events, request);
      return { events: items, nextToken };
    },
    'executionArn',
  ),
  ListExecutions: operation(
    z.strictObject({ stateMachineArn, statusFilter: ExecutionStatus.optional(), ...PageRequest.shape }),
    (executions, { stateMachineArn: arn, statusFilter, ...request }) => {
      executions.stateMachine(arn);
      const listed = executions
        .list(arn)
        .filter(({ status }) => statusFilter === undefined || status === statusFilter);
      const { items, nextToken } = page(listed, request);
      return { executions: items.map(summary), nextToken };
    },
    'stateMachineArn',
  ),
  ListStateMachines: operation(PageRequest, (executions, request) => {
    const { items, nextToken } = page(executions.stateMachines, request);
    return { stateMachines: items.map(({ arn, name }) => ({ ...identity(arn, name) })), nextToken };
  }),
  DescribeStateMachine: operation(
    z.strictObject({ stateMachineArn, includedData }),
    (executions, { stateMachineArn: arn }) => describedMachine(executions.stateMachine(arn)),
    'stateMachineArn',
  ),
};

/** The Step Functions API: JSON 1.0, the operation in a header (AWSStepFunctions.StartExecution). */
export function stepFunctionsService(executions: Executions): AwsService {
  return async call => {
    try {
      const answer = await answerOf(executions, call);
      answerJson(call.response, 200, answer, { 'content-type': 'application/x-amz-json-1.0' });
    } catch (error) {
      if (!(error instanceof StepFunctionsError)) {
        throw error;
      }
      answerJsonError(call.response, error.name, error.message);
    }
  };
}

async function answerOf(executions: Executions, { request, principal }: AwsRequest): Promise<unknown> {
  const body = await readBody(request, REQUEST_LIMIT_BYTES);
  const [, name = ''] = String(request.headers['x-amz-target']).split('.');
  const called = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (called === undefined) {
    const message = `${name} of the Step Functions API is not supported by the local runtime.`;
    throw new StepFunctionsError('UnknownOperationException', message);
  }
  if (body === undefined) {
    throw new StepFunctionsError('ValidationException', 'The request is larger than 1 MB');
  }
  const parsed = parsedJson(body.toString());
  refuseDenied(principal, `states:${name}`, called.resource, parsed);
  return called.answer(executions, parsed);
}

function refuseDenied(
  principal: Principal,
  action: string,
  resource: string | undefined,
  request: unknown,
): void {
  const named = resource === undefined ? '*' : (request as Record<string, unknown>)[resource];
  const denial = principal.denial(action, String(named));
  if (denial !== undefined) {
    throw new StepFunctionsError('AccessDeniedException', denial);
  }
}

function parsedJson(text: string): object {
  try {
    const parsed = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) {
      return parsed;
    }
  } catch {
    // Told below, as what is no object is.
  }
  throw new StepFunctionsError('ValidationException', 'The request is not a JSON object');
}

function checkName(name: string): void {
  if (!NAME.test(name)) {
    throw new StepFunctionsError('InvalidName', `Invalid Name: '${name}'`);
  }
}

function checkInput(input: string): void {
  if (Buffer.byteLength(input) > DATA_LIMIT_BYTES) {
    throw new StepFunctionsError(
      'InvalidExecutionInput',
      `Invalid State Machine Execution Input: larger than ${DATA_LIMIT_BYTES} bytes`,
    );
  }
  try {
    JSON.parse(input);
  } catch (error) {
    throw new StepFunctionsError(
      'InvalidExecutionInput',
      `Invalid State Machine Execution Input: '${(error as Error).message}'`,
    );
  }
}

function summary({ arn, name, stateMachineArn: machineArn, status, startMs, stopMs }: Execution) {
  return {
    executionArn: arn,
    name,
    stateMachineArn: machineArn,
    status,
    startDate: startMs / 1000,
    ...(stopMs !== undefined && { stopDate: stopMs / 1000 }),
    redriveCount: 0,
  };
}

function described(execution: Execution) {
  const { input, output, error, cause } = execution;
  return {
    ...summary(execution),
    input,
    inputDetails: { included: true },
    ...(output !== undefined && { output, outputDetails: { included: true } }),
    error,
    cause,
  };
}

/** When a state machine was made is not kept; the beginning of time does not change between two answers. */
const CREATION_DATE = 0;

const identity = (arn: string, name: string) => ({
  stateMachineArn: arn,
  name,
  type: 'STANDARD',
  creationDate: CREATION_DATE,
});

function describedMachine({ arn, name, roleArn, definitionText }: DeclaredStateMachine) {
  return { ...identity(arn, name), status: 'ACTIVE', roleArn, definition: definitionText };
}
