import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { type Operation, operationOf, type Page, page } from '../aws-api/operation.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import type { ServiceApi } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { type Execution, ExecutionStatus, type Executions } from './executions.ts';
import { DATA_LIMIT_BYTES } from './state-error.ts';
import type { DeclaredStateMachine } from './state-machines.ts';

const operation = operationOf<typeof import('@aws-sdk/client-sfn')>();

interface StepFunctionsOptions extends Partial<Surroundings> {
  readonly executions: Executions;
}

/** The Step Functions API. */
export function stepFunctionsApi({ executions, ...given }: StepFunctionsOptions): ServiceApi {
  const { now, waitScale, newId } = surroundings(given);
  const refusal = () => new AwsApiError('ThrottlingException', 'Rate exceeded');
  return {
    title: 'Step Functions',
    sdk: () => import('@aws-sdk/client-sfn').then(sdk => [sdk, sdk.SFNClient]),
    actionPrefix: 'states',
    operations: operations(executions, newId).map(limited => ({
      ...limited,
      rate: tokenBucket({ ...quotaOf(limited), waitScale, now, refusal }),
    })),
    model: () => loadServiceModel('stepfunctions'),
  };
}

/** The quotas of an account in most regions; the three largest regions allow more. */
const QUOTAS: Readonly<Record<string, { ratePerSecond: number; burst: number }>> = {
  StartExecution: { ratePerSecond: 150, burst: 800 },
  StopExecution: { ratePerSecond: 25, burst: 500 },
  DescribeExecution: { ratePerSecond: 10, burst: 250 },
  ListExecutions: { ratePerSecond: 2, burst: 100 },
  ListStateMachines: { ratePerSecond: 5, burst: 100 },
};

function quotaOf({ name }: Operation) {
  const quota = QUOTAS[name];
  if (quota === undefined) throw new Error(`${name} has no quota.`);
  return quota;
}

/** Step Functions gives 100 items unless it is asked for another number, of at most 1,000; 0 is that default. */
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The members that ask for a page. The token is the number of items before the page. */
const PageRequest = z.strictObject({
  maxResults: z.int().min(0).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  nextToken: z.string().optional(),
});

function requestedPage<Item>(
  items: readonly Item[],
  { maxResults, nextToken }: z.output<typeof PageRequest>,
): Page<Item> & { readonly nextToken: string | undefined } {
  const start = Number(nextToken ?? 0);
  if (!Number.isInteger(start) || start < 0) {
    throw new AwsApiError('InvalidToken', `Invalid Token: '${nextToken}'`);
  }
  const limit = maxResults || DEFAULT_LIMIT;
  const shownPage = page(items, limit, (_, index) => index < start);
  return { ...shownPage, nextToken: shownPage.next === undefined ? undefined : String(start + limit) };
}

const EXECUTION_NAME = /^[0-9A-Za-z_-]{1,80}$/;

const stateMachineArn = z.string();
const executionArn = z.string();

function operations(executions: Executions, newId: Surroundings['newId']): readonly Operation[] {
  return [
    operation({
      name: 'StartExecution',
      input: z.strictObject({
        stateMachineArn,
        name: z.string().default(() => newId('uuid')),
        input: z.string().default('{}'),
      }),
      resource: ({ stateMachineArn: arn }) => arn,
      perform({ stateMachineArn: arn, name, input }) {
        executions.stateMachine(arn);
        requireName(name);
        requireInput(input);
        const started = executions.start(arn, name, input);
        return { executionArn: started.arn, startDate: new Date(started.startMs) };
      },
    }),

    operation({
      name: 'StopExecution',
      input: z.strictObject({ executionArn, error: z.string().optional(), cause: z.string().optional() }),
      resource: ({ executionArn: arn }) => arn,
      perform({ executionArn: arn, error, cause }) {
        const { stopMs = 0 } = executions.stop(arn, { error, cause });
        return { stopDate: new Date(stopMs) };
      },
    }),

    operation({
      name: 'DescribeExecution',
      input: z.strictObject({ executionArn }),
      resource: ({ executionArn: arn }) => arn,
      perform: ({ executionArn: arn }) => detail(executions.described(arn)),
    }),

    operation({
      name: 'ListExecutions',
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
    operation({
      name: 'ListStateMachines',
      input: PageRequest,
      perform(input) {
        const { shown, nextToken } = requestedPage(executions.stateMachines, input);
        return { stateMachines: shown.map(machineSummary), nextToken };
      },
    }),
  ];
}

function requireName(name: string): void {
  if (!EXECUTION_NAME.test(name)) {
    throw new AwsApiError('InvalidName', `Invalid Name: '${name}'`);
  }
}

function requireInput(input: string): void {
  const invalid = (fault: string) =>
    new AwsApiError('InvalidExecutionInput', `Invalid State Machine Execution Input: ${fault}`);
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
    startDate: new Date(startMs),
    ...(stopMs !== undefined && { stopDate: new Date(stopMs) }),
    redriveCount: 0,
  };
}

function detail(execution: Execution) {
  const { status, input, output, error, cause } = execution;
  const isRedrivable = status !== 'RUNNING' && status !== 'SUCCEEDED';
  return {
    ...summary(execution),
    ...(isRedrivable
      ? { redriveStatus: 'REDRIVABLE' as const }
      : {
          redriveStatus: 'NOT_REDRIVABLE' as const,
          redriveStatusReason: `Execution is ${status} and cannot be redriven`,
        }),
    input,
    inputDetails: { included: true },
    ...(output !== undefined && { output, outputDetails: { included: true } }),
    error,
    cause,
  };
}

/** The time of creation is not kept. A constant does not change between two responses. */
const CREATION_DATE = new Date(0);

function machineSummary({ arn, name }: DeclaredStateMachine) {
  return { stateMachineArn: arn, name, type: 'STANDARD' as const, creationDate: CREATION_DATE };
}
