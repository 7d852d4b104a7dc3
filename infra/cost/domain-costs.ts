import type { Resources } from '../local/template.ts';
import { dollars, functionOf } from './cost-report.ts';
import { ASSUMED, DOMAIN, DOMAIN_LIMITS as LIMITS, PRICES } from './prices.ts';

/** How many custom domains an environment can have: what is full first, how long they take, and what they cost. */

const SIZES = [1_000, 10_000, 100_000];
const MILLION = 1_000_000;
const DAYS_OF_MONTH = 30;
const SWEEPS_OF_HOUR = 60 / LIMITS.sweepMinutes;
const SWEEPS_OF_DAY = 24 * SWEEPS_OF_HOUR;
/** A sweep reads all domains at its start and at its end. */
const READS_OF_MONTH = DAYS_OF_MONTH * SWEEPS_OF_DAY * 2;
/** Each domain is looked at hourly; that many are in time. */
const LOOKS_OF_MONTH = DAYS_OF_MONTH * 24;
const MOST_LOOKS = SWEEPS_OF_HOUR * LIMITS.looksAtATime * (LIMITS.looksSeconds / DOMAIN.lookSeconds);
const SILENT_PASSES = LIMITS.passesAtATime * (LIMITS.passesSeconds / DOMAIN.silentPassSeconds);

export function domainReport(template: Resources): string {
  const memoryMb = memoryOf(template, 'DomainChecksReconcileDomains');
  const ceilings: [domains: number, what: string][] = [
    [LIMITS.domainNames, 'domain names of API Gateway, per account and region; AWS raises the quota'],
    [LIMITS.certificates, 'certificates of ACM, and twice as many requests a year; AWS raises the quota'],
    [SWEEPS_OF_DAY * SILENT_PASSES, 'the daily look in full, if all name servers are silent'],
    [SWEEPS_OF_DAY * LIMITS.passes, `the daily look in full: ${LIMITS.passes} in a sweep`],
    [MOST_LOOKS, 'the hourly look, half a second each'],
    [
      LIMITS.zoneRecords,
      "records of the platform's zone: one for each domain, two for each deployed project",
    ],
    [LIMITS.tenants, 'tenants of CloudFront, per account'],
    [((memoryMb - DOMAIN.functionMb) * MILLION) / DOMAIN.readBytes, 'the memory of a sweep, roughly'],
  ];

  const reading = (domains: number) => (domains * DOMAIN.readCpuMs) / 1000 / cpuShare(memoryMb);
  const lambda = (seconds: number) => seconds * (memoryMb / 1024) * PRICES.lambdaDuration.usd;
  const readUnits = (domains: number) => (domains * DOMAIN.itemBytes) / 4096;
  /** Of the table and its index. */
  const writes = (count: number) =>
    ((count * 2 * Math.ceil(DOMAIN.itemBytes / 1024)) / MILLION) * PRICES.writeUnits.usd;
  const reconciles = (domains: number) =>
    READS_OF_MONTH * (lambda(reading(domains)) + (readUnits(domains) / MILLION) * PRICES.readUnits.usd);
  /** The names that a sweep has looked at are noted in one item. */
  const notes = (domains: number) =>
    ((2 * domains * DOMAIN.noteBytes) / 1024 / MILLION) * PRICES.writeUnits.usd;
  const looks = (domains: number) =>
    LOOKS_OF_MONTH * (lambda((domains * DOMAIN.lookSeconds) / LIMITS.looksAtATime) + notes(domains));
  // A transaction writes twice.
  const passes = (domains: number) =>
    DAYS_OF_MONTH * (lambda((domains * DOMAIN.passSeconds) / LIMITS.passesAtATime) + 2 * writes(domains));
  const records = (domains: number) => Math.max(0, domains - LIMITS.zoneRecords) * PRICES.zoneRecord.usd;
  const service = (domains: number) =>
    reconciles(domains) + looks(domains) + passes(domains) + records(domains);
  const tenants = (domains: number) => PRICES.tenants.usd + Math.max(0, domains - 200) * PRICES.tenant.usd;
  const certificates = Math.max(
    1 / LIMITS.certificateRequestsPerSecond,
    DOMAIN.certificateLooks / LIMITS.certificateLooksPerSecond,
  );

  const row = (what: string, cell: (domains: number) => string) =>
    `| ${[what, ...SIZES.map(cell)].join(' | ')} |`;
  return [
    '| Domains | What is full |',
    '|--:|---|',
    ...ceilings
      .toSorted(([left], [right]) => left - right)
      .map(([domains, what]) => `| ${rounded(domains)} | ${what} |`),
    '',
    row('', rounded),
    '|---|--:|--:|--:|',
    row('until all are live, on API Gateway', domains => hours(domains * LIMITS.slotSeconds)),
    row('until all are live, on CloudFront', domains => hours(domains * certificates)),
    row('until all are looked at in full', domains =>
      hours((domains / LIMITS.passes) * LIMITS.sweepMinutes * 60),
    ),
    row('a month of reading all in every sweep', domains => dollars(reconciles(domains))),
    row('a month of hourly looks', domains => dollars(looks(domains))),
    row('a month of daily looks in full', domains => dollars(passes(domains))),
    row("a month of records in the platform's zone", domains => dollars(records(domains))),
    row('**a month on API Gateway**', domains => `**${dollars(service(domains))}**`),
    row('**a month on CloudFront**', domains => `**${dollars(service(domains) + tenants(domains))}**`),
    '',
  ].join('\n');
}

function memoryOf(template: Resources, construct: string): number {
  return Number(functionOf(template, construct).Properties.MemorySize);
}

function cpuShare(memoryMb: number): number {
  return Math.min(1, memoryMb / ASSUMED.memoryMbOfOneCpu);
}

/** To two significant digits above a thousand: what is computed here is not more exact than that. */
function rounded(count: number): string {
  const digits = count > 1_000 ? 2 : 3;
  return Number(count.toPrecision(digits)).toLocaleString('en-US');
}

function hours(seconds: number): string {
  const [minutes, wholeHours] = [seconds / 60, seconds / 60 / 60];
  if (minutes < 100) return `${Math.round(minutes)} minutes`;
  return wholeHours < 100 ? `${Math.round(wholeHours)} hours` : `${Math.round(wholeHours / 24)} days`;
}
