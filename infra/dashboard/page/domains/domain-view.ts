import { type DomainStatus, explicitStatus, factsOf } from '../../../../shared/domains/life/domain-status.ts';
import type { DomainRecord, DomainReport, DomainSummary } from '../../../../shared/operator/contract.ts';
import { canSwitch, isLive, needsAction, type Routing } from '../../../cli/domains/domain-report.ts';

/** What the page shows of a domain, computed from its report. */

/** The color and the icon of a state. Every state is also said in words. */
export type Tone = 'ok' | 'attention' | 'progress' | 'bad' | 'muted';

export interface StateWords {
  readonly tone: Tone;
  readonly words: string;
}

/** The state of a domain in plain words. */
export function domainState(report: DomainSummary): StateWords {
  return VIEWS[explicitStatus(report)].state(report);
}

/** Reasons that the owner of a domain can do nothing about. */
const FOR_OPERATORS: readonly (Reason | null)[] = [
  'api_gone',
  'attachment_refused',
  'gateway_busy',
  'domain_name_foreign',
  'domain_name_gone',
  'domain_name_recertified',
  'mapping_changed',
  'host_record_changed',
  'certificate_in_use',
  'flow_ended',
  'internal_error',
];

/** The record that a reason is about. */
function purposeOf(reason: Reason | null): DomainRecord['purpose'] | undefined {
  const [, purpose] = /^(traffic|ownership|certificate)_record_/.exec(reason ?? '') ?? [];
  return purpose as DomainRecord['purpose'] | undefined;
}

/** Something that is wrong with a domain, as its report has it. */
interface Trouble {
  readonly reason: Reason;
  readonly message: string;
  readonly fix?: RecordToCopy | null;
  readonly quota?: string | undefined;
}

/** A record that solves a problem. `purpose`: that of a record of the domain's own, which the table below shows. */
export interface RecordToCopy extends Pick<DomainRecord, 'label' | 'value'> {
  readonly type: string;
  readonly purpose?: DomainRecord['purpose'];
  readonly observed?: readonly string[];
}

/** Something that is wrong with a domain, and how to fix it. The text names no record that is beside it to be copied. */
export interface Problem {
  readonly title: string;
  readonly text: string;
  readonly records: readonly RecordToCopy[];
  /** The record of the domain that it is about, if there is one and it is not to be copied. */
  readonly about?: DomainRecord['purpose'] | undefined;
  /** The quota at AWS that an operator has to raise. */
  readonly quota?: string | undefined;
}

/**
 * Everything that somebody has to do something about, the gravest first: every fact and every record once. Of a domain that
 * can be switched, it's that.
 */
export function problemsOf(report: DomainReport): readonly Problem[] {
  if (canSwitch(report) && !isCreated(report)) return [switchOf(report)];
  const problems: Problem[] = [];
  for (const trouble of troublesOf(report)) {
    const shown = problems.flatMap(({ records }) => records.map(({ value }) => value));
    const needed = recordsFor(trouble, report);
    const records = needed.filter(({ value }) => !shown.includes(value));
    if (needed.length > 0 && records.length === 0) continue;
    const title = titleOf(trouble);
    const about = records.length > 0 ? undefined : purposeOf(trouble.reason);
    const text = textBeside(trouble, title, report.domain, records);
    const problem = { title, text, records, about, quota: trouble.quota };
    const last = problems.at(-1);
    const joined = last && joinedOf(last, problem);
    problems.splice(joined ? -1 : problems.length, 1, joined ?? problem);
  }
  return problems;
}

function switchOf({ message, records, next }: DomainReport): Problem {
  const traffic = records.filter(({ purpose }) => purpose === 'traffic');
  const further = next.filter(step => !traffic.some(({ action }) => action === step));
  const created = traffic.map(record => record.createdAs ?? record);
  return {
    title: '',
    text: [created.reduce(withoutRecord, message), ...further].join(' '),
    records: created,
  };
}

function troublesOf(report: DomainReport): readonly Trouble[] {
  const { reason, message } = report;
  if (reason === null || !needsAction(report) || factsOf(report).awaits === 'verification') return [];
  // The environment may have been deployed before there were several.
  const { troubles = [] } = report as { troubles?: readonly Trouble[] };
  return troubles.length > 0 ? troubles : [{ reason, message }];
}

const CREATE_ONE = 'Create this record.';
const CREATE_ALL = 'Create these records.';

/** Reasons that all records of a domain are the answer to. */
const ABOUT_ALL_RECORDS: readonly Reason[] = ['domain_taken', 'takeover_announced'];

/** The records that a trouble is solved with: one that its message describes, and those of the domain that it is about. */
function recordsFor({ reason, message, fix }: Trouble, { records }: DomainReport): RecordToCopy[] {
  const isMeant = ({ purpose, type, value }: DomainRecord) =>
    message.includes(value) ||
    ABOUT_ALL_RECORDS.includes(reason) ||
    // A provider may have no ALIAS records: then the message says what to do instead.
    (purpose === purposeOf(reason) && type !== 'ALIAS');
  return [...(fix ? [fix] : []), ...records.filter(record => record.state !== 'ok' && isMeant(record))];
}

/** The message of a trouble without what its title and the records beside it say. */
function textBeside(
  { message }: Trouble,
  title: string,
  domain: string,
  records: readonly RecordToCopy[],
): string {
  const text = records
    .reduce(withoutRecord, message)
    .replace(`${CREATE_ONE} ${CREATE_ONE}`, CREATE_ALL)
    .replace(/^(Verification is failing\. |The certificate is waiting for a record\. )/, '');
  const [first = '', ...others] = text.split(/(?<=\.) /);
  const said = first.replace(` of ${domain}`, '').replace(`${domain} is `, '');
  const isTitle = said.toLowerCase() === `${title}.`.toLowerCase();
  return isTitle && others.length > 0 ? others.join(' ') : text;
}

/** A text that names a record, for a place where the record itself follows. */
function withoutRecord(text: string, record: RecordToCopy): string {
  const { value } = record;
  return withoutCreation(text, record, CREATE_ONE)
    .replaceAll(`the value ${value}`, 'the value below')
    .replaceAll(value, 'the value below');
}

/** A text with other words in place of the sentence that describes the record. */
function withoutCreation(text: string, { value }: RecordToCopy, words: string): string {
  const sentence =
    /(Create an? [A-Za-z ]+ record at \S+ with the value|Add CAA: name \S+, value) \{value\}\./;
  return text.replaceAll(value, '{value}').replace(sentence, words).replaceAll('{value}', value);
}

const MISSING = / records? missing$/;

/** Two problems as one, if the second one is just another record to create. */
function joinedOf(one: Problem, other: Problem): Problem | undefined {
  const isOpen = one.text.includes(CREATE_ONE) || one.text.includes(CREATE_ALL);
  if (!isOpen || other.text !== CREATE_ONE) return undefined;
  const [what, more] = [one, other].map(({ title }) => title.replace(MISSING, ''));
  return {
    title: MISSING.test(one.title) ? `${what} and ${more?.toLowerCase()} records missing` : one.title,
    text: one.text.replace(CREATE_ONE, CREATE_ALL),
    records: [...one.records, ...other.records],
  };
}

function titleOf({ reason, quota }: Trouble): string {
  if (quota) return 'The quota for custom domains is used up';
  return reasonWords({ reason }) ?? '';
}

const PROBLEMS = {
  missing: 'missing',
  mismatch: 'has a different value',
  conflict: 'blocked by another record',
  unreachable: "can't be looked up",
  spreading: 'propagating',
} as const;

type Reason = NonNullable<DomainSummary['reason']>;

/** Why a domain is not live or needs attention, in a few words; those of records are computed. */
const REASON_WORDS: Readonly<Partial<Record<Reason, string>>> = {
  domain_taken: 'In use by another project',
  takeover_pending: 'Taking over from another project',
  takeover_announced: 'Another project is taking it over',
  not_switched: 'Not switched in time',
  project_gone: 'Its project is gone',
  plan_required: "The plan doesn't include custom domains",
  deploy_required: 'No successful deploy yet',
  caa_blocked: 'A CAA record blocks the certificate',
  caa_unreachable: "CAA records can't be looked up",
  certificate_delayed: 'The certificate is delayed',
  certificate_failed: 'AWS refused the certificate',
  certificate_timeout: 'No certificate within 72 hours',
  certificate_lost: 'The certificate is gone or has expired',
  renewal_action_required: "The certificate can't be renewed",
  certificate_in_use: "The certificate can't be deleted yet",
  api_gone: "The project's API is gone",
  domain_name_being_released: 'Waiting for its former project',
  attachment_refused: 'API Gateway refused the domain',
  gateway_busy: 'API Gateway was too busy',
  domain_name_foreign: 'Another team in the account has the name',
  domain_name_gone: 'Deleted at API Gateway',
  domain_name_recertified: 'Different certificate at API Gateway',
  mapping_changed: 'Mapping changed at API Gateway',
  host_record_changed: "Wrong record in the platform's zone",
  https_unreachable: "HTTPS doesn't respond yet",
  https_certificate_wrong: 'Another certificate is served',
  https_answer_foreign: 'Another server responds',
  flow_ended: 'The verification was interrupted',
  internal_error: 'Something failed on our side',
};

/** Why a domain is not live or needs attention, in a few words; undefined if there is no reason. */
export function reasonWords({ reason }: Pick<DomainSummary, 'reason'>): string | undefined {
  if (reason === null) return undefined;
  const [, purpose, problem] = /^(traffic|ownership|certificate)_record_(\w+)$/.exec(reason) ?? [];
  if (purpose && problem) {
    const { title } = PURPOSES[purpose as DomainRecord['purpose']];
    return `${title} record ${PROBLEMS[problem as keyof typeof PROBLEMS]}`;
  }
  return REASON_WORDS[reason] ?? reason.replaceAll('_', ' ');
}

interface StatusView {
  readonly state: (report: DomainSummary) => StateWords;
  /** The label of the button that starts a verification; null if nothing can be verified. */
  readonly verify: 'Verify' | 'Re-verify' | null;
  /** Whether a verification is the obvious next step. */
  readonly isVerifyNext: boolean;
  readonly canRemove: boolean;
}

const always = (tone: Tone, words: string) => () => ({ tone, words });
const verifiedAgain = { verify: 'Re-verify', isVerifyNext: false, canRemove: true } as const;

const VIEWS: Readonly<Record<DomainStatus, StatusView>> = {
  pending_dns: {
    state: report => ({
      tone: 'attention',
      words: isCreated(report) ? 'Not verified yet' : 'Waiting for DNS records',
    }),
    verify: 'Verify',
    isVerifyNext: true,
    canRemove: true,
  },
  verifying: {
    ...verifiedAgain,
    state: report =>
      needsAction(report)
        ? attention(report, 'DNS records need attention')
        : { tone: 'progress', words: 'Checking DNS' },
  },
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
  needs_attention: { ...verifiedAgain, state: always('attention', 'Live, needs attention') },
  failed: {
    ...verifiedAgain,
    state: ({ reason }) => ({
      tone: 'bad',
      words: reason === 'not_switched' ? 'Not switched in time' : 'Verification failed',
    }),
    isVerifyNext: true,
  },
  removing: {
    state: always('muted', 'Being removed'),
    verify: null,
    isVerifyNext: false,
    canRemove: false,
  },
  stalled: { state: always('bad', 'Removal stalled'), verify: null, isVerifyNext: false, canRemove: true },
};

function issuingState(report: DomainSummary): StateWords {
  if (needsAction(report)) {
    const what = purposeOf(report.reason) ? 'DNS records need' : 'Certificate needs';
    return attention(report, `${what} attention`);
  }
  const isIssued = report.certificate.status === 'ISSUED';
  return { tone: 'progress', words: isIssued ? 'Attaching the domain' : 'Issuing the certificate' };
}

/** What keeps a domain from going live, as its state. */
function attention({ reason }: DomainSummary, words: string): StateWords {
  return { tone: 'attention', words: FOR_OPERATORS.includes(reason) ? 'Needs an operator' : words };
}

/** Reasons that another verification is the answer to. */
const SOLVED_BY_VERIFYING: readonly (Reason | null)[] = [
  'certificate_delayed',
  'certificate_lost',
  'domain_name_gone',
  'domain_name_recertified',
  'mapping_changed',
  'host_record_changed',
];

/** What holds for a domain by its status, and what can be done with it. */
export function statusView(report: Pick<DomainSummary, 'status' | 'reason'>) {
  const { group, flow, awaits } = factsOf(report);
  const { verify, isVerifyNext, canRemove } = VIEWS[explicitStatus(report)];
  return {
    isServed: group === 'served',
    isBeingRemoved: group === 'removing',
    flow,
    awaits,
    verify,
    isVerifyNext: isVerifyNext || SOLVED_BY_VERIFYING.includes(report.reason),
    canRemove,
  };
}

/** Records that were created when their domain had been checked last at this time, as types and names. */
export interface CreatedSince {
  readonly records: readonly string[];
  readonly checkedAt: string | null;
}

/** A report in which the records that were created since its check are there. Only they are right and not checked. */
export function withCreated(report: DomainReport, created: CreatedSince): DomainReport {
  if (created.checkedAt !== report.checkedAt) return report;
  const fresh = report.records.filter(
    ({ state, type, name }) => state !== 'ok' && created.records.includes(`${type} ${name}`),
  );
  const isSolved = (reason: Reason | null) => fresh.some(({ purpose }) => purpose === purposeOf(reason));
  const { verify, flow } = statusView(report);
  const message = `${CREATED}${flow || !verify || canSwitch(report) ? '' : ` ${verify} the domain now.`}`;
  const isMessage = fresh.length > 0 && (report.reason === null || isSolved(report.reason));
  return {
    ...report,
    records: report.records.map(record =>
      fresh.includes(record) ? { ...record, state: 'ok', isChecked: false, action: null } : record,
    ),
    // Of a domain that was set up, or has failed, what the last check found is still the state.
    ...(isSolved(report.reason) && factsOf(report).group === 'setting-up' && { reason: null }),
    troubles: report.troubles.map(trouble => (isSolved(trouble.reason) ? { ...trouble, message } : trouble)),
    ...(isMessage && { message, steps: [], next: [] }),
  };
}

const CREATED = 'The records were created and not checked yet.';

/** Whether the records of a domain are there, although no check has found them (withCreated). */
function isCreated({ records }: Pick<DomainSummary, 'records'>): boolean {
  return records.length > 0 && records.every(({ state }) => state === 'ok');
}

/** The state of a DNS record in plain words. */
export function recordState({ state, action, isChecked }: DomainRecord): StateWords {
  if (!isChecked && state === 'ok') return { tone: 'progress', words: 'Created, not checked yet' };
  if (!isChecked) return { tone: 'muted', words: 'Not checked' };
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
      return { tone: 'progress', words: 'No DNS answer' };
  }
}

/** What a page says about the records of a domain above their table: its messages, and the values to copy there. */
export function saidOf(report: DomainReport): readonly string[] {
  const values = problemsOf(report).flatMap(({ records }) => records.map(({ value }) => value));
  return [report.message, ...troublesOf(report).map(({ message }) => message), ...values];
}

/**
 * What the owner has to know about a record besides that it is to be created as the table shows it; undefined if nothing,
 * or if it is `said` above.
 */
export function remedyOf(record: DomainRecord, said: readonly string[]): string | undefined {
  const { action, state, value } = record;
  // DNS that doesn't answer is a matter of the zone, and the message of the domain.
  if (action === null || state === 'ok' || state === 'unreachable') return undefined;
  if (said.some(text => text === value || text.includes(action))) return undefined;
  return withoutCreation(action, record, '').trim() || undefined;
}

/** What a record is for. */
export const PURPOSES: Readonly<Record<DomainRecord['purpose'], { title: string; why: string }>> = {
  traffic: { title: 'Traffic', why: 'Sends visitors here' },
  ownership: { title: 'Ownership', why: 'Proves the domain is yours' },
  certificate: { title: 'Certificate', why: 'Keep it for renewals' },
};

export interface TimelineStep {
  readonly title: string;
  /** `waiting`: the next move is the owner's. */
  readonly state: 'done' | 'current' | 'waiting' | 'blocked' | 'todo';
  readonly at: string | null;
}

/** The steps from a claim to the first response over HTTPS; none if the environment does not report them. */
export function timelineOf(report: DomainReport): TimelineStep[] {
  // The environment may have been deployed before there were milestones.
  const milestones: DomainReport['milestones'] | undefined = report.milestones;
  if (milestones === undefined) return [];
  const steps = [
    { title: 'Added', at: milestones.addedAt },
    { title: 'DNS verified', at: milestones.verifiedAt },
    { title: 'Certificate issued', at: milestones.issuedAt },
    { title: 'Attached', at: milestones.attachedAt },
    { title: 'Live', at: milestones.liveAt },
  ];
  // Everything before the last known time is done: records of 1.0 lack the times in between.
  const next = 1 + steps.findLastIndex(({ at }) => at !== null);
  const { group, awaits } = factsOf(report);
  const isWaiting = needsAction(report) || awaits === 'switch';
  const nextState = group === 'failed' ? 'blocked' : isWaiting ? 'waiting' : 'current';
  return steps.map(({ title, at }, index) => ({
    title,
    state: index < next ? 'done' : index === next ? nextState : 'todo',
    at,
  }));
}

interface Advice {
  readonly title: string;
  readonly lines: readonly string[];
  /** A command to paste. */
  readonly command?: string;
}

/** How long after going live a browser may still have the old certificate or none. */
const FRESH_MS = 60 * 60 * 1000;

/** Whether a domain went live a moment ago. */
export function isFresh({ milestones }: DomainReport, nowMs: number): boolean {
  // The environment may have been deployed before there were milestones.
  const liveAt = milestones?.liveAt ?? null;
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

/** The domains that a domain can redirect to: live ones that serve the project themselves, the primary one first. */
export function redirectTargets(domain: string, { liveDomains, primary, redirects }: Routing): string[] {
  return liveDomains
    .filter(live => live !== domain && !redirects.some(({ from }) => from === live))
    .toSorted((left, right) => Number(right === primary) - Number(left === primary));
}

/** The records as text to paste into an e-mail or a spreadsheet: a line each, the fields separated by tabs. */
export function recordLines(records: readonly DomainRecord[]): string {
  return [
    'Type\tName\tValue\tTTL',
    ...records.map(({ type, name, value, ttl }) => [type, name, value, ttl].join('\t')),
  ].join('\n');
}
