import { domainToUnicode } from 'node:url';
import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import { READY_DAYS } from '../../../shared/domains/life/waits.ts';
import type {
  DomainRecord,
  DomainReport,
  DomainSummary,
  OwnerLink,
} from '../../../shared/operator/contract.ts';
import {
  canSwitch,
  curlCommand,
  isLive,
  isUnderway,
  needsAction,
  otherTroubles,
  recordsToCreate,
} from '../../operator/domains/domain-report.ts';
import { dueTime, exactTime, lastDayBefore, relativeTime } from '../../operator/readable-times.ts';
import { printable, prose, type Style, sections } from '../framework/style.ts';
import { type Column, factLines, table } from '../framework/table.ts';
import type { DomainSession } from './domain-session.ts';

/** The latest ones; the service keeps up to fifty. */
const SHOWN_HISTORY_ENTRIES = 8;

export function domainText(
  report: DomainReport,
  style: Style,
  session: DomainSession,
  nowMs: number,
  link: OwnerLink | null = null,
): string {
  const { group, mapping } = factsOf(report);
  const isLeaving = group === 'removing';
  const attention = mapping === 'mapped' && report.reason !== null ? ', but needs attention' : '';
  return sections(
    [
      `${style.bold(readableName(report.domain))}  ${paintStatus(report, style)}${attention}`,
      prose(printable(report.message), style),
    ],
    troubleLines(report, style),
    factLines(factsFor(report, nowMs), style),
    linkLines(link ? [link] : [], [report.domain, report.pair ?? []].flat(), style),
    recordLines([isLeaving ? { ...report, provider: null } : report], style),
    nextLines(report, session, style, nextSteps(report)),
    isLeaving ? [] : noteLines([report], style),
    historyLines(report, style),
  );
}

/** The links to send to whoever runs the DNS of these domains. */
export function linkLines(links: readonly OwnerLink[], domains: readonly string[], style: Style): string[] {
  const [first] = links;
  if (!first) return [];
  const what =
    links.length === 1
      ? `Send this to whoever runs the DNS of ${domains.map(readableName).join(' and ')}. It works`
      : 'Send each of these to whoever runs the DNS of its domain. They work';
  const notYet = 'The host of these pages is still being set up. They open in some minutes.';
  return [
    prose(`${what} until ${lastDayBefore(first.until)}:`, style),
    '',
    ...links.map(({ url }) => `  ${url}`),
    ...(first.isServed ? [] : ['', prose(notYet, style)]),
  ];
}

/** The record that solves the trouble that the message is about, then the other troubles with theirs. */
function troubleLines(report: DomainReport, style: Style): string[] {
  const { reason, troubles } = report;
  const others = otherTroubles(report);
  return [
    ...fixLines(reason === null ? null : troubles[0]?.fix, style),
    ...(others.length > 0 ? ['Also:'] : []),
    ...others.flatMap(trouble => [
      prose(printable(trouble.message), style, '  '),
      ...fixLines(trouble.fix, style),
    ]),
  ];
}

/** A record to add beside those of the domain, with values to copy. */
export function fixLines(fix: Fix | null | undefined, style: Style): string[] {
  if (!fix) return [];
  const columns: Column<Fix>[] = [
    { title: 'ADD', value: ({ type }) => type },
    { title: 'NAME', value: ({ label }) => label, paint: style.bold },
    { title: 'FULL NAME', value: ({ name }) => name },
    { title: 'VALUE', value: ({ value }) => value, paint: style.bold },
  ];
  return [table([fix], columns, style)];
}

type Fix = NonNullable<DomainReport['troubles'][number]['fix']>;

/** The next steps beside the message and the troubles, which say what to do about the records of a domain with a reason. */
export function nextSteps({ reason, next, todo }: DomainReport): readonly string[] {
  return reason === null ? next : todo.map(({ text }) => text);
}

export function paintStatus(report: DomainSummary, style: Style): string {
  if (isLive(report) || canSwitch(report)) return style.green(report.status);
  return (needsAction(report) ? style.red : style.yellow)(report.status);
}

function factsFor(report: DomainReport, nowMs: number): Parameters<typeof factLines>[0] {
  const { project, primary, redirect, role, reason, certificate, deadlines } = report;
  const { checkedAt, lookedAt, nextCheckAt, askedAt } = report;
  const at = (time: string | null | undefined, relative = relativeTime) =>
    time ? `${exactTime(time)} (${relative(time, nowMs)})` : undefined;
  const { group, awaits } = factsOf(report);
  const isWaiting = group === 'setting-up' && awaits !== 'switch';
  return [
    ['Project', `${project}${primary ? ' (primary domain)' : ''}`],
    ['Name', report.unicode === report.domain ? undefined : report.unicode],
    ['Redirects to', redirect && `https://${redirect.to} (${redirectText(redirect)})`],
    ['Role', role === 'also_serves' ? 'additional domain' : undefined],
    ['Reason', reason],
    ['DNS provider', providerText(report)],
    ['Certificate', certificateText(report)],
    ['Renewal', certificate.renewal && inWords(certificate.renewal)],
    ['Certificate ARN', certificate.arn],
    ['Checked', at(checkedAt)],
    ['Looked at', lookedAt === checkedAt ? undefined : at(lookedAt)],
    ['Next check', at(nextCheckAt, dueTime)],
    ['Owner asked', at(askedAt)],
    ['Checks end', isWaiting ? at(deadlines.verification) : undefined],
    ['Switch by', awaits === 'switch' ? at(deadlines.switch) : undefined],
  ];
}

/** Such as "301", or "301, once both are live". */
export function redirectText({
  status,
  isPending,
  isSuspended,
}: NonNullable<DomainReport['redirect']>): string {
  if (isSuspended) return `${status}, suspended`;
  return isPending ? `${status}, once both are live` : String(status);
}

export function certificateText({ certificate: { status, failure }, records }: DomainReport): string {
  const isGivenUp = records.some(({ purpose }) => purpose === 'certificate');
  const none = isGivenUp ? 'given up, requested again once the domain is verified' : 'not requested yet';
  return `${status ? inWords(status) : none}${failure ? ` (${failure})` : ''}`;
}

/** A constant of ACM, such as PENDING_VALIDATION. */
function inWords(constant: string): string {
  return constant.replaceAll('_', ' ').toLowerCase();
}

function providerText({ provider, nameServers }: DomainReport): string | undefined {
  return provider?.name ?? nameServers?.join(', ');
}

/**
 * The records of a domain, or of several: a table for each zone, and below it what DNS answers for those that are not ok
 * and how to create them.
 */
export function recordLines(reports: readonly DomainReport[], style: Style): string[] {
  const zones = Map.groupBy(reports, ({ domain, records: [first] }) => (first ? zoneOf(first) : domain));
  return [...zones].flatMap(([zone, inZone], index) => {
    const records = inZone.flatMap(report => report.records.map(record => shownRecord(report, record)));
    const wrong = records.filter(({ state, observed }) => state !== 'ok' && observed.length > 0);
    return [
      ...(index > 0 ? [''] : []),
      prose(`DNS records in the zone ${zone} (NAME is relative to it; @ is ${zone} itself):`, style),
      '',
      recordTable(records, style),
      ...(wrong.length > 0 ? [''] : []),
      ...wrong.map(({ type, name, observed }) =>
        prose(`Seen for ${type} ${name}: ${printable(observed.join(', '))}`, style),
      ),
      ...providerLines(inZone[0]?.provider, records, style),
    ];
  });
}

function providerLines(
  provider: DomainReport['provider'] | undefined,
  records: readonly ShownRecord[],
  style: Style,
): string[] {
  if (!provider || records.every(({ state }) => state === 'ok')) return [];
  return [
    '',
    prose(`How to create records at ${provider.name}: ${provider.link}`, style),
    ...[...provider.instructions, provider.choice ?? []].flat().map(line => prose(line, style, '  ')),
  ];
}

/** What to do about domains whose records are shown and have not been checked: first, next and last. */
export function creationSteps(
  all: readonly DomainReport[],
  session: DomainSession,
  style: Style,
  { isWaiting = false } = {},
): string[] {
  const reports = all.filter(({ detour }) => !detour);
  const names = reports.map(({ domain }) => domain);
  const isInUse = reports.some(({ switchLater }) => switchLater);
  const step = (text: string, ...commandLines: string[]) => [
    prose(text, style, '  '),
    ...commandLines.map(line => `     ${line}`),
  ];
  const verify = session.projectCommandLine(`domains verify ${names.join(' ')} --wait`);
  const verification = (text: string) =>
    isWaiting ? step('2. Wait: once the records are there, this command verifies them.') : step(text, verify);
  const { isLocal } = session.target;
  const apply = isLocal ? names.map(name => session.projectCommandLine(`dns apply ${name}`)) : [];
  const here = reports.some(isUndelegated) ? 'On this machine, with their zone:' : 'On this machine:';
  const atProvider = ` at your DNS provider.${apply.length > 0 ? ` ${here}` : ''}`;
  const creation = isInUse
    ? [
        ...step(
          `1. Leave the traffic record as it is, so your site isn't affected. Create the ownership and certificate records${atProvider}`,
          ...apply,
        ),
        ...verification('2. Verify, and wait until the domain is ready:'),
        ...step(
          `3. Within ${READY_DAYS} days, change the traffic record. The domain goes live within minutes.`,
        ),
      ]
    : [...step(`1. Create the records above${atProvider}`, ...apply), ...verification('2. Verify:')];
  return [
    'Next:',
    ...stepsBefore(reports, isLocal).flatMap(text => step(printable(text))),
    ...(reports.length > 0 ? creation : []),
    ...all.flatMap(report => detourLines(report, reports.length > 0 ? '3.' : '-', session, style)),
  ];
}

/** What to do instead about an apex that can't point here. `sign` comes before every way. */
function detourLines(report: DomainReport, sign: string, session: DomainSession, style: Style): string[] {
  const { domain, detour, todo } = report;
  const [first, ...others] = todo.flatMap(({ kind, text }) => (kind === 'detour' ? text : []));
  if (!detour || first === undefined) return [];
  const way = (text: string) => prose(`${sign} ${printable(text)}`, style, '  ');
  const words = [...(detour.isAdded ? [] : [`domains add ${detour.www}`]), `domains remove ${domain}`];
  const lines = words.map(each => `     ${session.projectCommandLine(each)}`);
  return [way(first), ...lines, ...others.map(way)];
}

/** The steps before the records can be created, such as the delegation of a zone. */
function stepsBefore(reports: readonly DomainReport[], isLocal: boolean): string[] {
  const steps = reports.flatMap(({ todo }) => todo);
  // Here, the command that creates the records delegates their zone, too.
  const isLeftOut = ({ kind }: (typeof steps)[number]) =>
    kind === 'hint' || (isLocal && kind === 'delegation');
  return [...new Set(steps.flatMap(each => (isLeftOut(each) ? [] : each.text)))];
}

/** Whether the domain has no name servers: it isn't registered, or its registrar lists none. */
function isUndelegated({ nameServers }: DomainReport): boolean {
  return nameServers?.length === 0;
}

export function nextLines(
  report: DomainReport,
  session: DomainSession,
  style: Style,
  next: readonly string[] = report.next,
): string[] {
  if (factsOf(report).awaits === 'verification') return creationSteps([report], session, style);
  const lines = commandLines(report, session);
  if (next.length === 0 && lines.length === 0) return [];
  return [
    'Next:',
    ...next.map(step => prose(printable(step), style, '  ')),
    ...(next.length > 0 && lines.length > 0 ? [''] : []),
    ...lines.map(line => `  ${line}`),
  ];
}

function commandLines(report: DomainReport, session: DomainSession): string[] {
  const { domain, project, role, projectPrimary } = report;
  const { edge } = session.target;
  const commandLine = (words: string) => session.projectCommandLine(words, project);
  if (isLive(report)) {
    return [
      ...(role === 'also_serves' && projectPrimary !== null
        ? [commandLine(`domains redirect ${domain} ${projectPrimary}`)]
        : []),
      ...(edge ? [curlCommand(`https://${domain}`, edge)] : []),
    ];
  }
  if (factsOf(report).group === 'removing') return [];
  const isProvider = session.target.isLocal && recordsToCreate(report).some(({ state }) => state !== 'ok');
  const what = isUndelegated(report) ? 'creates the zone and these records' : 'sets these records';
  return [
    ...(isProvider ? [`${commandLine(`dns apply ${domain}`)}   # ${what} on this machine`] : []),
    commandLine(isUnderway(report) ? `domains watch ${domain}` : `domains verify ${domain} --wait`),
  ];
}

/** What the owner should know besides the next steps. */
export function noteLines(reports: readonly DomainReport[], style: Style): string[] {
  const notes = [...new Set(reports.flatMap(report => report.notes))];
  return notes.length > 0 ? ['Notes:', ...notes.map(note => prose(printable(note), style, '  '))] : [];
}

function historyLines({ history, message }: DomainReport, style: Style): string[] {
  if (history.length === 0) return [];
  return [
    'History:',
    ...history.slice(-SHOWN_HISTORY_ENTRIES).map(({ at, status, what }) => {
      const time = exactTime(at);
      // The message is said above.
      const said = what === message ? `${status.charAt(0).toUpperCase()}${status.slice(1)}.` : what;
      const text = prose(printable(said), style, ' '.repeat(time.length + 4)).trimStart();
      return `  ${style.dim(time)}  ${text}`;
    }),
  ];
}

/** The records to create. No value is truncated, because people copy them. */
function recordTable(records: readonly ShownRecord[], style: Style): string {
  const columns: Column<ShownRecord>[] = [
    { title: 'PURPOSE', value: record => record.purpose },
    { title: 'TYPE', value: record => record.type },
    { title: 'NAME', value: record => record.label, paint: style.bold },
    { title: 'FULL NAME', value: record => record.name },
    {
      title: 'VALUE',
      value: record => (record.isLater ? '(known once the certificate is issued)' : record.value),
      paint: style.bold,
    },
    { title: 'TTL', value: record => String(record.ttl) },
    {
      title: 'STATE',
      value: record => record.stateText,
      paint: (text, record) => paintState(record, style)(text),
    },
  ];
  return table(records, columns, style);
}

function zoneOf({ name, label }: DomainRecord): string {
  return label === '@' ? name : name.slice(`${label}.`.length);
}

/** What is to be done about a record, where that says more than its state. */
const TODO_TEXTS: Partial<
  Record<NonNullable<DomainRecord['todo']>['kind'], (report: DomainReport) => string>
> = {
  switch: () => 'ready to switch',
  keep: () => 'switch last',
  later: () => 'later',
  forward: ({ detour }) => `not possible at ${detour?.provider}`,
};

export type ShownRecord = DomainRecord & { readonly stateText: string; readonly isWrong: boolean };

export function shownRecord(report: DomainReport, record: DomainRecord): ShownRecord {
  const { state, isChecked, todo } = record;
  const stateText = todo && TODO_TEXTS[todo.kind]?.(report);
  if (stateText) return { ...record, stateText, isWrong: false };
  const isWrong = state === 'mismatch' || state === 'conflict';
  const unchecked = report.lookedAt === report.checkedAt ? 'not checked' : 'not found yet';
  return { ...record, stateText: isChecked ? state : unchecked, isWrong };
}

export function paintState({ state, isWrong }: ShownRecord, style: Style): (text: string) => string {
  if (state === 'ok') return style.green;
  return isWrong ? style.red : style.yellow;
}

/** A domain as people read it: an international name in both forms, others as they are. */
export function readableName(domain: string): string {
  const written = printable(domainToUnicode(domain));
  return written === '' || written === domain ? domain : `${domain} (${written})`;
}
