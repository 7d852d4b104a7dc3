import type { FailureReason } from '@aws-sdk/client-acm';
import type { AcmHabits } from './acm-model.ts';
import type { Call, Fate, ServiceName } from './calls.ts';
import type { Random } from './random.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, type VirtualTime } from './virtual-time.ts';

/** How AWS behaves in a run. */
export interface Weather extends AcmHabits {
  fateOf(call: Call): Fate;
  startDelayMs(): number;
  /** After which time a task is delivered once more; undefined when it is not. */
  secondDeliveryMs(): number | undefined;
  /** How long API Gateway does not know of an issued certificate. */
  spreadMs(): number;
}

const ANSWERED: Fate = { kind: 'answered', latencyMs: 20 };

/** Everything works, and nothing takes long. Tests of one fault change one thing. */
export const CALM: Weather = {
  fateOf: () => ANSWERED,
  startDelayMs: () => 100,
  secondDeliveryMs: () => undefined,
  spreadMs: () => 0,
  recordDelayMs: () => 5 * SECOND_MS,
  listDelayMs: () => SECOND_MS,
  issueDelayMs: () => MINUTE_MS,
  failure: () => undefined,
  isFailedByCaa: () => true,
  inUseMs: () => 5 * MINUTE_MS,
};

const SERVICES: readonly ServiceName[] = ['dynamodb', 'acm', 'apigateway', 'route53', 'states'];

/** A time in which a service turns nearly everything away. */
interface Storm {
  readonly service: ServiceName;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * The weather of a seed. Each fault is absent, rare or frequent, so that some runs have many kinds of trouble and some
 * have one kind only, in which its consequences show undisturbed.
 */
export function weatherOf(random: Random, time: VirtualTime): Weather {
  const crashes = random.pick([0, 0, 0.003, 0.02]);
  const throttled = random.pick([0, 0, 0.01, 0.1]);
  const lost = random.pick([0, 0, 0.005, 0.05]);
  const stalls = random.pick([0, 0, 0.02, 0.15]);
  const repeats = random.pick([0, 0.1, 1]);
  const slowStarts = random.pick([0, 0.2]);
  const failures = random.pick([0, 0, 0.3]);
  const longestSpreadMs = random.pick([0, MINUTE_MS, 10 * MINUTE_MS]);
  const longestInUseMs = random.pick([0, 20 * MINUTE_MS, 23 * HOUR_MS]);
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
  const latencyMs = () =>
    random.chance(stalls) ? random.between(SECOND_MS, 58 * SECOND_MS) : random.between(3, 80);

  return {
    fateOf({ service }) {
      if (storms.length > 0 && isStormy(service) && random.chance(0.95)) {
        return { kind: 'throttled', latencyMs: 20 };
      }
      const kind = random.chance(crashes)
        ? random.pick(['crash before', 'crash after'] as const)
        : service === 'dns'
          ? // It fails by what it answers, not by errors.
            'answered'
          : random.chance(throttled)
            ? 'throttled'
            : random.chance(lost)
              ? 'answer lost'
              : 'answered';
      return { kind, latencyMs: latencyMs() };
    },
    startDelayMs: () =>
      random.chance(slowStarts) ? random.between(SECOND_MS, 20 * SECOND_MS) : random.between(5, 300),
    secondDeliveryMs: () =>
      random.chance(repeats) ? random.pick([0, 50, SECOND_MS, 20 * SECOND_MS, 10 * MINUTE_MS]) : undefined,
    spreadMs: () => random.between(0, longestSpreadMs),
    recordDelayMs: () => random.between(0, 30 * SECOND_MS),
    listDelayMs: () => random.between(0, 10 * SECOND_MS),
    issueDelayMs: () => random.pick([0, 2 * MINUTE_MS, 20 * MINUTE_MS, 5 * HOUR_MS]),
    failure: () =>
      random.chance(failures)
        ? random.pick<FailureReason>(['CAA_ERROR', 'ADDITIONAL_VERIFICATION_REQUIRED', 'OTHER'])
        : undefined,
    isFailedByCaa: () => random.chance(0.5),
    inUseMs: () => random.between(0, longestInUseMs),
  };
}
