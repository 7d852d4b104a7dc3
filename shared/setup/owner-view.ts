import { readableTime } from '../domains/clock.ts';
import type { RecordFix } from '../domains/dns/caa.ts';
import { adviceText } from '../domains/dns/record-advice.ts';
import { fieldNames, type RecordEntry, recordEntry } from '../domains/dns/record-entry.ts';
import { zoneFile } from '../domains/dns/zone-file.ts';
import { shortened } from '../domains/life/domain.ts';
import { factsOfReason, RECORD_USES } from '../domains/life/domain-reason.ts';
import { factsOf } from '../domains/life/domain-status.ts';
import { factsOfTodo } from '../domains/life/todo.ts';
import type { DomainReport } from '../domains/report.ts';

/** The gravest first: of a pair, the page has the state of the one that needs most. */
const STATES = ['to do', 'switch', 'looking', 'ours', 'issuing', 'live'] as const;
export type OwnerState = (typeof STATES)[number];

/** A record as it's entered at the DNS provider, and what was seen of it. */
export interface OwnerRecord {
  readonly title: string;
  readonly use: string;
  /** The whole name. */
  readonly name: string;
  /** Undefined while it can't be entered yet. */
  readonly entry: RecordEntry | undefined;
  readonly state: 'right' | 'to do' | 'later';
  readonly word: string;
  readonly seen: readonly string[];
  /** Empty if there's nothing to say that the fields don't. */
  readonly advice: string;
}

/** What whoever runs the DNS of a domain sees of it. Each field is chosen: nothing else of a report is on the page. */
export interface OwnerView {
  /** The domain as people write it, or the two of a pair. */
  readonly names: readonly string[];
  /** Who asks for the records, as operators call the project; null if they call it by its id. */
  readonly askedBy: string | null;
  readonly state: OwnerState;
  readonly headline: string;
  /** What that means and what comes next, a paragraph each. */
  readonly details: readonly string[];
  readonly records: readonly OwnerRecord[];
  readonly provider: {
    readonly name: string;
    readonly link: string;
    readonly panel: string | undefined;
    readonly instructions: readonly string[];
  } | null;
  /** What the provider calls the fields for the name and the value. */
  readonly fields: readonly [name: string, value: string];
  /** The records to set, to be imported; undefined if there are none. */
  readonly zoneFile: string | undefined;
  /** Whether a look can show anything new, so that asking for one makes sense. */
  readonly canAsk: boolean;
  readonly checkedAt: string | null;
  readonly nextCheckAt: string | null;
}

type Seen = Pick<DomainReport, 'status' | 'reason' | 'detour'> & {
  readonly records: readonly Pick<DomainReport['records'][number], 'todo'>[];
  readonly troubles: readonly Pick<DomainReport['troubles'][number], 'fix'>[];
};

/** What the page says of a domain, by its status, its reason and its records. */
export function ownerState({ status, reason, records, troubles, detour }: Seen): OwnerState {
  const { group, awaits } = factsOf({ status, reason });
  const { onPage } = reason === null ? { onPage: null } : factsOfReason(reason);
  if (group === 'removing' || onPage === 'ours') return 'ours';
  const isOpen = records.some(({ todo }) => factsOfTodo(todo).isSet && todo?.kind !== 'switch');
  const isToDo = isOpen || detour !== null || troubles.some(({ fix }) => fix !== null);
  if (group === 'failed') return onPage === 'to do' ? 'to do' : 'ours';
  if (group === 'served') return onPage ?? 'live';
  if (onPage === 'to do' || isToDo) return 'to do';
  if (awaits === 'switch' && onPage === null) return 'switch';
  return awaits === null && onPage === null ? 'issuing' : 'looking';
}

/** The page of a domain, or of the apex and its www that belong together. */
export function ownerView(reports: readonly DomainReport[], askedBy: string | null): OwnerView {
  const states = reports.map(report => ({ report, state: ownerState(report) }));
  const state = STATES.find(each => states.some(known => known.state === each)) ?? 'ours';
  const about = states.filter(known => known.state === state).map(({ report }) => report);
  const [first] = reports;
  const provider = first?.provider ?? null;
  const records = state === 'ours' ? [] : reports.flatMap(report => recordsOf(report, reports.length > 1));
  const open = records.filter(record => record.state === 'to do');
  // What concerns several records, such as that the domain isn't registered, is said once. While the page only looks, what it
  // says of that is all.
  const texts = state === 'looking' ? [] : open.map(({ advice }) => advice);
  const repeated = [...new Set(texts.filter((text, index) => text !== '' && texts.indexOf(text) !== index))];
  const saidOnce = (record: OwnerRecord) =>
    state === 'looking' || repeated.includes(record.advice) ? { ...record, advice: '' } : record;
  const { headline, details } = said(state, about, open, askedBy ?? 'whoever sent you this link');
  const toSet = reports.flatMap(report =>
    open.length === 0 || report.detour ? [] : report.records.filter(isSet),
  );
  const times = (field: 'checkedAt' | 'nextCheckAt') => about.flatMap(each => each[field] ?? []).toSorted();
  return {
    names: reports.map(({ unicode }) => unicode),
    askedBy,
    state,
    headline,
    details: [...repeated, ...details],
    records: [...open, ...records.filter(record => record.state !== 'to do')].map(saidOnce),
    provider: provider && open.length > 0 ? hintOf(provider) : null,
    fields: fieldNames(provider),
    zoneFile:
      toSet.length > 0
        ? zoneFile({ domain: reports.map(({ domain }) => domain).join(' and '), records: toSet })
        : undefined,
    canAsk:
      ['to do', 'switch', 'looking'].includes(state) &&
      about.some(report => factsOf(report).group !== 'failed'),
    checkedAt: times('checkedAt').at(-1) ?? null,
    nextCheckAt: times('nextCheckAt')[0] ?? null,
  };
}

function hintOf({
  name,
  link,
  panel,
  instructions,
}: NonNullable<DomainReport['provider']>): OwnerView['provider'] {
  return { name, link, panel, instructions };
}

/** The heading of a state and what it means. `about`: the reports that are in it. */
function said(
  state: OwnerState,
  about: readonly DomainReport[],
  open: readonly OwnerRecord[],
  asker: string,
): Pick<OwnerView, 'headline' | 'details'> {
  const names = about.map(({ unicode }) => unicode).join(' and ');
  const are = about.length > 1 ? 'are' : 'is';
  const [report] = about;
  if (!report) throw new Error('There is no domain.');
  const own = about.flatMap(({ troubles, detour }) =>
    troubles.filter(({ reason }) => !detour && isExplained(reason)),
  );
  // What a verification that was given up says is for whoever can start another one.
  const isGivenUp = factsOf(report).group === 'failed';
  const messages = isGivenUp ? [] : own.map(({ message, fix }) => fix?.why ?? message);
  switch (state) {
    case 'to do':
      return {
        headline: openHeadline(open, own[0]?.title ?? `${names} needs you`),
        details: [
          ...messages.filter(text => !open.some(({ advice }) => advice === text)),
          ...toDo(about, open, asker),
        ],
      };
    case 'looking': {
      const spreading = about.flatMap(each => each.troubles.filter(({ todo }) => todo === null));
      return spreading[0]
        ? {
            headline: spreading[0].title,
            details: [spreading[0].message, ...(open.length > 0 ? [] : ["You don't need to do anything."])],
          }
        : {
            headline: 'Looking for your records',
            details: ["You don't need to do anything else. New records can take some minutes to be visible."],
          };
    }
    case 'issuing':
      return {
        headline: 'Your records are correct',
        details: [
          `You don't need to do anything else. The certificate of ${names} is being issued, usually within minutes.`,
        ],
      };
    case 'switch': {
      const by = report.deadlines.switch;
      return {
        headline: `${names} ${are} ready to switch`,
        details: [
          'Everything is prepared. Visitors reach the current site until you change the record below; then they come here.',
          `Change it whenever you like${by ? ` before ${readableTime(by)}` : ''}, then press Check now.`,
        ],
      };
    }
    case 'live':
      return {
        headline: `${names} ${are} live`,
        details: ["You're done. Keep these records: the certificate needs them to renew."],
      };
    case 'ours':
      return { headline: "We're on it", details: ['There is nothing for you to do.'] };
    default:
      return state satisfies never;
  }
}

function openHeadline(open: readonly OwnerRecord[], otherwise: string): string {
  const count = open.length === 1 ? 'one DNS record' : `${open.length} DNS records`;
  if (open.length === 0) return otherwise;
  const wrong = open.filter(({ seen }) => seen.length > 0).length;
  return `${wrong === 0 ? 'Create' : wrong === open.length ? 'Correct' : 'Set'} ${count}`;
}

function toDo(about: readonly DomainReport[], open: readonly OwnerRecord[], asker: string): string[] {
  const forwarded = about.flatMap(({ unicode, detour }) =>
    detour
      ? [
          `${detour.provider} has no ALIAS records, so ${unicode} itself can't point here. At ${detour.provider}, forward ${unicode} to https://${detour.www}.`,
        ]
      : [],
  );
  const delegation = about.flatMap(({ todo }) => todo.filter(({ kind }) => kind === 'delegation'));
  const served = about.filter(report => factsOf(report).group === 'served');
  const failed = about.some(report => factsOf(report).group === 'failed');
  const isIncomplete = about.some(
    report =>
      factsOf(report).group === 'setting-up' &&
      report.records.every(({ purpose }) => purpose !== 'certificate'),
  );
  const kept = about.filter(({ records }) => records.some(({ todo }) => todo?.kind === 'keep'));
  const isLast = about.every(({ records }) => records.every(({ todo }) => todo?.kind !== 'later'));
  const end = served.length > 0 ? 'The rest happens by itself.' : 'The domain goes live by itself.';
  const next =
    kept.length > 0
      ? 'Then this page says when to switch.'
      : isLast
        ? end
        : 'Then the last record, which leads visitors here, appears on this page.';
  const what = open.length === 1 ? 'the record' : 'the records';
  const then = failed
    ? `We've stopped checking. ${open.length > 0 ? "When you're done, tell" : 'Tell'} ${asker}, who can start again.`
    : `Set ${what} where your DNS is managed, then press Check now. ${next}`;
  return [
    ...new Set(delegation.map(({ text }) => text)),
    ...forwarded,
    ...served.map(({ unicode }) => `${unicode} went live, but its DNS has changed since then.`),
    ...(open.length > 0 || failed ? [then] : []),
    ...(isIncomplete && forwarded.length === 0
      ? ['One more record, for the certificate, appears here within minutes.']
      : []),
    ...kept.map(({ unicode }) => `Leave the current record of ${unicode} as it is for now.`),
  ];
}

/** Whether the message of a trouble is for whoever runs the DNS. What is wrong with a record stands beside it. */
function isExplained(reason: DomainReport['troubles'][number]['reason']): boolean {
  const { about, onPage } = factsOfReason(reason);
  return onPage === 'to do' && (about === 'caa' || about === 'renewal' || about === 'visitors');
}

function isSet({ todo }: DomainReport['records'][number]): boolean {
  return factsOfTodo(todo).isSet;
}

/** Whatever others have put into DNS, a page stays small. */
const MOST_SEEN = 3;
const LONGEST_SEEN = 80;
const LONGEST_ADVICE = 500;

/** `isOfPair`: the page has records of two domains. */
function recordsOf(report: DomainReport, isOfPair: boolean): OwnerRecord[] {
  const { provider, troubles, detour, unicode } = report;
  if (detour) return [];
  const fixes = troubles.flatMap(({ fix }) => fix ?? []).map(fix => fixRecord(fix, report));
  const own = report.records.map((record): OwnerRecord => {
    const { title, purpose, name, todo, state, isChecked, observed, advice, action } = record;
    const isRight = state === 'ok' || state === 'spreading';
    const isAsked = isSet(record) || todo?.kind === 'ask';
    const isWrong = isChecked && (state === 'mismatch' || state === 'conflict');
    // Whether a proxy may be kept depends on the project, which its operators know.
    const instructions = advice.filter(({ kind }) => kind !== 'keep_proxy');
    const isPlain = instructions.length === 1 && instructions[0]?.kind === 'create';
    return {
      title,
      use: isOfPair ? `${RECORD_USES[purpose]}: ${unicode}` : RECORD_USES[purpose],
      name,
      entry: 'isLater' in record || todo?.kind === 'keep' ? undefined : recordEntry(record, provider),
      state: isRight ? 'right' : isAsked ? 'to do' : 'later',
      word: isRight
        ? 'Found'
        : isChecked && todo?.kind === 'create'
          ? 'Missing'
          : todo
            ? WORDS[todo.kind]
            : 'Nothing to do',
      seen: isWrong ? observed.slice(0, MOST_SEEN).map(value => shortened(value, LONGEST_SEEN)) : [],
      advice:
        ((isChecked && isAsked) || todo?.kind === 'later') && !isPlain
          ? shortened(adviceText(instructions, record, { isBeside: true }) ?? action ?? '', LONGEST_ADVICE)
          : '',
    };
  });
  return [...fixes, ...own];
}

const WORDS: Readonly<Record<NonNullable<DomainReport['records'][number]['todo']>['kind'], string>> = {
  create: 'To create',
  correct: 'Different',
  switch: 'Ready to switch',
  keep: 'Leave as it is',
  later: 'Not yet',
  forward: 'Not possible here',
  ask: 'No answer',
};

function fixRecord(fix: RecordFix, { provider }: DomainReport): OwnerRecord {
  return {
    title: fix.type,
    use: 'Lets Amazon issue the certificate',
    name: fix.name,
    entry: recordEntry(fix, provider),
    state: 'to do',
    word: 'Missing',
    seen: [],
    advice:
      'Keep the CAA records that are there. If your DNS provider has one entry for all of them, add this value to it.',
  };
}
