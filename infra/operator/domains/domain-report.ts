import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import type {
  AddedDomain,
  DomainRecord,
  DomainReport,
  DomainSummary,
  ProjectView,
} from '../../../shared/operator/contract.ts';

/** States that only the owner of the domain can change. An unreachable DNS server usually recovers by itself. */
export const STATES_TO_ACT_ON: readonly DomainRecord['state'][] = ['missing', 'mismatch', 'conflict'];

/** Whether somebody has to act on a reason, or can just wait. A new reason doesn't compile until it is decided here. */
const IS_ACTION_NEEDED: Readonly<Record<NonNullable<DomainReport['reason']>, boolean>> = {
  ...actionsOnRecord('traffic'),
  ...actionsOnRecord('ownership'),
  ...actionsOnRecord('certificate'),
  domain_taken: true,
  takeover_pending: false,
  takeover_announced: true,
  not_switched: true,
  api_gone: true,
  domain_name_being_released: false,
  project_gone: true,
  plan_required: true,
  deploy_required: true,
  caa_blocked: true,
  caa_unreachable: true,
  certificate_delayed: true,
  certificate_failed: true,
  certificate_timeout: true,
  certificate_lost: true,
  renewal_action_required: true,
  certificate_in_use: true,
  attachment_refused: true,
  gateway_busy: true,
  domain_name_foreign: true,
  domain_name_gone: true,
  domain_name_recertified: true,
  mapping_changed: true,
  host_record_changed: true,
  // The certificate and the address of a new domain take minutes to reach every host.
  https_unreachable: false,
  https_certificate_wrong: true,
  https_answer_foreign: true,
  internal_error: true,
};

function actionsOnRecord<const Purpose extends DomainRecord['purpose']>(purpose: Purpose) {
  return {
    [`${purpose}_record_missing`]: true,
    [`${purpose}_record_mismatch`]: true,
    [`${purpose}_record_conflict`]: true,
    [`${purpose}_record_unreachable`]: false,
    [`${purpose}_record_spreading`]: false,
  } as Record<
    `${Purpose}_record_${'missing' | 'mismatch' | 'conflict' | 'unreachable' | 'spreading'}`,
    boolean
  >;
}

/** Whether the domain is served and its last check found nothing wrong. */
export function isLive(report: Pick<DomainReport, 'status' | 'reason'>): boolean {
  return factsOf(report).group === 'served' && report.reason === null;
}

/** Whether the domain is ready and its last check found nothing wrong, so that its owner may switch its traffic. */
export function canSwitch(report: Pick<DomainReport, 'status' | 'reason'>): boolean {
  return factsOf(report).awaits === 'switch' && report.reason === null;
}

/** Whether the owner of a domain that is in use switches this record last, and it is right that it points elsewhere. */
export function isSwitchedLast(
  report: Pick<DomainReport, 'switchLater' | 'status' | 'reason'>,
  { purpose, state }: Pick<DomainRecord, 'purpose' | 'state'>,
): boolean {
  const isLater = report.switchLater && factsOf(report).group !== 'served';
  return Boolean(isLater) && purpose === 'traffic' && state !== 'ok';
}

/** The records to create now: not the one that the owner of a domain in use switches, before the domain is ready. */
export function recordsToCreate<Record extends Pick<DomainRecord, 'purpose' | 'state'>>(
  report: Pick<DomainReport, 'switchLater' | 'status' | 'reason'> & { readonly records: readonly Record[] },
): Record[] {
  return report.records.filter(record => canSwitch(report) || !isSwitchedLast(report, record));
}

/** Whether the domain waits for its owner, and not for DNS, its certificate or this service. */
export function needsAction(
  report: Pick<DomainSummary, 'status' | 'reason' | 'switchLater' | 'records' | 'checkedAt'>,
): boolean {
  const { reason, records, checkedAt } = report;
  const { flow, needsAction: when } = factsOf(report);
  // A verification that has just begun has not looked for the records yet.
  if (flow === 'verification' && checkedAt === null) return false;
  const isRecordWrong = (record: DomainSummary['records'][number]) =>
    STATES_TO_ACT_ON.includes(record.state) && record.action !== null && !isSwitchedLast(report, record);
  const isReasonWrong = reason !== null && IS_ACTION_NEEDED[reason];
  switch (when) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'by reason':
      return isReasonWrong;
    case 'by records':
      return isReasonWrong || records.some(isRecordWrong);
    default:
      return when satisfies never;
  }
}

type Step = DomainReport['steps'][number];

/** The next steps of some kinds. */
export function stepsOf({ steps }: Pick<DomainReport, 'steps'>, isMeant: (step: Step) => boolean) {
  return steps.filter(isMeant).map(({ text }) => text);
}

/** Whether the service checks the domain until it is live, without having to be asked. */
export function isUnderway(report: DomainReport): boolean {
  const { group, awaits } = factsOf(report);
  return group === 'setting-up' && awaits !== 'verification';
}

/** Records that waiting can't make right, as a text to compare; undefined if there are none. */
export function faultOf(report: DomainReport): string | undefined {
  const { reason, message, records } = report;
  if (reason === 'caa_blocked') return message;
  const wrong = records.filter(
    record =>
      (record.state === 'conflict' || record.state === 'mismatch') &&
      record.action !== null &&
      !isSwitchedLast(report, record),
  );
  const isPassing = reason !== null && !IS_ACTION_NEEDED[reason];
  if (wrong.length === 0 || isPassing) return undefined;
  return JSON.stringify(wrong.map(({ type, name, state, observed }) => [type, name, state, observed]));
}

/** The other name of a pair that was added together. */
export function siblingsOf(report: AddedDomain | undefined): DomainReport[] {
  return report?.sibling ? [report.sibling] : [];
}

/** Redirecting domains first, primary ones last: otherwise a removal would first make another domain serve in its place. */
export function inOrderOfRemoval<Report extends Pick<DomainReport, 'redirect' | 'primary'>>(
  reports: readonly Report[],
): Report[] {
  const rankOf = ({ redirect, primary }: Report) => (redirect ? 0 : primary ? 2 : 1);
  return reports.toSorted((left, right) => rankOf(left) - rankOf(right));
}

/** Which domain of a project does what. */
export type Routing = Pick<ProjectView, 'liveDomains' | 'primary' | 'redirects'>;

/** The live domains that serve the project once these are removed, the one first that becomes the primary. */
export function remainingServers(
  { liveDomains, redirects }: Routing,
  leaving: readonly string[],
): readonly string[] {
  const redirecting = redirects.filter(({ to }) => !leaving.includes(to)).map(({ from }) => from);
  return liveDomains.filter(live => !leaving.includes(live) && !redirecting.includes(live));
}

/** What stops when a domain is removed, perhaps with others, and what takes its place. */
export function removalConsequences(
  report: Pick<DomainSummary, 'domain' | 'redirect' | 'status' | 'reason'>,
  routing: Routing,
  leaving: readonly string[] = [report.domain],
): string[] {
  const { domain, redirect } = report;
  const { group } = factsOf(report);
  if (group === 'removing') return [`${domain} is already being removed.`];
  if (group !== 'served')
    return [`${domain} isn't live, so nothing goes offline. Other projects can claim it afterwards.`];
  const servers = remainingServers(routing, leaving);
  const incoming = routing.redirects.filter(({ from, to }) => to === domain && servers.includes(from));
  const succession = servers[0]
    ? `${servers[0]} becomes the primary domain instead.`
    : 'No other domain is live, so the project goes back to its default URL.';
  return [
    redirect && !redirect.isPending
      ? `https://${domain} stops redirecting to https://${redirect.to}.`
      : `https://${domain} stops responding.`,
    ...incoming.map(
      ({ from }) => `https://${from} no longer redirects to it, and serves the project instead.`,
    ),
    ...(routing.primary === domain ? [`${domain} is the primary domain. ${succession}`] : []),
  ];
}

/**
 * The command that calls a URL of one machine, whose edge has no public DNS and certificates of a local authority. $KEY
 * stands for an API key.
 */
export function curlCommand(url: string, { https, ca }: { https: string; ca: string }): string {
  const { protocol, host } = new URL(url);
  const connection = protocol === 'https:' ? ` --cacert ${ca} --connect-to ${host}:443:${https}` : '';
  return `curl -i -H "Authorization: Bearer $KEY"${connection} ${url}/v1/pets`;
}
