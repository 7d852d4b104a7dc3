import type { RateLimit } from '../aws-api/operation.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import { StepFunctionsError } from './step-functions-error.ts';

/** The quotas of an account in most regions; the three largest regions allow more. */
const QUOTAS = {
  StartExecution: { ratePerSecond: 150, burst: 800 },
  StopExecution: { ratePerSecond: 25, burst: 500 },
  DescribeExecution: { ratePerSecond: 10, burst: 250 },
  GetExecutionHistory: { ratePerSecond: 20, burst: 400 },
  ListExecutions: { ratePerSecond: 2, burst: 100 },
  ListStateMachines: { ratePerSecond: 5, burst: 100 },
  DescribeStateMachine: { ratePerSecond: 20, burst: 200 },
};

/** The limit of each operation. */
export type AccountRates = Readonly<Record<keyof typeof QUOTAS, RateLimit>>;

export function accountRates({ waitScale, now }: { waitScale: number; now: () => number }): AccountRates {
  const refusal = () => new StepFunctionsError('ThrottlingException', 'Rate exceeded');
  const limits = Object.entries(QUOTAS).map(([name, quota]) => [
    name,
    tokenBucket({ ...quota, waitScale, now, refusal }),
  ]);
  return Object.fromEntries(limits);
}
