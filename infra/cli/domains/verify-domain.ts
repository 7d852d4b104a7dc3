import { setTimeout as sleepFor } from 'node:timers/promises';
import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { CommandError, EXIT_CODES, isTemporary } from '../../operator/connection/command-error.ts';
import {
  canSwitch,
  faultOf,
  hasItsRecords,
  isLive,
  isUnderway,
  needsAction,
  pauseBetweenLooks,
} from '../../operator/domains/domain-report.ts';
import { exactTime } from '../../operator/readable-times.ts';
import { readDurationMs } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import type { ChangeOptions } from '../framework/session.ts';
import { prose, type Style, sections } from '../framework/style.ts';
import { interruptible } from '../framework/terminal.ts';
import { DomainSession, ZONE_FILE_OPTION } from './domain-session.ts';
import { domainText, nextLines, recordLines } from './domain-text.ts';
import { DOMAINS_ARGUMENT, doSeveral, type Outcome, readDomains, SEVERAL_TEXT } from './several-domains.ts';
import { verificationView } from './verification-view.ts';

/** A check that finds a record with another value, or one in the way, can be wrong for a moment while records spread. */
export const SAME_TROUBLES = 3;

interface Options {
  readonly wait?: true;
  readonly timeout?: string;
}

export function addVerify(domains: PetstoreCommand): void {
  domains
    .command('verify')
    .alias('reverify')
    .summary('check the DNS records and take domains live')
    .description(
      `Starts the verification: the service checks the DNS records, waits for the certificate, then serves the domain. It keeps going after the command ends. With --wait you see the state of each record until the domain is live or, if you added it with --switch-later, ready. Waiting ends early if ${SAME_TROUBLES} checks in a row find the same wrong records. Run it again to start over with the same records and new deadlines; use "domains watch" just to watch.\n\n${EXIT_CODES_TEXT} Without --wait the exit code is 0 once the verification has started.\n\n${SEVERAL_TEXT}`,
    )
    .argument(DOMAINS_ARGUMENT, 'the domains, as they were added')
    .option('--wait', 'wait until the domain is live, ready to switch, or has failed')
    .option(...TIMEOUT_OPTION)
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains verify www.example.com --wait',
      'domains verify example.com www.example.com --wait --timeout 2h',
      'domains verify www.example.com --wait --json | jq -r .status',
    )
    .action(async (given: string[], { wait, timeout }: Options, command: PetstoreCommand) => {
      const names = readDomains(given, command);
      readTimeoutMs({ timeout });
      const session = new DomainSession(command);
      const isWaiting = wait ?? timeout !== undefined;
      if (given.length > 1) return verifySeveral(session, names, isWaiting, timeout);
      const [domain = ''] = names;
      const started = await session.changeDomain('domains.verify', { domain }, `verify the domain ${domain}`);
      if (isWaiting)
        await watchAndShow(session, started, { timeout, sameTroubles: SAME_TROUBLES, endsReady: true });
      else showStart(started, session);
    });
}

function showStart(report: DomainReport, session: DomainSession): void {
  const { domain, deadlines } = report;
  const { verification } = deadlines;
  const until = verification ? ` until ${exactTime(verification)}` : '';
  const started = `Verifying ${domain} in ${session.environment}. The service keeps checking${until}.`;
  session.showReports(report, [report], style =>
    // A live domain is only checked and repaired, even if it needs attention; one that is ready is only checked.
    factsOf(report).mapping === 'mapped'
      ? domainText(report, style, session, Date.now())
      : sections([prose(started, style)], recordLines([report], style), nextLines(report, session, style)),
  );
}

/**
 * Waits for the records of domains that were added, as a look sees them, verifies each domain once its own are there, and
 * waits on until it's live or ready.
 */
export async function awaitAndVerify(
  session: DomainSession,
  added: readonly DomainReport[],
  timeout: string = ADD_TIMEOUT,
): Promise<void> {
  const [first, ...others] = added;
  if (!first) return;
  if (others.length > 0) {
    const names = added.map(({ domain }) => domain);
    return watchNames(session, names, true, timeout, name => session.lookFor(name));
  }
  // Without a look, nothing is known of the records, which the watch then looks for.
  const looked = await session.lookFor(first.domain).catch(() => first);
  await watchAndShow(session, looked, {
    timeout,
    sameTroubles: SAME_TROUBLES,
    endsReady: true,
    verifies: true,
  });
}

async function verifySeveral(
  session: DomainSession,
  names: readonly string[],
  isWaiting: boolean,
  timeout: string | undefined,
): Promise<void> {
  await session.confirmInProduction(`verify ${names.length} domains of project ${session.project}`);
  await watchNames(session, names, isWaiting, timeout, (domain, options) =>
    session.changeDomain('domains.verify', { domain }, '', options),
  );
}

async function watchNames(
  session: DomainSession,
  names: readonly string[],
  isWaiting: boolean,
  timeout: string | undefined,
  begin: (domain: string, options: ChangeOptions) => Promise<DomainReport>,
): Promise<void> {
  await doSeveral<DomainReport>(session, names, {
    command: isWaiting ? 'domains verify --wait' : 'domains verify',
    done: 'started',
    work: begin,
    hasNote: report => !isLive(report),
    text: (reports, style) => [unfinishedLines(reports, session, style)],
    ...(isWaiting && {
      follow: (outcomes, stop) => watchSeveral(session, outcomes, timeout, stop),
      exitCode: exitCodeOf,
    }),
  });
}

function unfinishedLines(reports: readonly DomainReport[], session: DomainSession, style: Style): string[] {
  const waiting = reports.filter(isUnderway);
  if (waiting.length === 0) return [];
  const [{ domain }] = waiting as [DomainReport];
  return [
    prose('The service keeps checking. List all domains, or watch one:', style),
    '',
    `  ${session.projectCommandLine('domains list')}`,
    `  ${session.projectCommandLine(`domains watch ${domain}`)}`,
  ];
}

async function watchSeveral(
  session: DomainSession,
  outcomes: readonly Outcome[],
  timeout: string | undefined,
  stop: AbortSignal,
): Promise<void> {
  const started = outcomes.filter(({ report }) => report !== undefined);
  const timeoutMs = readTimeoutMs({ timeout });
  const view = verificationView(session, timeoutMs, started.length);
  const poll = pollingTheList(session);
  const watchOne = async (outcome: Outcome) => {
    const { domain } = outcome;
    try {
      await watchDomain(outcome.report as DomainReport, {
        poll: () => poll(domain),
        look: () => session.lookFor(domain),
        verify: () => session.changeDomain('domains.verify', { domain }, '', { isConfirmed: true }),
        update(report, asOfMs) {
          outcome.report = report;
          view.update(report, asOfMs);
        },
        fail: error => view.fail(error),
        timeoutMs,
        sameTroubles: SAME_TROUBLES,
        endsReady: true,
        ...pace(session, stop),
      });
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof CommandError)) throw error;
      outcome.error = error;
    }
  };
  await Promise.all(started.map(watchOne));
  view.end(stop.aborted);
}

/** Domains that were started together are polled at about the same times. They share what was read within this time. */
const SHARED_MS = 500;

function pollingTheList(session: DomainSession): (domain: string) => Promise<DomainReport> {
  let latest: { readonly readAtMs: number; readonly domains: Promise<DomainReport[]> } | undefined;
  return async domain => {
    const nowMs = Date.now();
    if (latest === undefined || nowMs - latest.readAtMs > SHARED_MS) {
      latest = { readAtMs: nowMs, domains: session.listDomains() };
    }
    const report = (await latest.domains).find(each => each.domain === domain);
    if (report) return report;
    throw new CommandError('not_found', `${domain} was removed.`, { reason: 'domain_unknown' });
  };
}

const DEFAULT_TIMEOUT = '10m';
/** Somebody has to create the records first. */
const ADD_TIMEOUT = '1h';

/** The option of the commands that can watch a domain, as commander takes it. */
const timeoutOption = (byDefault: string) =>
  ['--timeout <duration>', `how long to wait, such as 30s, 10m or 2h (default: ${byDefault})`] as const;
const TIMEOUT_OPTION = timeoutOption(DEFAULT_TIMEOUT);
export const ADD_TIMEOUT_OPTION = timeoutOption(ADD_TIMEOUT);

/** Polling is free on this machine; on AWS each poll is an invocation. */
const LOCAL_INTERVAL_MS = 1_000;
const AWS_INTERVAL_MS = 5_000;

function pace({ target }: DomainSession, signal: AbortSignal): Pick<Watch, 'intervalMs' | 'sleep'> {
  return {
    intervalMs: target.isLocal ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS,
    sleep: ms => sleepFor(ms, undefined, { signal }),
  };
}

interface WatchOptions {
  readonly timeout?: string | undefined;
  readonly sameTroubles?: number;
  /** Whether a domain that is ready, and whose traffic is not switched, is what is waited for. */
  readonly endsReady?: boolean;
  /** Whether a domain that nobody has verified is, once its records are there. */
  readonly verifies?: boolean;
  /** When the first report was asked for. */
  readonly asOfMs?: number;
}

export function addWatch(domains: PetstoreCommand): void {
  domains
    .command('watch')
    .summary("watch a domain until it's live or has failed")
    .description(
      `Watches a domain until it's live or has failed, and shows the state of each record. A domain that's ready is watched until its traffic arrives. It only watches: it doesn't start a verification.\n\n${exitCodesText('live')}`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option(...TIMEOUT_OPTION)
    .examples('domains watch www.example.com', 'domains watch www.example.com --timeout 2h')
    .action(async (domain: string, options: WatchOptions, command: PetstoreCommand) => {
      readTimeoutMs(options);
      const session = new DomainSession(command);
      const asOfMs = Date.now();
      await watchAndShow(session, await session.readDomain(domain), { ...options, asOfMs });
    });
}

/** The time to wait. It is read before anything is changed, so that a wrong one is refused first. */
export function readTimeoutMs({ timeout = DEFAULT_TIMEOUT }: WatchOptions): number {
  return readDurationMs('--timeout', timeout);
}

async function watchAndShow(
  session: DomainSession,
  first: DomainReport,
  options: WatchOptions,
): Promise<void> {
  const { report, end } = await watch(session, first, options);
  const { domain } = report;
  const again = session.projectCommandLine(`domains watch ${domain}`);
  const sentences: Readonly<Record<End, string>> = {
    decided: '',
    not_started: notVerified(report, session),
    timeout: `${domain} isn't live after ${options.timeout ?? DEFAULT_TIMEOUT}. The service keeps checking. Watch it: ${again}`,
    same_trouble:
      report.reason === 'caa_blocked'
        ? `A CAA record blocks the certificate. Fix it, then run: ${again}`
        : `${options.sameTroubles} checks in a row found the same wrong records. Correct them, then run: ${again}`,
  };
  session.showReports(report, [report], style =>
    sections(
      end === 'decided' ? [] : [prose(sentences[end], style)],
      end === 'not_started' ? recordLines([report], style) : [domainText(report, style, session, Date.now())],
    ),
  );
  const isStillReady = factsOf(report).awaits === 'switch' && !options.endsReady;
  session.endWith(isStillReady ? EXIT_CODES.pending : exitCodeOf(report));
}

function notVerified({ domain }: DomainReport, session: DomainSession): string {
  return `Not verified yet. Create the records, then run: ${session.projectCommandLine(`domains verify ${domain} --wait`)}`;
}

async function watch(session: DomainSession, first: DomainReport, options: WatchOptions) {
  const { domain } = first;
  const timeoutMs = readTimeoutMs(options);
  const view = verificationView(session, timeoutMs);
  const again = session.projectCommandLine(`domains watch ${domain}`);
  let isInterrupted = false;
  let isStarted = !options.verifies;
  const verify = () => {
    isStarted = true;
    return session.changeDomain('domains.verify', { domain }, '', { isConfirmed: true });
  };
  try {
    return await interruptible(
      signal => {
        signal.addEventListener('abort', () => {
          isInterrupted = true;
        });
        return watchDomain(first, {
          poll: () => session.readDomain(domain, signal),
          ...(options.verifies && { look: () => session.lookFor(domain, signal), verify }),
          update: (report, asOfMs) => isInterrupted || view.update(report, asOfMs),
          fail: error => view.fail(error),
          ...options,
          timeoutMs,
          ...pace(session, signal),
        });
      },
      () =>
        isStarted
          ? [`No longer watching ${domain}. The service keeps checking.`, `Watch it again: ${again}`]
          : [`No longer waiting for the records of ${domain}.`, notVerified(first, session)],
    );
  } catch (error) {
    if (!isTemporary(error) || !isStarted) throw error;
    throw (error as CommandError).withAdvice(
      `The service keeps checking ${domain}. Watch it again: ${again}`,
    );
  } finally {
    view.end(isInterrupted);
  }
}

interface Watch {
  poll(): Promise<DomainReport>;
  /** Polls a domain that nobody has verified, for its records; and verifies it. Without these, such a domain ends the watch. */
  look?(): Promise<DomainReport>;
  verify?(): Promise<DomainReport>;
  /** Called with every report, and when it was asked for. */
  update(report: DomainReport, asOfMs: number): void;
  /** Called with every error after which the watch goes on. */
  fail?(error: Error): void;
  readonly asOfMs?: number | undefined;
  readonly timeoutMs: number;
  readonly intervalMs: number;
  /** End when so many checks in a row have found the same wrong records; without it they do not end the watch. */
  readonly sameTroubles?: number | undefined;
  readonly endsReady?: boolean | undefined;
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Why a watch ended: the domain is live (or ready), has failed or is being removed; nobody has asked to verify it; its
 * records stay wrong; the time was over.
 */
type End = 'decided' | 'not_started' | 'same_trouble' | 'timeout';

const MAX_CONSECUTIVE_FAILURES = 3;

/** Whether the next poll may succeed after so many have failed in a row, the last one with this error. */
export function maySucceedLater(error: unknown, failures: number): boolean {
  return isTemporary(error) && failures < MAX_CONSECUTIVE_FAILURES;
}

/** The wait grows by a second with each poll, because most changes come at the beginning. */
const BACKOFF_STEP_MS = 1_000;

/** Polls a domain until the watch ends. Missing records do not end it, because somebody may be creating them. */
export async function watchDomain(
  first: DomainReport,
  watch: Watch,
): Promise<{ readonly report: DomainReport; readonly end: End }> {
  const { poll, look, verify, update, timeoutMs, now = Date.now, sleep = sleepFor } = watch;
  const startMs = now();
  const endMs = startMs + timeoutMs;
  const countTroubles = troubleCounter(first);
  let report = first;
  let failures = 0;
  let decided = 0;
  update(report, watch.asOfMs ?? now());
  for (let polls = 1; ; polls += 1) {
    if (isDecided(report) || (watch.endsReady && canSwitch(report))) decided += 1;
    if (decided > (hasRole(report) ? 0 : SETTLING_POLLS)) return { report, end: 'decided' };
    const isUnasked = factsOf(report).awaits === 'verification';
    if (isUnasked && verify && hasItsRecords(report)) {
      report = await verify();
      polls = 0;
      update(report, now());
      continue;
    }
    if (isUnasked && (!look || now() >= endMs)) return { report, end: 'not_started' };
    if (countTroubles(report) >= (watch.sameTroubles ?? Number.POSITIVE_INFINITY)) {
      return { report, end: 'same_trouble' };
    }
    if (now() >= endMs) return { report, end: 'timeout' };
    const longestMs = isUnasked ? pauseBetweenLooks(now() - startMs) : watch.intervalMs;
    await sleep(Math.min(polls * BACKOFF_STEP_MS, longestMs, endMs - now()));
    const asOfMs = now();
    try {
      report = await (isUnasked && look ? look() : poll());
      failures = 0;
      update(report, asOfMs);
    } catch (error) {
      failures += 1;
      if (!maySucceedLater(error, failures)) throw error;
      watch.fail?.(error as Error);
    }
  }
}

/**
 * Counts how many checks in a row have found the same trouble. A check is known by its time; that of the first report was
 * made before the watch, perhaps in an earlier verification.
 */
function troubleCounter(first: DomainReport): (report: DomainReport) => number {
  let checkedAt = first.checkedAt;
  let trouble: string | undefined;
  let count = 0;
  return report => {
    if (report.checkedAt === checkedAt) return count;
    checkedAt = report.checkedAt;
    const found = faultOf(report);
    if (found === undefined) count = 0;
    else count = found === trouble ? count + 1 : 1;
    trouble = found;
    return count;
  };
}

/** The first live domain of a project becomes its primary one a moment after it went live. */
const SETTLING_POLLS = 2;

function hasRole({ role, projectPrimary }: DomainReport): boolean {
  return role !== 'also_serves' || projectPrimary !== null;
}

function isDecided(report: DomainReport): boolean {
  const { group } = factsOf(report);
  return isLive(report) || group === 'failed' || group === 'removing';
}

/** For the help of the commands whose exit code depends on the state of the domain. */
export const EXIT_CODES_TEXT = exitCodesText('live or ready to switch');

function exitCodesText(done: string): string {
  return `Exit codes: ${EXIT_CODES.done} ${done}, ${EXIT_CODES.error} error, ${EXIT_CODES.usage} usage error, ${EXIT_CODES.actionNeeded} action needed, ${EXIT_CODES.pending} still pending.`;
}

export function exitCodeOf(report: DomainReport): number {
  if (isLive(report) || canSwitch(report)) return EXIT_CODES.done;
  return needsAction(report) ? EXIT_CODES.actionNeeded : EXIT_CODES.pending;
}
