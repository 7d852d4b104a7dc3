import { ASSUMED, DOMAIN, PRICES } from '../../infra/cost/prices.ts';

/** How many domains there are; primary ones are live, too. */
interface Attached {
  readonly ready: number;
  readonly live: number;
  readonly primary: number;
}

/** What looking after attached domains uses in a day, and the calls of the control plane in the worst five minutes of it. */
export interface DailyUse {
  readonly lambdaSeconds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** HTTPS requests to API Gateway, which cost what those of clients do. */
  readonly ownRequests: number;
  readonly controlPlane: Readonly<Record<ControlPlane, { readonly calls: number; readonly worst: number }>>;
}

export const CONTROL_PLANE = ['apigateway', 'acm', 'route53'] as const;
type ControlPlane = (typeof CONTROL_PLANE)[number];

/** A host of API Gateway has two or three addresses of IPv4. */
export const ADDRESSES = 3;

const MILLION = 1_000_000;
const DAYS_OF_MONTH = 30;
const SWEEPS_OF_DAY = 24 * 12;
const SWEEP_SECONDS = 300;
const FUNCTION_MB = 1024;
/** A write within a transaction costs twice as much. */
const SAVED_UNITS = 2 * Math.ceil(DOMAIN.itemBytes / 1024);
const LOG_USD = 0.51 / MILLION;

/** All domains are read at the beginning of each run and, to be counted, at its end. */
export function readingOf({ ready, live }: Attached) {
  const reads = 2 * SWEEPS_OF_DAY * (ready + live);
  const share = Math.min(1, FUNCTION_MB / ASSUMED.memoryMbOfOneCpu);
  return {
    readUnits: (reads * DOMAIN.itemBytes) / 4096,
    lambdaSeconds: (reads * DOMAIN.readCpuMs) / 1000 / share,
  };
}

/**
 * What revision a051d575 used: a check of each live domain a day and of each ready one every five minutes, four a second, of
 * two calls of API Gateway and one of ACM and Route 53 each; a look at each primary one every five minutes. `isCut`: by the
 * timeouts of its functions, 55 s and 15 minutes, after which it saw no more of them.
 */
export function useBefore(attached: Attached, { isCut }: { readonly isCut: boolean }): DailyUse {
  const PER_SECOND = 4;
  const most = (seconds: number) => (isCut ? PER_SECOND * seconds : Number.POSITIVE_INFINITY);
  const readyAtATime = Math.min(attached.ready, most(55));
  const liveADay = Math.min(attached.live, most(15 * 60));
  const checks = readyAtATime * SWEEPS_OF_DAY + liveADay;
  const looks = attached.primary * SWEEPS_OF_DAY;
  const reading = readingOf(attached);
  const worstChecks = readyAtATime + Math.min(liveADay, PER_SECOND * SWEEP_SECONDS);
  const calls = (each: number) => ({ calls: each * checks, worst: (each * worstChecks) / SWEEP_SECONDS });
  return {
    lambdaSeconds: reading.lambdaSeconds + checks / PER_SECOND + looks / 20,
    readUnits: reading.readUnits + checks + 2 * looks,
    writeUnits: liveADay * SAVED_UNITS,
    ownRequests: (checks + looks) * ADDRESSES,
    controlPlane: { apigateway: calls(2), acm: calls(1), route53: calls(1) },
  };
}

/** What it is, and what a month of it costs. */
export function useReport(title: string, use: DailyUse): string {
  const { lambdaSeconds, readUnits, writeUnits, ownRequests, controlPlane } = use;
  const parts = {
    Lambda: lambdaSeconds * (FUNCTION_MB / 1024) * PRICES.lambdaDuration.usd,
    reads: (readUnits / MILLION) * PRICES.readUnits.usd,
    writes: (writeUnits / MILLION) * PRICES.writeUnits.usd,
    requests: ownRequests * (PRICES.restRequests.usd / MILLION + LOG_USD),
  };
  const month = (usd: number) => `$${(usd * DAYS_OF_MONTH).toFixed(2)}`;
  const total = Object.values(parts).reduce((sum, usd) => sum + usd, 0);
  const seconds = SWEEPS_OF_DAY * SWEEP_SECONDS;
  return [
    title,
    ...CONTROL_PLANE.map(service => {
      const { calls, worst } = controlPlane[service];
      return `  ${service}: ${(calls / seconds).toFixed(2)}/s, in the worst five minutes ${worst.toFixed(2)}/s`;
    }),
    `  a day: ${Math.round(lambdaSeconds)} s of Lambda, ${Math.round(readUnits)} units read, ${Math.round(writeUnits)} written, ${Math.round(ownRequests)} requests to API Gateway`,
    `  a month: ${Object.entries(parts)
      .map(([part, usd]) => `${part} ${month(usd)}`)
      .join(', ')}, together ${month(total)}`,
    '',
  ].join('\n');
}
