import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Operation, operation } from '../aws-api/operation.ts';
import type { AccountRates } from './account-rates.ts';
import { DATA_LIMIT_BYTES } from './data-limit.ts';
import type { Executions } from './executions.ts';
import { type Execution, ExecutionStatus } from './kept-executions.ts';
import { PageRequest, requestedPage } from './page-request.ts';
import { StepFunctionsError } from './step-functions-error.ts';

const EXECUTION_NAME = /^[0-9A-Za-z_-]{1,80}$/;

const stateMachineArn = z.string();
const executionArn = z.string();

export function executionOperations(executions: Executions, rates: AccountRates): readonly Operation[] {
  return [
    operation({
      name: 'StartExecution',
      rate: rates.StartExecution,
      input: z.strictObject({
        stateMachineArn,
        name: z.string().default(() => randomUUID()),
        input: z.string().default('{}'),
        traceHeader: z.string().optional(),
      }),
      resource: ({ stateMachineArn: arn }) => arn,
      perform({ stateMachineArn: arn, name, input }) {
        executions.stateMachine(arn);
        requireName(name);
        requireInput(input);
        const started = executions.start(arn, name, input);
        return { executionArn: started.arn, startDate: started.startMs / 1000 };
      },
    }),

    operation({
      name: 'StopExecution',
      rate: rates.StopExecution,
      input: z.strictObject({ executionArn, error: z.string().optional(), cause: z.string().optional() }),
      resource: ({ executionArn: arn }) => arn,
      perform({ executionArn: arn, error, cause }) {
        const { stopMs = Date.now() } = executions.stop(arn, { error, cause });
        return { stopDate: stopMs / 1000 };
      },
    }),

    operation({
      name: 'DescribeExecution',
      rate: rates.DescribeExecution,
      input: z.strictObject({
        executionArn,
        includedData: z.enum(['ALL_DATA', 'METADATA_ONLY']).optional(),
      }),
      resource: ({ executionArn: arn }) => arn,
      perform: ({ executionArn: arn }) => detail(executions.find(arn)),
    }),

    operation({
      name: 'GetExecutionHistory',
      rate: rates.GetExecutionHistory,
      input: z.strictObject({
        executionArn,
        reverseOrder: z.boolean().default(false),
        includeExecutionData: z.boolean().optional(),
        ...PageRequest.shape,
      }),
      resource: ({ executionArn: arn }) => arn,
      perform({ executionArn: arn, reverseOrder, ...request }) {
        const events = executions.history(arn);
        const { shown, nextToken } = requestedPage(reverseOrder ? events.toReversed() : events, request);
        return { events: shown, nextToken };
      },
    }),

    operation({
      name: 'ListExecutions',
      rate: rates.ListExecutions,
      input: z.strictObject({
        stateMachineArn,
        statusFilter: ExecutionStatus.optional(),
        ...PageRequest.shape,
      }),
      resource: ({ stateMachineArn: arn }) => arn,
      perform({ stateMachineArn: arn, statusFilter, ...request }) {
        executions.stateMachine(arn);
        const listed = executions
          .list(arn)
          .filter(({ status }) => statusFilter === undefined || status === statusFilter);
        const { shown, nextToken } = requestedPage(listed, request);
        return { executions: shown.map(summary), nextToken };
      },
    }),
  ];
}

function requireName(name: string): void {
  if (!EXECUTION_NAME.test(name)) {
    throw new StepFunctionsError('InvalidName', `Invalid Name: '${name}'`);
  }
}

function requireInput(input: string): void {
  const invalid = (fault: string) =>
    new StepFunctionsError('InvalidExecutionInput', `Invalid State Machine Execution Input: ${fault}`);
  if (Buffer.byteLength(input) > DATA_LIMIT_BYTES) throw invalid(`larger than ${DATA_LIMIT_BYTES} bytes`);
  try {
    JSON.parse(input);
  } catch (error) {
    throw invalid(`'${(error as Error).message}'`);
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

function detail(execution: Execution) {
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
