import { adviceText } from '../../../../shared/domains/dns/record-advice.ts';
import { type RecordEntry, recordEntry } from '../../../../shared/domains/dns/record-entry.ts';
import {
  type DomainReason,
  factsOfReason,
  hasVisitors,
  RECORD_USES,
} from '../../../../shared/domains/life/domain-reason.ts';
import { type DomainStatus, factsOf, statusOf } from '../../../../shared/domains/life/domain-status.ts';
import { factsOfTodo, waitsForRecords } from '../../../../shared/domains/life/todo.ts';
import type { DomainRecord, DomainReport, DomainSummary } from '../../../../shared/operator/contract.ts';
import {
  canSwitch,
  hasItsRecords,
  isLive,
  needsAction,
  type Routing,
  recordsToCreate,
} from '../../../operator/domains/domain-report.ts';

/** What the page shows of a domain, computed from its report. */

/** A state's color and icon. Words always say the state, too. */
export type Tone = 'ok' | 'attention' | 'progress' | 'bad' | 'muted';

export interface StateWords {
  readonly tone: Tone;
  readonly words: string;
}

/** The state of a domain in plain words. */
export function domainState(report: DomainSummary): StateWords {
  return VIEWS[statusOf(report)].state(report);
}

type Trouble = DomainReport['troubles'][number];

/** A time that matters for a trouble, and what happens then. */
interface Deadline {
  readonly words: string;
  readonly at: string;
}

/** A trouble of a domain: what's wrong and what to do, each in a sentence. Records are only in the table. */
export interface ShownTrouble {
  readonly title: string;
  readonly text: string;
  readonly deadline?: Deadline | undefined;
  readonly remedy?: Remedy | undefined;
}

/** What the page does about a trouble with one click, or takes along. */
export type Remedy =
  | { readonly kind: 'copy'; readonly label: string; readonly what: string; readonly text: string }
  /** A quota at AWS that has to be raised. */
  | { readonly kind: 'quota'; readonly quota: string }
  /** The project lacks the plan or the deploy. */
  | { readonly kind: 'project' }
  /** Another project has the domain. */
  | { readonly kind: 'move' };

/**
 * What keeps a domain from being live, the gravest first, without repeating what the table's rows say. For a domain that can be
 * switched, that it can.
 */
export function shownTroubles(report: DomainReport): readonly ShownTrouble[] {
  if (report.records.some(({ todo }) => todo?.kind === 'switch')) {
    const then = report.steps.flatMap(({ kind, text }) => (kind === 'switch' ? text : []));
    const text = [instruction(openRows(report), report), ...then].join(' ');
    const deadline = deadlineOf('Switch before', report.deadlines.switch);
    return [{ title: 'Ready to switch', text, deadline, remedy: copyOf(openRows(report)) }];
  }
  const [first, ...others] = report.troubles;
  if (!first) return [];
  const troubles = [first, ...others.filter(({ todo }) => todo?.kind !== 'records')].map(trouble => ({
    title: trouble.title,
    text: textOf(trouble, report),
    deadline: deadlineFor(trouble, report),
    remedy: remedyOf(trouble, report),
  }));
  // A fault of the name servers concerns every record: show it once.
  return troubles.filter(({ title }, index) => troubles.findIndex(other => other.title === title) === index);
}

/** The records to create or correct now. Where it's one, the box says how, and the table doesn't. */
export function openRows(report: DomainReport): readonly RecordRow[] {
  return recordRows(report).filter(({ isOpen }) => isOpen);
}

/** What to do about the records that are open. */
function instruction(open: readonly RecordRow[], report: DomainReport): string {
  const [first] = open;
  if (open.length === 1 && first?.instruction) return first.instruction;
  const verb = open.every(({ isMissing }) => isMissing) ? 'Create' : 'Correct';
  const where = report.provider?.name ?? 'your DNS provider';
  return `${verb} the ${open.length} records below at ${where}.${thenOf(report)}`;
}

/** What follows the records of a domain that isn't being verified. */
function thenOf(report: DomainReport): string {
  return factsOf(report).flow === null && !canSwitch(report) ? ' Then re-verify.' : '';
}

function textOf({ reason, message, todo }: Trouble, report: DomainReport): string {
  const open = openRows(report);
  if (todo?.kind === 'records') return instruction(open, report);
  if (reason === 'takeover_announced' && open.length > 0) {
    return `Its DNS records are gone, and another project has proven that it owns the domain. ${instruction(open, report)}`;
  }
  if (reason === 'takeover_pending' && report.deadlines.takeover) {
    return 'Another project owns the domain, but its DNS records are gone. Keep your TXT record until then.';
  }
  const traffic = report.records.find(({ purpose }) => purpose === 'traffic');
  return (todo?.kind === 'forward' && traffic?.action) || message;
}

function remedyOf({ reason, todo, quota }: Trouble, report: DomainReport): Remedy | undefined {
  if (todo?.kind === 'records') return copyOf(openRows(report));
  if (quota) return { kind: 'quota', quota };
  const { about } = factsOfReason(reason);
  if (about === 'project') return { kind: 'project' };
  return about === 'claim' && factsOf(report).group === 'failed' ? { kind: 'move' } : undefined;
}

/** Whether a button of the box is the next step, and not a verification. */
export function isSolvedInBox(report: DomainReport): boolean {
  return shownTroubles(report).some(({ remedy }) => remedy !== undefined && remedy.kind !== 'copy');
}

/** Takes along the value of the record that is to be set, if it's one. */
function copyOf([row, ...others]: readonly RecordRow[]): Remedy | undefined {
  if (!row?.value || others.length > 0) return undefined;
  const { type, value } = row.entry;
  return type === 'CAA'
    ? { kind: 'copy', label: 'Copy the CAA record', what: 'the CAA record', text: value }
    : { kind: 'copy', label: 'Copy the value', what: `the value of the ${type} record`, text: value };
}

function deadlineFor({ reason }: Trouble, report: DomainReport): Deadline | undefined {
  const { deadlines, certificate } = report;
  if (reason === 'takeover_announced') return deadlineOf('You lose the domain on', deadlines.takeover);
  if (reason === 'takeover_pending') return deadlineOf('The domain becomes yours on', deadlines.takeover);
  const { about } = factsOfReason(reason);
  const isAboutRenewal = about === 'certificate' || about === 'caa' || about === 'renewal';
  return isAboutRenewal && statusView(report).isServed
    ? deadlineOf('The certificate is valid until', certificate.expiresAt)
    : undefined;
}

function deadlineOf(words: string, at: string | null): Deadline | undefined {
  return at ? { words, at } : undefined;
}

/** Why a domain isn't live or needs attention, in a few words; undefined without a reason. */
export function reasonWords({ reason, title }: Pick<DomainSummary, 'reason' | 'title'>): string | undefined {
  return title ?? (reason === null ? undefined : factsOfReason(reason).title);
}

interface StatusView {
  readonly state: (report: DomainSummary) => StateWords;
  /** The label of the verify button; null if nothing can be verified. */
  readonly verify: 'Verify' | 'Re-verify' | null;
  readonly canRemove: boolean;
}

const always = (tone: Tone, words: string) => () => ({ tone, words });
const verifiedAgain = { verify: 'Re-verify', canRemove: true } as const;

const VIEWS: Readonly<Record<DomainStatus, StatusView>> = {
  pending_dns: {
    state: report => ({
      tone: 'attention',
      words: isCreated(report) ? 'Not verified yet' : 'Waiting for DNS records',
    }),
    verify: 'Verify',
    canRemove: true,
  },
  verifying: { ...verifiedAgain, state: verifyingState },
  issuing: { ...verifiedAgain, state: issuingState },
  ready: {
    ...verifiedAgain,
    state: report => {
      if (!canSwitch(report)) return { tone: 'attention', words: 'Not ready to switch' };
      return isCreated(report)
        ? { tone: 'progress', words: 'Switched, not checked yet' }
        : { tone: 'ok', words: 'Ready to switch' };
    },
  },
  live: { ...verifiedAgain, state: always('ok', 'Live') },
  needs_attention: { ...verifiedAgain, state: servedState },
  failed: {
    ...verifiedAgain,
    state: ({ reason }) => ({
      tone: 'bad',
      words: reason === 'not_switched' ? 'Not switched in time' : 'Setup failed',
    }),
  },
  removing: { state: always('muted', 'Being removed'), verify: null, canRemove: false },
  stalled: { state: always('bad', 'Removal stalled'), verify: null, canRemove: true },
};

function verifyingState(report: DomainSummary): StateWords {
  if (needsAction(report)) return attention(report, 'DNS records need attention');
  const isUnknown = report.reason !== null && factsOfReason(report.reason).state === 'unreachable';
  return { tone: isUnknown ? 'attention' : 'progress', words: reasonWords(report) ?? 'Checking DNS' };
}

function issuingState(report: DomainSummary): StateWords {
  if (needsAction(report)) return attention(report, 'Certificate needs attention');
  const isIssued = report.certificate.status === 'ISSUED';
  return { tone: 'progress', words: isIssued ? 'Attaching the domain' : 'Issuing the certificate' };
}

/** The state of a live domain with a trouble: whether its visitors notice, or will soon. */
function servedState(report: DomainSummary): StateWords {
  const { reason } = report;
  if (reason === 'takeover_announced') return { tone: 'bad', words: 'Being taken over' };
  if (!hasVisitors({ reason })) return { tone: 'bad', words: "Visitors don't arrive" };
  return { tone: 'attention', words: 'Live, needs attention' };
}

const NEEDS_OPERATOR = 'Waiting for an operator';

/** What keeps a domain from going live, as its state. */
function attention({ reason, records }: DomainSummary, words: string): StateWords {
  if (records.some(({ todo }) => todo?.kind === 'forward')) {
    return { tone: 'attention', words: "Can't point here" };
  }
  const facts = reason && factsOfReason(reason);
  if (facts?.tellsOperators) return { tone: 'attention', words: NEEDS_OPERATOR };
  if (facts?.about === 'project') return { tone: 'attention', words: 'Project needs attention' };
  const isInDns = facts?.state !== undefined || facts?.about === 'caa';
  return { tone: 'attention', words: isInDns ? 'DNS records need attention' : words };
}

/** What a domain's status means for the page, and what can be done. */
export function statusView(report: Pick<DomainSummary, 'status' | 'reason'>) {
  const { group, flow, awaits } = factsOf(report);
  const { verify, canRemove } = VIEWS[statusOf(report)];
  return {
    isServed: group === 'served',
    isBeingRemoved: group === 'removing',
    flow,
    awaits,
    verify,
    canRemove,
  };
}

/** The report of a domain that waits for records, with those that a look has found since its last check. */
export function withFound(report: DomainReport, looked: DomainReport | undefined): DomainReport {
  const namesOf = ({ records }: DomainReport) => records.map(({ type, name }) => `${type} ${name}`);
  const isSame = looked?.checkedAt === report.checkedAt && namesOf(looked).join() === namesOf(report).join();
  if (!looked || !isSame) return report;
  // A command has changed what is to become of it since the look.
  return looked.status === report.status ? looked : { ...report, records: looked.records };
}

/** A verification that looks for the records by itself within this time need not be started again. */
const SOON_MS = 15_000;

/** Whether all records are there that the domain waits for, so that a verification gets it further. */
export function canGoOn(report: DomainReport, looked: DomainReport | undefined, nowMs: number): boolean {
  const { flow, verify } = statusView(report);
  const isAwaited = waitsForRecords(report.records) && looked !== undefined && verify !== null;
  const isSoon = flow !== null && !(Date.parse(report.nextCheckAt ?? '') > nowMs + SOON_MS);
  return isAwaited && !isSoon && hasItsRecords(withFound(report, looked));
}

/** Whether the records of a domain are there, although no check has found them (withFound). */
function isCreated(report: DomainSummary): boolean {
  const toCreate = recordsToCreate(report);
  return toCreate.length > 0 && toCreate.every(({ state }) => state === 'ok');
}

/** Whether the next step is to verify: for the first time, or after somebody did what was needed. */
export function isVerifyNext(report: DomainReport): boolean {
  const { awaits, verify } = statusView(report);
  return verify !== null && !report.detour && (awaits === 'verification' || needsAction(report));
}

/** A row of the records table: a record of the domain, or one that solves a trouble. */
export interface RecordRow {
  readonly title: string;
  readonly why: string;
  /** The whole name, which the provider may want to be shorter. */
  readonly name: string;
  /** The value without what the provider wants around it; undefined while it isn't known. */
  readonly value: string | undefined;
  /** What is entered at the provider. */
  readonly entry: RecordEntry;
  readonly state: StateWords;
  readonly observed: readonly string[];
  /** Whether the owner has to create or change it now. */
  readonly isOpen: boolean;
  readonly isMissing: boolean;
  /** What to do about it: beside its fields, and where it stands alone, with what follows. */
  readonly advice: string | undefined;
  readonly instruction: string | undefined;
}

/** The DNS records of a domain; those that need something done come first. */
export function recordRows(report: DomainReport): readonly RecordRow[] {
  const own = report.records.map(record => ownRow(record, report));
  const fixes = report.troubles.flatMap(({ fix, message }) =>
    fix && !own.some(({ value }) => value === fix.value) ? [fixRow(fix, message, report)] : [],
  );
  return openFirst([...fixes, ...own]);
}

function openFirst(rows: readonly RecordRow[]): readonly RecordRow[] {
  return [...rows.filter(({ isOpen }) => isOpen), ...rows.filter(({ isOpen }) => !isOpen)];
}

function fixRow(
  fix: NonNullable<Trouble['fix']>,
  instruction: string,
  { provider }: DomainReport,
): RecordRow {
  return {
    title: fix.type,
    why: 'Lets Amazon issue the certificate',
    name: fix.name,
    value: fix.value,
    entry: recordEntry(fix, provider),
    state: recordState({ state: 'missing', action: '', isChecked: true }),
    observed: [],
    isOpen: true,
    isMissing: true,
    advice: fix.why,
    instruction,
  };
}

function ownRow(record: DomainRecord, report: DomainReport): RecordRow {
  const { purpose, title, type, name, state, observed, action, todo, isLater } = record;
  // A record that a trouble is about and that wasn't looked for is missing.
  const isNamed = report.troubles.some(({ reason }) => isAbout(reason, purpose));
  const isChecked = record.isChecked || (state !== 'ok' && isNamed);
  const isOpen = isChecked && factsOfTodo(todo).isSet;
  const { isBeingRemoved } = statusView(report);
  // Explain an ALIAS before the first check, too.
  const hasAdvice = isOpen || (type === 'ALIAS' && !isChecked && !report.detour);
  return {
    title,
    why: isBeingRemoved ? '' : RECORD_USES[purpose],
    name,
    value: isLater ? undefined : record.value,
    entry: recordEntry(record, report.provider),
    state: isBeingRemoved
      ? { tone: 'muted', words: 'To delete' }
      : ((todo && TODO_STATES[todo.kind]) ??
        recordState({ ...record, isChecked, isLookedFor: report.lookedAt !== report.checkedAt })),
    observed: isChecked && state !== 'ok' ? observed : [],
    isOpen,
    isMissing: state === 'missing',
    advice: hasAdvice
      ? (adviceText(record.advice, record, { isBeside: true }) ?? action ?? undefined)
      : undefined,
    instruction: action === null ? undefined : `${action}${thenOf(report)}`,
  };
}

/** Whether a reason is about the record of this purpose. */
function isAbout(reason: DomainReason, purpose: DomainRecord['purpose']): boolean {
  return factsOfReason(reason).about === purpose;
}

/** What to do about a record, where that says more than its state. */
const TODO_STATES: Partial<Record<NonNullable<DomainRecord['todo']>['kind'], StateWords>> = {
  switch: { tone: 'attention', words: 'Switch now' },
  keep: { tone: 'muted', words: 'Switch last' },
  later: { tone: 'muted', words: 'Not needed yet' },
  forward: { tone: 'muted', words: 'Not possible' },
};

/** The state of a DNS record in plain words. */
function recordState({
  state,
  action,
  isChecked,
  isLookedFor,
}: Pick<DomainRecord, 'state' | 'action' | 'isChecked'> & { isLookedFor?: boolean }): StateWords {
  if (!isChecked) return { tone: 'muted', words: isLookedFor ? 'Not found yet' : 'Not checked' };
  if (state === 'ok') return { tone: 'ok', words: 'Found' };
  if (state === 'spreading' || action === null) return { tone: 'progress', words: 'Propagating' };
  switch (state) {
    case 'missing':
      return { tone: 'attention', words: 'Missing' };
    case 'mismatch':
      return { tone: 'bad', words: 'Different value' };
    case 'conflict':
      return { tone: 'bad', words: 'Blocked' };
    case 'unreachable':
      return { tone: 'attention', words: 'No DNS answer' };
  }
}

export interface TimelineStep {
  readonly title: string;
  /** `waiting`: the next move is the owner's, or an operator's. */
  readonly state: 'done' | 'current' | 'waiting' | 'blocked' | 'todo';
  /** What there is to say of it besides a time. */
  readonly words: string;
  readonly at: string | null;
}

/** The steps from a claim to the first response over HTTPS. */
export function timelineOf(report: DomainReport): TimelineStep[] {
  const { milestones } = report;
  const steps = [
    { title: 'Added', at: milestones.addedAt },
    { title: 'DNS verified', at: milestones.verifiedAt },
    { title: 'Certificate issued', at: milestones.issuedAt },
    { title: 'Attached', at: milestones.attachedAt },
    { title: 'Live', at: milestones.liveAt },
  ];
  // All steps before the last known time are done.
  const next = 1 + steps.findLastIndex(({ at }) => at !== null);
  const { group, awaits, flow } = factsOf(report);
  const isWaiting = needsAction(report) || (awaits === 'switch' && !isCreated(report));
  const nextState = group === 'failed' ? 'blocked' : isWaiting ? 'waiting' : 'current';
  const wait =
    domainState(report).words === NEEDS_OPERATOR ? NEEDS_OPERATOR.toLowerCase() : 'waiting for you';
  const words = {
    done: 'done',
    // Nothing runs before a verification was asked for, nor between the looks at a domain that is ready.
    current: flow === null ? 'not checked yet' : 'in progress',
    waiting: wait,
    blocked: 'failed',
    todo: 'pending',
  };
  return steps.map(({ title, at }, index) => {
    const state = index < next ? 'done' : index === next ? nextState : 'todo';
    return { title, state, words: words[state], at };
  });
}

interface Advice {
  readonly title: string;
  readonly lines: readonly string[];
  /** A command to paste. */
  readonly command?: string;
}

/** How long after going live a browser may still have the old certificate or none. */
const FRESH_MS = 60 * 60 * 1000;

/** Whether a domain just went live. */
export function isFresh({ milestones }: DomainReport, nowMs: number): boolean {
  const { liveAt } = milestones;
  return liveAt !== null && nowMs - Date.parse(liveAt) < FRESH_MS;
}

/** Hints for a live domain. */
export function adviceFor(report: DomainReport, nowMs: number): Advice[] {
  return [...browserAdvice(report, nowMs), ...redirectAdvice(report)];
}

function browserAdvice(report: DomainReport, nowMs: number): Advice[] {
  if (!isLive(report) || report.redirect || !isFresh(report, nowMs)) return [];
  return [
    {
      title: 'Seeing a privacy warning?',
      lines: ['Your browser may remember an old certificate. Retry in a private window in a few minutes.'],
    },
  ];
}

function redirectAdvice(report: DomainReport): Advice[] {
  const { domain, redirect } = report;
  if (!statusView(report).isServed || !redirect) return [];
  return [
    {
      title: 'Seeing an old redirect?',
      lines: ['Browsers remember redirects. This shows the current one:'],
      command: `curl -sI https://${domain}`,
    },
  ];
}

/** Where a domain can redirect to: live domains that serve the project themselves, the primary first. */
export function redirectTargets(domain: string, { liveDomains, primary, redirects }: Routing): string[] {
  return liveDomains
    .filter(live => live !== domain && !redirects.some(({ from }) => from === live))
    .toSorted((left, right) => Number(right === primary) - Number(left === primary));
}

/** The records as text to paste into an email or a spreadsheet: a line each, the fields separated by tabs. */
export function recordLines(rows: readonly RecordRow[]): string {
  const known = rows.filter(({ value }) => value !== undefined);
  return known.map(({ name, value, entry: { type, ttl } }) => [type, name, value, ttl].join('\t')).join('\n');
}
