import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { relativeTime } from '../framework/readable-times.ts';
import { printable, prose, type Style } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';
import type { DomainSession } from './domain-session.ts';
import { certificateText, paintState, paintStatus, stateText } from './domain-text.ts';

/** What is printed while the command waits for a verification. */
interface VerificationView {
  update(report: DomainReport): void;
  /** Erases the view, because the result replaces it; after an interruption the view stays. */
  end(isInterrupted: boolean): void;
}

/** Prints to standard error: a view that is redrawn in place on a terminal, a line per change elsewhere. */
export async function verificationView(session: DomainSession, timeoutMs: number): Promise<VerificationView> {
  const canDraw = process.stderr.isTTY && process.env.TERM !== 'dumb';
  if (session.wantsJson) return { update: () => {}, end: () => {} };
  return canDraw ? liveView(session, timeoutMs) : plainView(session);
}

function plainView(session: DomainSession): VerificationView {
  let before: DomainReport | undefined;
  return {
    update(report) {
      const time = `${new Date().toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;
      for (const change of changesOf(before, report)) session.progress(`${time}  ${change}`);
      before = report;
    },
    end: () => {},
  };
}

const ERASE_LINE = '\u001b[K';

/** The elapsed time is redrawn every second, also without a new report. */
const TICK_MS = 1_000;

async function liveView(session: DomainSession, timeoutMs: number): Promise<VerificationView> {
  // Loaded here because no other command needs it.
  const { createLogUpdate } = await import('log-update');
  const redraw = createLogUpdate(process.stderr);
  const startedMs = Date.now();
  let latest: DomainReport | undefined;
  const draw = () => {
    const nowMs = Date.now();
    const waited = `${clock(nowMs - startedMs)} of ${clock(timeoutMs)}`;
    // Read at each redraw, because the terminal may have been resized.
    const style = session.styleOf(process.stderr);
    if (latest) redraw(frame(latest, style, waited, nowMs).join('\n'));
  };
  const ticking = setInterval(draw, TICK_MS);
  return {
    update(report) {
      latest = report;
      draw();
    },
    end(isInterrupted) {
      clearInterval(ticking);
      // The terminal has printed ^C below the view.
      if (isInterrupted) process.stderr.write(`\r${ERASE_LINE}`);
      else redraw.clear();
      redraw.done();
    },
  };
}

function frame(report: DomainReport, style: Style, waited: string, nowMs: number): string[] {
  const { domain, message, next, records, nextCheckAt } = report;
  const columns: Column<DomainRecord>[] = [
    { title: 'RECORD', value: record => record.purpose },
    { title: 'TYPE', value: record => record.type },
    { title: 'NAME', value: record => record.name, canShrink: true },
    {
      title: 'STATE',
      value: stateText,
      paint: (text, { state }) => paintState(state, style)(text),
    },
    { title: 'SEEN', value: record => record.observed.join(', '), canShrink: true },
  ];
  const nextCheck = nextCheckAt ? `Next check ${relativeTime(nextCheckAt, nowMs)}. ` : '';
  return [
    `${style.bold(domain)}  ${paintStatus(report, style)}  ${style.dim(waited)}`,
    ...new Set([message, ...next].map(text => prose(printable(text), style))),
    '',
    ...table(records, columns, { width: style.width, paintTitle: style.dim }).split('\n'),
    '',
    prose(`Certificate: ${certificateText(report)}`, style),
    style.dim(prose(`${nextCheck}Ctrl-C stops watching; the verification continues.`, style)),
  ];
}

/** Such as 2:05. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The differences between two reports, a line each; everything if there is no earlier report. */
export function changesOf(before: DomainReport | undefined, after: DomainReport): string[] {
  const lines: string[] = [];
  if (before?.status !== after.status) lines.push(`${after.domain} is ${after.status}: ${after.message}`);
  else if (before.message !== after.message) lines.push(after.message);
  for (const record of after.records) {
    const earlier = before?.records.find(({ name, type }) => name === record.name && type === record.type);
    if (recordText(earlier) !== recordText(record)) lines.push(recordText(record));
  }
  if (before === undefined || certificateText(before) !== certificateText(after)) {
    lines.push(`certificate: ${certificateText(after)}`);
  }
  return lines.map(printable);
}

function recordText(record: DomainRecord | undefined): string {
  if (record === undefined) return '';
  const { purpose, type, name, state, observed } = record;
  const seen = state !== 'ok' && observed.length > 0 ? ` (seen: ${observed.join(', ')})` : '';
  return `${purpose} record, ${type} ${name}: ${stateText(record)}${seen}`;
}
