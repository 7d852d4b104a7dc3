import { expect, test } from 'vitest';
import { type Execution, KeptExecutions } from '../../../../infra/local/stepfunctions/executions.ts';

const execution = (name: string, status: Execution['status']): Execution => ({
  arn: `arn:${name}`,
  name,
  stateMachineArn: 'arn:machine',
  status,
  input: '{}',
  startMs: 0,
});

test('of the executions that have ended, those that ended first are dropped', () => {
  const kept = new KeptExecutions(undefined);
  kept.put(execution('long', 'RUNNING'));
  const short = Array.from({ length: 200 }, (_, number) => execution(`short ${number}`, 'SUCCEEDED'));
  for (const ended of short) expect(kept.put(ended)).toEqual([]);
  expect(kept.put(execution('long', 'SUCCEEDED'))).toEqual(['arn:short 0']);
  expect(kept.find('arn:long')?.status).toBe('SUCCEEDED');
  expect(kept.all).toHaveLength(200);
});
