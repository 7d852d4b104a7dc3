import type { AwsBehavior, FailureReason, WakeUp } from '../surroundings.ts';
import type { Call, Fate, ServiceName } from './calls.ts';
import type { Random } from './random.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type VirtualTime } from './virtual-time.ts';

/** The weather of a run: which faults and delays AWS has. Each function is called anew for every occasion. */
export interface Weather extends AwsBehavior {
  fateOf(call: Call): Fate;
  /** From the request for an invocation to its first instruction. */
  startDelayMs(): number;
  /** After which time a task is delivered a second time; undefined when it is delivered once. */
  secondDeliveryMs(): number | undefined;
  /** How much later than its table an index of DynamoDB has a write. */
  indexLagMs(): number;
}

/** Longer than any run. */
const LONG_MS = 36_500 * DAY_MS;

const DESCRIBE_LAG_MS = 5 * SECOND_MS;

export const OK: Fate = { kind: 'ok', latencyMs: 20 };

/** Weather without faults and long delays. A test of one fault changes one function of it. */
export const CALM: Weather = {
  fateOf: () => OK,
  startDelayMs: () => 100,
  secondDeliveryMs: () => undefined,
  spreadMs: () => 0,
  wakeUp: () => ({ kind: 'once' }),
  deathOf: () => undefined,
  isEventRejected: () => false,
  describeLagMs: () => DESCRIBE_LAG_MS,
  applyingMs: () => 100,
  indexLagMs: () => 0,
  pageLength: () => Number.POSITIVE_INFINITY,
  recordDelayMs: () => 5 * SECOND_MS,
  listDelayMs: () => SECOND_MS,
  issueDelayMs: () => MINUTE_MS,
  failure: () => undefined,
  checkMs: () => HOUR_MS,
  maxDomainNames: () => 120,
  validityMs: () => LONG_MS,
  renewalDelayMs: () => 0,
  isFailedByCaa: () => true,
  inUseMs: () => 5 * MINUTE_MS,
};

const SERVICES: readonly ServiceName[] = ['dynamodb', 'acm', 'apigateway', 'route53', 'states', 'events'];

/** A period in which a service throttles nearly every call. */
interface Storm {
  readonly service: ServiceName;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The weather of a seed. Each fault is absent, rare or frequent: some runs combine many faults, others have a single one
 * whose consequences are easy to see.
 */
export function weatherOf(random: Random, time: VirtualTime): Weather {
  const crashes = random.pick([0, 0, 0.003, 0.02]);
  const throttled = random.pick([0, 0, 0.01, 0.1]);
  const lostResponses = random.pick([0, 0, 0.005, 0.05]);
  const slowCalls = random.pick([0, 0, 0.02, 0.15]);
  const stalls = random.pick([0, 0, 0.002, 0.01]);
  const secondDeliveries = random.pick([0, 0.1, 1]);
  const slowStarts = random.pick([0, 0.2]);
  const failures = random.pick([0, 0, 0.3]);
  const maxSpreadMs = random.pick([0, MINUTE_MS, 10 * MINUTE_MS]);
  const maxInUseMs = random.pick([0, 20 * MINUTE_MS, 23 * HOUR_MS]);
  const deaths = random.pick([0, 0, 0.1, 0.5]);
  const wakeUpFaults = random.pick([0, 0, 0.1, 0.5]);
  const rejectedEvents = random.pick([0, 0, 0.1, 0.5]);
  const conflicts = random.pick([0, 0, 0.01, 0.2]);
  const maxIndexLagMs = random.pick([0, SECOND_MS, 5 * MINUTE_MS]);
  const maxPageLength = random.pick([1, 4, Number.POSITIVE_INFINITY]);
  const storms: Storm[] = Array.from({ length: random.pick([0, 0, 1, 3]) }, () => {
    const fromMs = time.nowMs + random.between(0, 48 * HOUR_MS);
    return {
      service: random.pick(SERVICES),
      fromMs,
      untilMs: fromMs + random.between(MINUTE_MS, 2 * HOUR_MS),
    };
  });
  const isStormy = (service: ServiceName) =>
    storms.some(
      storm => storm.service === service && storm.fromMs <= time.nowMs && time.nowMs < storm.untilMs,
    );
  const longMs = () => random.between(SECOND_MS, 58 * SECOND_MS);
  const latencyMs = () => (random.chance(slowCalls) ? longMs() : random.between(3, 80));

  return {
    fateOf({ service, operation }) {
      if (storms.length > 0 && isStormy(service) && random.chance(0.95)) {
        return { kind: 'throttled', latencyMs: 20 };
      }
      const kind = random.chance(crashes)
        ? random.pick(['crash before', 'crash after'] as const)
        : service === 'dns' || service === 'https'
          ? // DNS and HTTPS fail by what they return, not by errors of the call.
            'ok'
          : random.chance(throttled)
            ? 'throttled'
            : random.chance(lostResponses)
              ? 'response lost'
              : service === 'dynamodb' && isWrite(operation) && random.chance(conflicts)
                ? 'conflict'
                : random.chance(stalls)
                  ? 'stall'
                  : 'ok';
      return { kind, latencyMs: kind === 'stall' ? longMs() : latencyMs() };
    },
    startDelayMs: () =>
      random.chance(slowStarts) ? random.between(SECOND_MS, 20 * SECOND_MS) : random.between(5, 300),
    secondDeliveryMs: () =>
      random.chance(secondDeliveries)
        ? random.pick([0, 50, SECOND_MS, 20 * SECOND_MS, 10 * MINUTE_MS])
        : undefined,
    spreadMs: () => random.between(0, maxSpreadMs),
    wakeUp() {
      if (!random.chance(wakeUpFaults)) return { kind: 'once' };
      const ms = random.pick([0, SECOND_MS, MINUTE_MS, 20 * MINUTE_MS]);
      return random.pick<WakeUp>([
        { kind: 'lost' },
        { kind: 'twice', againMs: ms },
        { kind: 'late', byMs: ms },
      ]);
    },
    deathOf: () =>
      random.chance(deaths)
        ? {
            afterMs: random.pick([0, 10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, 5 * HOUR_MS]),
            status: random.pick(['FAILED', 'TIMED_OUT', 'ABORTED'] as const),
          }
        : undefined,
    isEventRejected: () => random.chance(rejectedEvents),
    describeLagMs: () => DESCRIBE_LAG_MS,
    applyingMs: () => 100,
    indexLagMs: () => random.between(0, maxIndexLagMs),
    pageLength: () => (Number.isFinite(maxPageLength) ? random.between(1, maxPageLength) : maxPageLength),
    recordDelayMs: () => random.between(0, 30 * SECOND_MS),
    listDelayMs: () => random.between(0, 10 * SECOND_MS),
    issueDelayMs: () => random.pick([0, 2 * MINUTE_MS, 20 * MINUTE_MS, 5 * HOUR_MS]),
    failure: () =>
      random.chance(failures)
        ? random.pick<FailureReason>(['CAA_ERROR', 'ADDITIONAL_VERIFICATION_REQUIRED', 'OTHER'])
        : undefined,
    checkMs: () => HOUR_MS,
    maxDomainNames: () => 120,
    // Runs of days see renewals as incidents.
    validityMs: () => LONG_MS,
    renewalDelayMs: () => random.between(0, HOUR_MS),
    isFailedByCaa: () => random.chance(0.5),
    inUseMs: () => random.between(0, maxInUseMs),
  };
}

function isWrite(operation: string): boolean {
  return /^(Put|Update|Delete|TransactWrite)/.test(operation);
}
