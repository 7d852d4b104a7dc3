import { environmentNamed } from '../../infra/stack/environments.ts';
import { type ColdStart, WITH_TLS } from './cold-start.ts';
import type { OperationCost } from './operation-costs.ts';
import { OURS } from './variants.ts';
import type { WarmInvocation } from './warm-invocations.ts';

/** The measurements of a run. A part that was not selected is absent. */
export interface Results {
  cold?: ColdStart[];
  warm?: WarmInvocation[];
  dynamodb?: OperationCost[];
}

/** A limit of the service, and whether the measurement keeps it. */
export interface Budget {
  readonly what: string;
  /** Such as `≤ 0.55`. */
  readonly limit: string;
  readonly measured: number;
  readonly isKept: boolean;
}

/** Import and first invocation, as a ratio to the bare handler, which always loads TLS. */
const COLD_LIMIT = 0.55;
const COLD_LIMIT_WITH_TLS = 0.62;

const WARM_LIMITS: Readonly<Record<string, number>> = {
  'list of 20': 0.85,
  'list of 100': 0.55,
  create: 1.15,
  get: 1.1,
};

/** Calls and capacity units per operation. A page takes one Query per active shard. */
const { petShards } = environmentNamed('production');
const COST_LIMITS: Readonly<Record<string, { calls: number; capacityUnits: number }>> = {
  create: { calls: 1, capacityUnits: 2 },
  get: { calls: 1, capacityUnits: 1 },
  'page of 20': { calls: petShards, capacityUnits: 0.5 * petShards },
  'page of 20 by status': { calls: petShards, capacityUnits: 0.5 * petShards },
  'a later page of 20': { calls: petShards, capacityUnits: 0.5 * petShards },
};

const atMost = (what: string, limit: number, measured: number): Budget => ({
  what,
  limit: `≤ ${limit}`,
  measured,
  isKept: measured <= limit,
});

/** The budgets of the parts that were measured. */
export function budgets({ cold = [], warm = [], dynamodb = [] }: Results): Budget[] {
  const coldOurs = cold.filter(({ variant }) => variant === OURS);
  const warmOurs = warm.filter(({ variant }) => variant === OURS);
  const sizes = new Set(dynamodb.map(({ pets }) => pets));
  return [
    ...coldOurs.flatMap(({ operation, bytesRatio, totalRatio, isUndiciLoaded }) => [
      atMost(`${operation}: bundle bytes, ratio`, 0.75, bytesRatio),
      atMost(
        `${operation}: import + first invocation, ratio`,
        operation === WITH_TLS ? COLD_LIMIT_WITH_TLS : COLD_LIMIT,
        totalRatio,
      ),
      atMost(`${operation}: undici loaded at import (0 is no)`, 0, Number(isUndiciLoaded)),
    ]),
    ...warmOurs.map(({ workload, ratio }) =>
      atMost(`warm ${workload}, ratio`, WARM_LIMITS[workload] ?? 1, ratio),
    ),
    ...Object.entries(COST_LIMITS).flatMap(([operation, { calls, capacityUnits }]) => {
      const measured = dynamodb.filter(cost => cost.operation === operation);
      if (measured.length === 0) return [];
      const largest = (of: 'calls' | 'capacityUnits') => Math.max(...measured.map(cost => cost[of]));
      return [
        atMost(`${operation}: DynamoDB calls`, calls, largest('calls')),
        atMost(`${operation}: capacity units`, capacityUnits, largest('capacityUnits')),
      ];
    }),
    ...(sizes.size > 0
      ? [
          atMost(
            'operations that cost more on a larger table',
            0,
            new Set(
              dynamodb.map(({ operation, calls, capacityUnits }) => `${operation} ${calls} ${capacityUnits}`),
            ).size -
              dynamodb.length / sizes.size,
          ),
          atMost(
            'calls for authentication while the cache is warm',
            0,
            dynamodb.reduce((sum, { authenticationCalls }) => sum + authenticationCalls, 0),
          ),
        ]
      : []),
  ];
}
