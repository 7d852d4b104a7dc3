import { setTimeout as sleepFor } from 'node:timers/promises';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { CommandError, EXIT_CODES } from '../framework/command-error.ts';
import { readWaitMs } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { exactTime } from '../framework/readable-times.ts';
import { prose } from '../framework/style.ts';
import { interruptible } from '../framework/terminal.ts';
import { faultOf, isLive, needsAction, phaseOf } from './domain-report.ts';
import { DomainSession } from './domain-session.ts';
import { domainText, nextLines, recordLines, sections } from './domain-text.ts';
import { verificationView } from './verification-view.ts';
import { ZONE_FILE_OPTION } from './zone-file.ts';

/** A check that finds a record with another value, or one in the way, can be wrong for a moment while records spread. */
const SAME_FAULTS = 3;

interface Options {
  readonly wait?: true;
  readonly timeout?: string;
}

export function addVerify(domains: PetstoreCommand): void {
  domains
    .command('verify')
    .alias('reverify')
    .summary('check the DNS records and bring the domain live')
    .description(
      `Starts the verification: the service checks the DNS records until a deadline, waits for the certificate, and then serves the domain. It goes on by itself; --wait waits for it and shows the state of each record. It waits no longer when ${SAME_FAULTS} checks in a row find the same wrong records. Verifying again starts another attempt with the same records and new deadlines; "domains watch" only watches.\n\n${EXIT_CODES_TEXT} Without --wait the exit code is 0 once the verification has started.`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option('--wait', 'wait until the domain is live or has failed')
    .option(...TIMEOUT_OPTION)
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains verify www.example.com --wait',
      'domains verify www.example.com --wait --timeout 2h',
      'domains verify www.example.com --wait --json | jq -r .status',
    )
    .action(async (domain: string, { wait, timeout }: Options, command: PetstoreCommand) => {
      readTimeoutMs({ timeout });
      const session = new DomainSession(command);
      const started = await session.changeDomain('domains.verify', { domain }, `verify the domain ${domain}`);
      const isWaiting = wait ?? timeout !== undefined;
      if (isWaiting) await watchAndShow(session, started, { timeout, sameFaults: SAME_FAULTS });
      else showStart(started, session);
    });
}

function showStart(report: DomainReport, session: DomainSession): void {
  const { domain, deadlines } = report;
  const until = deadlines.dns ? ` until ${exactTime(deadlines.dns)}` : '';
  const started = `The verification of ${domain} in ${session.environment} has started. It goes on by itself${until}. Watch it with:`;
  session.showReport(report, style =>
    // A live domain is only checked and repaired, even if it needs attention.
    report.status === 'live'
      ? domainText(report, style, session, Date.now())
      : sections(
          [prose(started, style), '', `  ${session.projectCommandLine(`domains watch ${domain}`)}`],
          recordLines(report, style),
          nextLines(report, session, style),
        ),
  );
}

const DEFAULT_TIMEOUT = '10m';

/** The option of the commands that can watch a domain, as commander takes it. */
export const TIMEOUT_OPTION = [
  '--timeout <duration>',
  `how long to wait, such as 30s, 10m or 2h (default: ${DEFAULT_TIMEOUT})`,
] as const;

/** Polling is free on this machine; on AWS each poll is an invocation. */
const LOCAL_INTERVAL_MS = 1_000;
const AWS_INTERVAL_MS = 5_000;

interface WatchOptions {
  readonly timeout?: string | undefined;
  readonly sameFaults?: number;
}

export function addWatch(domains: PetstoreCommand): void {
  domains
    .command('watch')
    .summary('watch a domain until it is live or has failed')
    .description(
      `Watches a domain until it is live or has failed, and shows the state of each record meanwhile. It changes nothing: the verification neither starts nor restarts.\n\n${EXIT_CODES_TEXT}`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option(...TIMEOUT_OPTION)
    .examples('domains watch www.example.com', 'domains watch www.example.com --timeout 2h')
    .action(async (domain: string, options: WatchOptions, command: PetstoreCommand) => {
      readTimeoutMs(options);
      const session = new DomainSession(command);
      await watchAndShow(session, await session.readDomain(domain), options);
    });
}

/** The time to wait. It is read before anything is changed, so that a wrong one is refused first. */
export function readTimeoutMs({ timeout = DEFAULT_TIMEOUT }: WatchOptions): number {
  return readWaitMs('--timeout', timeout);
}

/** Watches a domain, prints it at the end, and sets the exit code. */
export async function watchAndShow(
  session: DomainSession,
  first: DomainReport,
  options: WatchOptions,
): Promise<void> {
  const { report, end } = await watch(session, first, options);
  const { domain } = report;
  const again = session.projectCommandLine(`domains watch ${domain}`);
  const endings = {
    decided: [],
    timeout: [
      `${domain} is not live after ${options.timeout ?? DEFAULT_TIMEOUT}. The verification goes on by itself. Watch it with: ${again}`,
    ],
    same_fault: [
      `${options.sameFaults} checks in a row found the same wrong records, so this command waits no longer. The verification goes on by itself: correct the records, and watch it with: ${again}`,
    ],
  };
  session.showReport(report, style =>
    sections(
      endings[end].map(sentence => prose(sentence, style)),
      [domainText(report, style, session, Date.now())],
    ),
  );
  session.endWith(exitCodeOf(report));
}

async function watch(session: DomainSession, first: DomainReport, options: WatchOptions) {
  const { domain } = first;
  const timeoutMs = readTimeoutMs(options);
  const view = await verificationView(session, timeoutMs);
  let isInterrupted = false;
  try {
    return await interruptible(
      signal => {
        signal.addEventListener('abort', () => {
          isInterrupted = true;
        });
        return watchDomain(first, {
          poll: () => session.readDomain(domain, signal),
          update: report => isInterrupted || view.update(report),
          timeoutMs,
          intervalMs: session.target.isLocal ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS,
          sameFaults: options.sameFaults,
          sleep: ms => sleepFor(ms, undefined, { signal }),
        });
      },
      `No longer watching ${domain}. Its verification goes on by itself.`,
      `Watch it again with: ${session.projectCommandLine(`domains watch ${domain}`)}`,
    );
  } finally {
    view.end(isInterrupted);
  }
}

interface Watch {
  poll(): Promise<DomainReport>;
  /** Called with every report. */
  update(report: DomainReport): void;
  readonly timeoutMs: number;
  /** The longest time between two polls. */
  readonly intervalMs: number;
  /** End when so many checks in a row have found the same wrong records; without it they do not end the watch. */
  readonly sameFaults?: number | undefined;
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Why a watch ended: the domain is live, has failed or is being removed; its records stay wrong; the time was over. */
type End = 'decided' | 'same_fault' | 'timeout';

const TEMPORARY_CODES = ['network', 'unavailable', 'function_error'];
const MAX_CONSECUTIVE_FAILURES = 3;

/** Whether the next poll may succeed after so many have failed in a row, the last one with this error. */
export function maySucceedLater(error: unknown, failures: number): boolean {
  const isTemporary = error instanceof CommandError && TEMPORARY_CODES.includes(error.code);
  return isTemporary && failures < MAX_CONSECUTIVE_FAILURES;
}

/** The wait grows by a second with each poll, because most changes come at the beginning. */
const BACKOFF_STEP_MS = 1_000;

/** Polls a domain until the watch ends. Missing records do not end it, because somebody may be creating them. */
export async function watchDomain(
  first: DomainReport,
  watch: Watch,
): Promise<{ readonly report: DomainReport; readonly end: End }> {
  const { poll, update, timeoutMs, intervalMs, sameFaults, now = Date.now, sleep = sleepFor } = watch;
  const endMs = now() + timeoutMs;
  const countFaults = faultCounter(first);
  let report = first;
  let failures = 0;
  update(report);
  for (let polls = 1; ; polls += 1) {
    if (isDecided(report)) return { report, end: 'decided' };
    if (sameFaults !== undefined && countFaults(report) >= sameFaults) return { report, end: 'same_fault' };
    if (now() >= endMs) return { report, end: 'timeout' };
    await sleep(Math.min(polls * BACKOFF_STEP_MS, intervalMs, endMs - now()));
    try {
      report = await poll();
      failures = 0;
      update(report);
    } catch (error) {
      failures += 1;
      if (!maySucceedLater(error, failures)) throw error;
    }
  }
}

/**
 * Counts how many checks in a row have found the same fault. A check is known by its time; that of the first report was
 * made before the watch, perhaps in an earlier verification.
 */
function faultCounter(first: DomainReport): (report: DomainReport) => number {
  let checkedAt = first.checkedAt;
  let fault: string | undefined;
  let count = 0;
  return report => {
    if (report.checkedAt === checkedAt) return count;
    checkedAt = report.checkedAt;
    const found = faultOf(report);
    if (found === undefined) count = 0;
    else count = found === fault ? count + 1 : 1;
    fault = found;
    return count;
  };
}

function isDecided(report: DomainReport): boolean {
  return isLive(report) || ['failed', 'removing'].includes(phaseOf(report));
}

/** For the help of the commands whose exit code depends on the state of the domain. */
export const EXIT_CODES_TEXT = `Exit codes: ${EXIT_CODES.done} live, ${EXIT_CODES.error} error, ${EXIT_CODES.usage} usage, ${EXIT_CODES.actionNeeded} you need to act, ${EXIT_CODES.pending} still pending.`;

export function exitCodeOf(report: DomainReport): number {
  if (isLive(report)) return EXIT_CODES.done;
  return needsAction(report) ? EXIT_CODES.actionNeeded : EXIT_CODES.pending;
}
