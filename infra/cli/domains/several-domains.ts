import { setTimeout as sleep } from 'node:timers/promises';
import { NotADomain, readDomainName } from '../../../shared/domains/life/domain-name.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import {
  CommandError,
  EXIT_CODES,
  isTemporary,
  usageError,
} from '../../operator/connection/command-error.ts';
import { otherTroubles, siblingsOf } from '../../operator/domains/domain-report.ts';
import { pastedHost, takenHost } from '../../operator/domains/pasted-host.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import type { ChangeOptions } from '../framework/session.ts';
import { printable, prose, type Style, sections, truncateName } from '../framework/style.ts';
import { table } from '../framework/table.ts';
import { stoppable } from '../framework/terminal.ts';
import type { DomainSession } from './domain-session.ts';
import { paintStatus, readableName } from './domain-text.ts';

/** The argument of the commands that take several domains, as commander takes it. */
export const DOMAINS_ARGUMENT = '[domain...]';

export const SEVERAL_TEXT =
  'If you give several domains, they\'re processed a few at a time, within the limits of AWS. A table shows the results; the exit code is that of the worst one. Ctrl-C keeps what\'s done and prints the command for the rest. With --json you get an array, in which a refused domain has an "error".';

/** The names on the command line. A wrong one of several is refused before anything is done. */
export function readDomains(given: readonly string[], command: PetstoreCommand): readonly string[] {
  if (given.length === 0) {
    throw usageError(
      `${command.path} needs a domain.`,
      `Example: ${command.example}`,
      `Help: ${command.path} --help`,
    );
  }
  const hosts = given.map(readHost);
  // The operator function explains what is wrong with a single name.
  return hosts.length === 1 ? hosts : [...new Set(hosts.map(readName))];
}

/** Takes the host of a URL that was pasted, and says so. */
export function readHost(text: string): string {
  const host = pastedHost(text);
  if (host !== text) process.stderr.write(`${printable(takenHost(host))}\n`);
  return host;
}

/** The name as the service stores it. Names of the platform are refused by the service, which knows its domain. */
function readName(text: string): string {
  try {
    return readDomainName(text, []).domain;
  } catch (error) {
    if (!(error instanceof NotADomain)) throw error;
    throw usageError(`${printable(error.message)}. Nothing was done.`);
  }
}

/** What became of one of several domains. Without a report and an error, it was not its turn. */
export interface Outcome<Report extends DomainReport = DomainReport> {
  readonly domain: string;
  report?: Report;
  error?: CommandError;
  /** What could not be done for other domains of the project. */
  readonly warnings: string[];
}

/**
 * ACM accepts 5 certificate requests and 10 reads per second and account, API Gateway 10 calls: at most 4 domains are
 * begun per second. Domain names at API Gateway, one in 30 s, are up to the flow, which books slots for them.
 */
const AT_ONCE = 3;
export const START_INTERVAL_MS = 250;

/** Why the next domain would be refused, too. */
const REFUSES_ALL: readonly CommandError['reason'][] = [
  'project_unknown',
  'plan_required',
  'deploy_required',
  'platform_domain_required',
  'platform_domain_not_delegated',
  'too_many_unverified_domains',
];

/** Whether the other domains would meet the same error: it is about the project, the credentials or this machine. */
function concernsAll(error: CommandError): boolean {
  return error.reason === undefined ? !isTemporary(error) : REFUSES_ALL.includes(error.reason);
}

/**
 * Does the work for each domain, a few at a time, and keeps its report or error. Ends early after Ctrl-C, and after an
 * error that concerns all; what was begun is finished.
 */
export async function forEachOf<Report extends DomainReport>(
  outcomes: readonly Outcome<Report>[],
  stop: AbortSignal,
  work: (outcome: Outcome<Report>) => Promise<Report>,
  onDone: (outcome: Outcome<Report>, count: number) => void = () => {},
): Promise<void> {
  const queue = outcomes.values();
  let startAtMs = Date.now();
  let count = 0;
  let isOver = false;
  const doNext = async () => {
    for (const outcome of queue) {
      const waitMs = startAtMs - Date.now();
      startAtMs = Math.max(startAtMs, Date.now()) + START_INTERVAL_MS;
      if (waitMs > 0) await sleep(waitMs);
      if (isOver || stop.aborted) return;
      try {
        outcome.report = await work(outcome);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        outcome.error = error;
        isOver ||= concernsAll(error);
      }
      count += 1;
      onDone(outcome, count);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, doNext));
}

interface Several<Report extends DomainReport> {
  /** The words that do the same with the rest, such as `domains add`. */
  readonly command: string;
  /** Such as "added", also behind "not". */
  readonly done: string;
  work(domain: string, options: ChangeOptions): Promise<Report>;
  /** What follows once it is done for all; Ctrl-C ends it. */
  follow?(outcomes: readonly Outcome<Report>[], stop: AbortSignal): Promise<void>;
  /** What is printed below the table. */
  text?(reports: readonly Report[], style: Style): readonly (readonly string[])[];
  /** Whether the message of a report is printed below its line. */
  hasNote?(report: DomainReport): boolean;
  exitCode?(report: Report): number;
}

export async function doSeveral<Report extends DomainReport>(
  session: DomainSession,
  names: readonly string[],
  several: Several<Report>,
): Promise<void> {
  const outcomes: Outcome<Report>[] = names.map(domain => ({ domain, warnings: [] }));
  const work = async (stop: AbortSignal, signal: AbortSignal) => {
    await forEachOf(
      outcomes,
      stop,
      ({ domain, warnings }) => several.work(domain, { isConfirmed: true, warnings, part: domain, signal }),
      ({ domain, error }, count) =>
        session.progress(
          `${count} of ${names.length}: ${domain} ${error ? `${notDone(error)} ${several.done}: ${error.message}` : several.done}`,
        ),
    );
    const failure = outcomes.find(({ error }) => error && concernsAll(error))?.error;
    if (failure && !outcomes.some(({ report, error }) => report || error?.openRequestId)) throw failure;
    if (!stop.aborted) await several.follow?.(outcomes, stop);
    return stop.aborted;
  };
  const isInterrupted = await stoppable(work, () =>
    session.progress("Stopping: only what was begun is finished. Press Ctrl-C again if you can't wait."),
  );
  const reports = outcomes.flatMap(({ report }) => report ?? []);
  const left = outcomes.filter(
    ({ report, error }) =>
      !report && (!error || error.openRequestId || isTemporary(error) || concernsAll(error)),
  );
  const isOpen = left.some(({ error }) => error?.openRequestId);
  const again = `${several.command} ${left.map(({ domain }) => domain).join(' ')}${isOpen ? ` ${session.requestIdOption}` : ''}`;
  session.showReports(
    outcomes.map(outcome => jsonOf(outcome, several.done)),
    reports,
    style =>
      sections(
        [outcomeTable(outcomes, several, style)],
        ...(several.text?.(reports, style) ?? []),
        left.length === 0
          ? []
          : [
              prose(
                `${left.length} of ${names.length} domains ${left.length === 1 ? 'was' : 'were'} not ${several.done}${isOpen ? ", or it isn't known" : ''}. Continue with:`,
                style,
              ),
              '',
              `  ${session.projectCommandLine(again)}`,
            ],
      ),
  );
  session.endWith(isInterrupted ? EXIT_CODES.interrupted : worstOf(outcomes, several));
}

function notDone({ openRequestId }: CommandError): string {
  return openRequestId === undefined ? 'not' : 'may or may not be';
}

/** From the best to the worst. */
const SEVERITY: readonly number[] = [
  EXIT_CODES.done,
  EXIT_CODES.pending,
  EXIT_CODES.actionNeeded,
  EXIT_CODES.error,
];

function worstOf<Report extends DomainReport>(
  outcomes: readonly Outcome<Report>[],
  { exitCode = () => EXIT_CODES.done }: Several<Report>,
): number {
  const codes = outcomes.map(({ report, error }) => (report && !error ? exitCode(report) : EXIT_CODES.error));
  return SEVERITY.findLast(code => codes.includes(code)) ?? EXIT_CODES.done;
}

function jsonOf<Report extends DomainReport>(
  { domain, report, error, warnings }: Outcome<Report>,
  done: string,
) {
  if (report && !error) return warnings.length > 0 ? { ...report, warnings } : report;
  return { domain, error: error ?? new CommandError('not_done', `Not ${done}.`) };
}

/** What is wrong with a domain, the gravest first, or what it is waiting for. */
function messagesOf(report: DomainReport): string[] {
  return [report.message, ...otherTroubles(report).map(({ message }) => message)];
}

function outcomeTable<Report extends DomainReport>(
  outcomes: readonly Outcome<Report>[],
  { done, hasNote = () => false }: Several<Report>,
  style: Style,
): string {
  const rows = outcomes.flatMap(outcome => [
    outcome,
    ...siblingsOf(outcome.report).map(report => ({ domain: report.domain, report, error: undefined })),
  ]);
  type Row = (typeof rows)[number];
  const statusOf = ({ report, error }: Row) =>
    error ? (error.openRequestId ? 'unknown' : 'error') : (report?.status ?? `not ${done}`);
  return table<Row>(
    rows,
    [
      {
        title: 'DOMAIN',
        value: ({ domain }) => readableName(domain),
        paint: style.bold,
        canShrink: true,
        truncate: truncateName,
      },
      {
        title: 'STATUS',
        value: statusOf,
        paint: (text, { report, error }) =>
          error ? style.red(text) : report ? paintStatus(report, style) : style.yellow(text),
      },
    ],
    style,
    ({ report, error }) => {
      const lines = error
        ? [error.message, ...error.advice]
        : report && hasNote(report)
          ? messagesOf(report)
          : [];
      return lines.map(line => prose(printable(line), style, '  '));
    },
  );
}
