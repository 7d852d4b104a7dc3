import {
  type DomainReason,
  factsOfReason,
  hasVisitors,
  needsSomebody,
} from '../../../shared/domains/life/domain-reason.ts';
import { factsOf, needsAttention, statusOf } from '../../../shared/domains/life/domain-status.ts';
import { factsOfTodo } from '../../../shared/domains/life/todo.ts';
import type {
  AddedDomain,
  DomainRecord,
  DomainReport,
  DomainSummary,
  ProjectView,
} from '../../../shared/operator/contract.ts';

/** Whether the domain is served and its last check found nothing wrong. */
export function isLive(report: Pick<DomainReport, 'status' | 'reason'>): boolean {
  return factsOf(report).group === 'served' && report.reason === null;
}

/** Whether the domain is ready and its last check found nothing wrong, so that its owner may switch its traffic. */
export function canSwitch(report: Pick<DomainReport, 'status' | 'reason'>): boolean {
  return factsOf(report).awaits === 'switch' && report.reason === null;
}

/** The records that belong in DNS now, without the one that is switched only once the domain is ready. */
export function recordsToCreate<Record extends Pick<DomainRecord, 'todo'>>({
  records,
}: {
  readonly records: readonly Record[];
}): Record[] {
  return records.filter(({ todo }) => todo?.kind !== 'keep');
}

/** Whether the records are in DNS that the domain needs before it goes on, as the look that this is the report of has seen. */
export function hasItsRecords({ records }: Pick<DomainReport, 'records'>): boolean {
  const isComplete = records.some(({ purpose }) => purpose === 'certificate');
  return (
    isComplete &&
    !records.map(({ todo }) => factsOfTodo(todo)).some(({ isSet, isTrouble }) => isSet || isTrouble)
  );
}

/** The pause before the next look for records, after so much time: seconds at first, a minute after 20 minutes. */
export function pauseBetweenLooks(waitedMs: number): number {
  return Math.min(Math.max(3_000, waitedMs / 20), 60_000);
}

/** Troubles that the domain's reason and message don't cover. */
export function otherTroubles({ reason, troubles }: DomainReport): DomainReport['troubles'] {
  return reason === null ? troubles : troubles.slice(1);
}

/** Whether the domain waits for its owner, and not for DNS, its certificate or this service. */
export function needsAction(
  report: Pick<DomainSummary, 'status' | 'reason' | 'records' | 'checkedAt'>,
): boolean {
  const { reason, records, checkedAt } = report;
  const { flow, needsAction: when } = factsOf(report);
  // A verification that just began hasn't looked for the records yet.
  if (flow === 'verification' && checkedAt === null) return false;
  switch (when) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'by reason':
      return needsSomebody(reason);
    case 'by records':
      // A record that can't be looked up may be right.
      return (
        needsSomebody(reason) ||
        records.some(({ state, todo }) => state !== 'unreachable' && factsOfTodo(todo).isOwners)
      );
    default:
      return when satisfies never;
  }
}

/** Whether there's something to do for whoever runs the DNS, which the page for the owner then says. */
export function waitsForOwner(report: DomainReport): boolean {
  const { records, troubles } = report;
  return (
    factsOf(report).group !== 'removing' &&
    (records.some(({ todo }) => factsOfTodo(todo).isOwners) ||
      troubles.some(({ todo }) => todo?.by === 'owner'))
  );
}

/** Whether somebody has to look after a domain that was set up, or whose set-up is stuck. */
export function isInNeed(domain: DomainSummary): boolean {
  const isStuck = factsOf(domain).awaits !== 'verification' && needsAction(domain);
  return isStuck || needsAttention({ ...domain, status: statusOf(domain) });
}

/** What is lost next unless somebody acts, and when; undefined if nothing is, or it's lost already. */
export function nextLoss(domain: DomainSummary): { readonly words: string; readonly at: string } | undefined {
  const { reason, deadlines, certificate } = domain;
  const { group } = factsOf(domain);
  const about = reason && factsOfReason(reason).about;
  const at = (words: string, time: string | null | undefined) => (time ? { words, at: time } : undefined);
  if (canSwitch(domain)) return at('Switch', deadlines?.switch);
  if (group === 'served' && about === 'claim') return at('Lost', deadlines?.takeover);
  if (group === 'served' && (about === 'certificate' || about === 'caa' || about === 'renewal'))
    return at('Certificate expires', certificate.expiresAt);
  return group === 'setting-up' || group === 'failed' ? at('Claim ends', deadlines?.claim) : undefined;
}

/**
 * How soon something is lost: what is lost already comes first, then by when it's lost, then what can wait. Of domains that
 * nobody has to look after, it's the same.
 */
export function urgency(domain: DomainSummary): string {
  if (!isInNeed(domain)) return '~';
  const isServed = factsOf(domain).group === 'served';
  return isServed && !hasVisitors(domain) && factsOfReason(domain.reason as DomainReason).about !== 'claim'
    ? ''
    : (nextLoss(domain)?.at ?? '9999');
}

/** Whether that's an operator's job: a set-up that is stuck usually waits for its owner. */
export function needsOperator(domain: DomainSummary): boolean {
  const { reason } = domain;
  const isOfOperators = reason !== null && factsOfReason(reason).needs === 'operator';
  return needsAttention({ ...domain, status: statusOf(domain) }) || (isOfOperators && isInNeed(domain));
}

/** Whether the service keeps checking the domain until it's live, without being asked. */
export function isUnderway(report: DomainReport): boolean {
  const { group, awaits } = factsOf(report);
  return group === 'setting-up' && awaits !== 'verification';
}

/**
 * Records that waiting won't fix, or that the DNS provider doesn't offer, as a text to compare; undefined if there are
 * none.
 */
export function faultOf(report: DomainReport): string | undefined {
  const { reason, message, records } = report;
  if (reason === 'caa_blocked') return message;
  const wrong = records.filter(
    ({ state, todo }) =>
      todo?.kind === 'forward' ||
      ((state === 'conflict' || state === 'mismatch') && factsOfTodo(todo).isTrouble),
  );
  const isPassing = reason !== null && !needsSomebody(reason);
  if (wrong.length === 0 || isPassing) return undefined;
  return JSON.stringify(wrong.map(({ type, name, state, observed }) => [type, name, state, observed]));
}

/** The other name of a pair that was added together. */
export function siblingsOf(report: AddedDomain | undefined): DomainReport[] {
  return report?.sibling ? [report.sibling] : [];
}

/** Redirecting domains first, primary ones last: otherwise a removal would make another one serve in its place. */
export function inOrderOfRemoval<Report extends Pick<DomainReport, 'redirect' | 'primary'>>(
  reports: readonly Report[],
): Report[] {
  const rankOf = ({ redirect, primary }: Report) => (redirect ? 0 : primary ? 2 : 1);
  return reports.toSorted((left, right) => rankOf(left) - rankOf(right));
}

/** Which domain of a project does what. */
export type Routing = Pick<ProjectView, 'liveDomains' | 'primary' | 'redirects'>;

/** The live domains that serve the project once these are removed; the first becomes primary. */
export function remainingServers(
  { liveDomains, redirects }: Routing,
  leaving: readonly string[],
): readonly string[] {
  const redirecting = redirects.filter(({ to }) => !leaving.includes(to)).map(({ from }) => from);
  return liveDomains.filter(live => !leaving.includes(live) && !redirecting.includes(live));
}

/** Whether visitors are redirected: a redirect may be pending or suspended. */
export function isInEffect(redirect: DomainSummary['redirect']): redirect is NonNullable<typeof redirect> {
  return redirect !== null && !redirect.isPending && !redirect.isSuspended;
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
    isInEffect(redirect)
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
  const connection =
    protocol === 'https:'
      ? ` --cacert ${/[^\w./-]/.test(ca) ? `'${ca}'` : ca} --connect-to ${host}:443:${https}`
      : '';
  return `curl -i -H "Authorization: Bearer $KEY"${connection} ${url}/v1/pets`;
}
