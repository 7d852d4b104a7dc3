import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { canSwitch, isLive, otherTroubles } from '../../operator/domains/domain-report.ts';
import { dueTime, isOld, since } from '../../operator/readable-times.ts';
import { printable, prose, type Style, truncateName } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';
import { redrawnLines } from '../framework/terminal.ts';
import type { DomainSession } from './domain-session.ts';
import {
  certificateText,
  nextSteps,
  paintState,
  paintStatus,
  type ShownRecord,
  shownRecord,
} from './domain-text.ts';

interface VerificationView {
  /** `asOfMs`: when the report was asked for. */
  update(report: DomainReport, asOfMs: number): void;
  /** Why the reports are no longer updated. */
  fail(error: Error): void;
  /** Erases the view, because the result replaces it; after an interruption the view stays. */
  end(isInterrupted: boolean): void;
}

/** Prints to standard error: a view that is redrawn in place on a terminal, a line per change elsewhere. */
export function verificationView(
  session: DomainSession,
  timeoutMs: number,
  domainCount = 1,
): VerificationView {
  const canDraw = process.stderr.isTTY && process.env.TERM !== 'dumb';
  if (session.wantsJson) return { update: () => {}, fail: () => {}, end: () => {} };
  return canDraw ? liveView(session, timeoutMs) : plainView(session, domainCount);
}

/** The time that has passed is shown every second, also without a new report. */
const TICK_MS = 1_000;

function plainView(session: DomainSession, domainCount: number): VerificationView {
  const before = new Map<string, DomainReport>();
  const linesOf = domainCount === 1 ? changesOf : statusChanges;
  const freshness = new Freshness();
  let isSaid = false;
  const say = (line: string) =>
    session.progress(`${new Date().toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z  ${line}`);
  // Once, until the reports come in time again.
  const ticking = setInterval(() => {
    const age = freshness.ageText(Date.now());
    if (age && !isSaid) say(age);
    isSaid ||= age !== undefined;
  }, TICK_MS).unref();
  return {
    update(report, asOfMs) {
      isSaid &&= freshness.ageText(asOfMs) !== undefined;
      freshness.note(asOfMs);
      for (const line of linesOf(before.get(report.domain), report)) say(line);
      before.set(report.domain, report);
    },
    fail: error => freshness.fail(error),
    end: () => clearInterval(ticking),
  };
}

/** How old the latest report is. Domains that are watched together are read together. */
class Freshness {
  #asOfMs = Date.now();
  #error: Error | undefined;

  note(asOfMs: number): void {
    this.#asOfMs = asOfMs;
    this.#error = undefined;
  }

  fail(error: Error): void {
    this.#error = error;
  }

  /** What is going on, while the latest report is old; undefined otherwise. */
  ageText(nowMs: number): string | undefined {
    if (!isOld(this.#asOfMs, nowMs)) return undefined;
    const why = this.#error ? `${this.#error.message} Trying again.` : 'Waiting for a response.';
    return printable(`Updated ${since(this.#asOfMs, nowMs)}. ${why}`);
  }
}

function liveView(session: DomainSession, timeoutMs: number): VerificationView {
  const view = redrawnLines(process.stderr);
  const startedMs = Date.now();
  const latest = new Map<string, DomainReport>();
  const freshness = new Freshness();
  const draw = () => {
    const nowMs = Date.now();
    const waited = `${clock(nowMs - startedMs)} of ${clock(timeoutMs)}`;
    // Read at each redraw, because the terminal may have been resized.
    const style = session.styleOf(process.stderr);
    const [first, ...others] = latest.values();
    if (!first) return;
    const lines =
      others.length === 0
        ? frame(first, style, waited, nowMs)
        : frameOfSeveral([first, ...others], style, waited);
    const age = freshness.ageText(nowMs);
    view.draw([...lines, ...(age ? [prose(age, style)] : [])].flatMap(line => line.split('\n')));
  };
  const ticking = setInterval(draw, TICK_MS);
  return {
    update(report, asOfMs) {
      latest.set(report.domain, report);
      freshness.note(asOfMs);
      draw();
    },
    fail: error => freshness.fail(error),
    end(isInterrupted) {
      clearInterval(ticking);
      // The terminal has printed ^C below the view, which stays.
      if (!isInterrupted) view.clear();
      view.end();
    },
  };
}

function frame(report: DomainReport, style: Style, waited: string, nowMs: number): string[] {
  const { domain, message, records, nextCheckAt } = report;
  const isUnasked = factsOf(report).awaits === 'verification';
  const said = isUnasked
    ? ['Waiting for the records. Once they are there, they are verified.']
    : [message, ...otherTroubles(report).map(trouble => trouble.message), ...nextSteps(report)];
  const columns: Column<ShownRecord>[] = [
    { title: 'RECORD', value: record => record.purpose },
    { title: 'TYPE', value: record => record.type },
    { title: 'NAME', value: record => record.name, canShrink: true },
    {
      title: 'STATE',
      value: record => record.stateText,
      paint: (text, record) => paintState(record, style)(text),
    },
    { title: 'SEEN', value: record => record.observed.join(', '), canShrink: true },
  ];
  const nextCheck = nextCheckAt ? `Next check ${dueTime(nextCheckAt, nowMs)}. ` : '';
  return [
    `${style.bold(domain)}  ${paintStatus(report, style)}  ${style.dim(waited)}`,
    ...said.map(text => prose(printable(text), style)),
    '',
    ...table(
      records.map(record => shownRecord(report, record)),
      columns,
      style,
    ).split('\n'),
    '',
    prose(`Certificate: ${certificateText(report)}`, style),
    style.dim(prose(isUnasked ? 'Ctrl-C stops waiting.' : `${nextCheck}${STOPS_WATCHING}`, style)),
  ];
}

/** Few enough for a terminal of 24 lines, with what is above and below them. */
const SHOWN_DOMAINS = 15;

/** The domains that are neither live nor ready yet, a line each. */
function frameOfSeveral(reports: readonly DomainReport[], style: Style, waited: string): string[] {
  const waiting = reports.filter(report => !isLive(report) && !canSwitch(report));
  const columns: Column<DomainReport>[] = [
    {
      title: 'DOMAIN',
      value: ({ domain }) => domain,
      paint: style.bold,
      canShrink: true,
      truncate: truncateName,
    },
    { title: 'STATUS', value: ({ status }) => status, paint: (_, report) => paintStatus(report, style) },
    { title: 'MESSAGE', value: ({ message }) => message, canShrink: true },
  ];
  const hidden = waiting.length - SHOWN_DOMAINS;
  return [
    `${reports.length - waiting.length} of ${reports.length} ready or live  ${style.dim(waited)}`,
    '',
    ...table(waiting.slice(0, SHOWN_DOMAINS), columns, style).split('\n'),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
    '',
    style.dim(prose(STOPS_WATCHING, style)),
  ];
}

const STOPS_WATCHING = 'Ctrl-C stops watching; the verification continues.';

/** Such as 2:05. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The differences between two reports, a line each; everything if there is no earlier report. */
export function changesOf(before: DomainReport | undefined, after: DomainReport): string[] {
  const lines = statusChanges(before, after);
  if (lines.length === 0 && before?.message !== after.message) lines.push(after.message);
  for (const record of after.records) {
    const earlier = before?.records.find(({ name, type }) => name === record.name && type === record.type);
    // What a look has found stays, until a check says more.
    if (earlier?.isChecked && !record.isChecked) continue;
    const text = recordText(shownRecord(after, record));
    if (!before || !earlier || recordText(shownRecord(before, earlier)) !== text) lines.push(text);
  }
  if (before === undefined || certificateText(before) !== certificateText(after)) {
    lines.push(`certificate: ${certificateText(after)}`);
  }
  return lines.map(printable);
}

function statusChanges(before: DomainReport | undefined, after: DomainReport): string[] {
  if (before?.status === after.status) return [];
  // The result of the command says more of a domain that is live.
  if (isLive(after)) return [`${after.domain}: live`];
  // The message of a domain that is ready begins with that word.
  const status = canSwitch(after) ? '' : `${after.status}. `;
  return [printable(`${after.domain}: ${status}${after.message}`)];
}

function recordText({ purpose, type, name, state, stateText, observed }: ShownRecord): string {
  const seen = state !== 'ok' && observed.length > 0 ? ` (seen: ${observed.join(', ')})` : '';
  return `${purpose} record, ${type} ${name}: ${stateText}${seen}`;
}
