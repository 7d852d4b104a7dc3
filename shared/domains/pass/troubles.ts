import { isLost } from '../aws/certificates.ts';
import { readableTime } from '../clock.ts';
import { type CaaVerdict, caaAdvice, caaLookup, checkCaa } from '../dns/caa.ts';
import type { CheckedRecord } from '../dns/check-record.ts';
import { trafficHost, withoutAlias } from '../dns/dns-provider.ts';
import { adviceText, instruction } from '../dns/record-advice.ts';
import { isBehindCloudflare, isProven, requiredRecords } from '../dns/required-record.ts';
import { type ApiStage, FrontFull, type FrontRefused, FrontTaken } from '../front.ts';
import type { Domain, Trouble } from '../life/domain.ts';
import { factsOfReason } from '../life/domain-reason.ts';
import { isBeingRemoved, isReady, isServed } from '../life/domain-status.ts';
import { factsOfTodo, type RecordTodo } from '../life/todo.ts';
import { CERTIFICATE_EXPLANATION_MINUTES, READY_DAYS } from '../life/waits.ts';
import type { Reached, Unreached } from '../reach.ts';
import { type InspectionParts, withTraffic } from './inspection.ts';

type StoredRecord = Domain['records'][number];

const SPREADING =
  'The records are right at your DNS provider, but not visible everywhere yet. This usually takes minutes, and at most 48 hours.';

/** The trouble of a record that isn't as required. */
export function recordTrouble({
  purpose,
  state,
  action,
}: Pick<CheckedRecord, 'purpose' | 'state' | 'action'>): Trouble {
  return state === 'spreading' || action === null
    ? { reason: `${purpose}_record_spreading`, message: SPREADING }
    : { reason: `${purpose}_record_${state as Exclude<typeof state, 'ok'>}`, message: action };
}

/**
 * Everything that is wrong with a domain: first an announced takeover, then what its reason and message say, then what else the
 * last check found, in the order of RANKS.
 */
export function troublesOf(domain: Domain): Trouble[] {
  const { reason, message, quota, takeover } = domain;
  const notices = takeover && !isBeingRemoved(domain) ? [takeoverAnnounced(domain, takeover)] : [];
  if (reason === null) return notices;
  const seen = isServed(domain) ? liveTroubles(domain) : claimTroubles(domain);
  const others = seen.filter(other => other.reason !== reason);
  return [...notices, { reason, message, ...(quota && { quota }) }, ...others];
}

/** What matters most: that traffic arrives, then that the certificate is issued and renewed, then who owns the domain. */
const RANKS = ['traffic', 'certificate', 'ownership'] as const;

/** The records that keep a claim from going live. */
export function claimTroubles(domain: Domain): Trouble[] {
  // The reason's message already says what keeps the certificate from renewing.
  const isRenewal = domain.reason !== null && factsOfReason(domain.reason).about === 'renewal';
  const isSaid = ({ purpose }: StoredRecord) => isRenewal && purpose === 'certificate';
  const isOpen = (record: StoredRecord) =>
    !isSaid(record) && factsOfTodo(recordTodo(record, domain)).isTrouble;
  const open = RANKS.flatMap(rank =>
    domain.records.filter(record => record.purpose === rank && isOpen(record)),
  );
  // A fault of the zone is the same for every record. Only one reports it: the one the reason is about, if any.
  const said = domain.records.find(record => recordTrouble(record).reason === domain.reason)?.action;
  const isNew = ({ action }: StoredRecord, index: number) =>
    action !== said && open.findIndex(other => other.action === action) === index;
  return open.filter(isNew).map(recordTrouble);
}

/** What the owner has to do about a required record now; null if there's nothing to do but wait. */
export function recordTodo(
  { purpose, state, action, isOptional }: Pick<StoredRecord, 'purpose' | 'state' | 'action' | 'isOptional'>,
  domain: Domain,
): RecordTodo | null {
  if (state === 'ok' || isOptional || isBeingRemoved(domain)) return null;
  const isTraffic = purpose === 'traffic' && !isServed(domain);
  if (isTraffic && isSwitchedLater(domain)) return { kind: 'keep' };
  if (action === null) return null;
  if (isTraffic && isReady(domain) && domain.reason === null) return { kind: 'switch' };
  if (isTraffic && !trafficHost(domain)) return { kind: 'later' };
  // Other records don't help an apex that can't point here, unless it's only being prepared for now.
  const cannotPointHere = !isServed(domain) && !isSwitchedLater(domain) && isStuck(domain);
  if (cannotPointHere && !isTraffic) return null;
  if (state === 'unreachable') return { kind: 'ask' };
  if (cannotPointHere) return { kind: 'forward' };
  return { kind: state === 'missing' ? 'create' : 'correct' };
}

/** Whether the traffic of a domain that isn't live should stay where it is for now. */
function isSwitchedLater(domain: Domain): boolean {
  const { reason, switchLater } = domain;
  if (!isReady(domain)) return switchLater === true;
  // If some visitors already arrive, correct what leads the others elsewhere.
  return reason !== null && factsOfReason(reason).about !== 'traffic';
}

/** Whether the domain is an apex that can't point here, because its DNS provider has no ALIAS records. */
export function isStuck(domain: Pick<Domain, 'kind' | 'nameServers' | 'records'>): boolean {
  return withoutAlias(domain)?.isPasted === false;
}

/** What is wrong with a live domain, by the last check. A wrong record best explains why visitors don't arrive. */
export function liveTroubles(domain: Domain, visitors?: Reached): Trouble[] {
  const { domain: name } = domain;
  const isOfSome = visitors !== undefined && losesSome(visitors);
  const elsewhere = wrongRecords(domain, 'traffic').flatMap(trouble =>
    isOfSome ? ofSome(domain, visitors, trouble) : saying(`${name} no longer points here.`, [trouble]),
  );
  const traffic = isBehindProxy(domain) ? [] : elsewhere;
  const unreached = visitors && reachTrouble(domain, visitors, { isNew: false });
  const arrival = traffic.length > 0 ? traffic : unreached ? [unreached] : [];
  return [...arrival, ...keepingTroubles(domain, arrival.length === 0)];
}

/** Why an attached domain won't stay that way: its certificate can't be renewed, or nothing proves the claim. */
export function keepingTroubles(domain: Domain, works = false): Trouble[] {
  const { domain: name, certificate, caa } = domain;
  const unproven = works
    ? `${name} works, but nothing in DNS proves that it's yours.`
    : `Nothing in DNS proves that ${name} is yours.`;
  const blocked = caa && caaTrouble(domain, { kind: 'blocked', block: caa });
  const blocks = [...(blocked ? [blocked] : []), ...wrongRecords(domain, 'certificate')];
  const isRenewalStuck = certificate.renewal === 'PENDING_VALIDATION' || certificate.renewal === 'FAILED';
  const advice = blocks.map(({ message }) => message).join(' ') || CHECK_RENEWAL;
  const renewal = isRenewalStuck ? [{ reason: 'renewal_action_required', message: advice } as const] : blocks;
  return [
    ...saying(`The certificate of ${name} can't be renewed.`, renewal),
    ...saying(unproven, missingProof(domain)),
  ];
}

function wrongRecords({ records }: Domain, purpose: CheckedRecord['purpose']): Trouble[] {
  return records.filter(record => record.purpose === purpose && isWrong(record)).map(recordTrouble);
}

const CHECK_RENEWAL = 'Check that its DNS records are all there, and that no CAA record blocks Amazon.';

/** The TXT record, if the domain needs it but DNS doesn't have it. It isn't looked for while the CNAME record is right. */
function missingProof(domain: Domain): Trouble[] {
  if (isProven(domain)) return [];
  const seen = domain.records.filter(({ purpose }) => purpose === 'ownership');
  if (seen.length > 0) return seen.filter(isWrong).map(recordTrouble);
  const required = requiredRecords(domain).filter(
    ({ purpose, isOptional }) => purpose === 'ownership' && !isOptional,
  );
  const create = [instruction('create')];
  return required.map(record =>
    recordTrouble({ ...record, state: 'missing', action: adviceText(create, record) ?? null }),
  );
}

/** Whether visitors last came through a proxy that still hides the traffic record. */
function isBehindProxy({ isProxied, records }: Domain): boolean {
  const isHidden = ({ purpose, state }: StoredRecord) =>
    purpose === 'traffic' && (state === 'mismatch' || state === 'conflict');
  return isProxied === true && records.some(isHidden);
}

/** An unreachable server says nothing about the record, and a record that is spreading is right. */
export function isWrong({ state, action }: StoredRecord): boolean {
  return !['ok', 'unreachable', 'spreading'].includes(state) && action !== null;
}

/** The trouble of a record. Its message says so if only some visitors are led elsewhere. */
export function ofSome({ domain }: Domain, visitors: Reached, trouble: Trouble): Trouble {
  if (!losesSome(visitors)) return trouble;
  const { at } = visitors;
  const lost = `Some visitors of ${domain}${at ? `, those sent to ${at},` : ''} don't arrive here.`;
  return { ...trouble, message: `${lost} ${trouble.message}` };
}

/** Whether some visitors arrive while others are known not to. */
function losesSome(visitors: Reached): visitors is Unreached {
  if (visitors.kind === 'reached' || visitors.kind === 'unknown' || visitors.kind === 'unconfirmed')
    return false;
  return visitors.isPartial === true;
}

function saying(what: string, troubles: readonly Trouble[]): Trouble[] {
  return troubles.map(({ reason, message }) => ({ reason, message: `${what} ${message}` }));
}

/** The trouble of a verification. A conflicting or wrong record makes it fail, so the message says that. */
export function verificationTrouble({ reason, message }: Trouble): Trouble {
  const { state } = factsOfReason(reason);
  const isFailing = state === 'conflict' || state === 'mismatch';
  return { reason, message: isFailing ? `Verification is failing. ${message}` : message };
}

/** The loss of an issued certificate; undefined if it isn't lost. */
export function certificateLoss({ domain, certificate }: Domain): Trouble | undefined {
  if (!isLost(certificate)) return undefined;
  const { status } = certificate;
  const what = LOSSES[status ?? ''] ?? (status === null ? 'is gone' : `is ${status}`);
  const message = `The certificate of ${domain} ${what}. Re-verify to request a new one.`;
  return { reason: 'certificate_lost', message };
}

const LOSSES: Readonly<Record<string, string>> = {
  EXPIRED: 'has expired',
  REVOKED: 'was revoked',
};

/** The message about a name that somebody else has at API Gateway. */
export function foreignDomainName(domain: string): string {
  return `Another environment or team in this AWS account has ${domain} at API Gateway. Delete it there first.`;
}

/** API Gateway's quota of custom domain names, and ACM's of certificates. */
const QUOTA = 'L-A93447B8';
const CERTIFICATES_QUOTA = 'L-F141DD1D';

/** What operators can do about a domain name that API Gateway refuses; the owner can't do anything. */
export function attachmentRefused(domain: string, refusal: FrontRefused): Trouble {
  const reason = 'attachment_refused';
  if (refusal instanceof FrontFull) {
    const message =
      'This AWS account has reached its limit of custom domain names at API Gateway. An operator has to raise the quota ' +
      `"Custom domain names" (${QUOTA}) in Service Quotas, or remove domains that are no longer used.`;
    return { reason, message, quota: QUOTA };
  }
  if (refusal instanceof FrontTaken) {
    const message =
      `Another AWS account has ${domain} at API Gateway in this region. An operator has to get it deleted there, or ask ` +
      "AWS Support if the account can't be found.";
    return { reason, message };
  }
  return { reason, message: `API Gateway rejects ${domain}: ${refusal.message}` };
}

/** The account's quota of certificates is used up; the owner can't do anything about it. */
export function certificateRefused(): Trouble {
  const message =
    'This AWS account has reached its limit of certificates at ACM. An operator has to raise the quota "ACM certificates" ' +
    `(${CERTIFICATES_QUOTA}) in Service Quotas, or delete certificates that are no longer used.`;
  return { reason: 'certificate_refused', message, quota: CERTIFICATES_QUOTA };
}

/** A claim ends: DNS still supports the project that owns the name. */
export function domainTaken({ domain }: Pick<Domain, 'domain'>): Trouble {
  const message =
    `${domain} is in use by another project. If that project is yours, move the domain from there. If it isn't, delete ` +
    `the DNS records that point ${domain} at that project, create your own, then re-verify.`;
  return { reason: 'domain_taken', message };
}

/** A claim waits for a name whose owner has no records in DNS any more. `until`: when it goes to this project. */
export function takeoverPending({ domain }: Pick<Domain, 'domain'>, until: string): Trouble {
  const message =
    `Another project owns ${domain}, but its DNS records are gone. If they stay gone, the domain becomes yours on ` +
    `${readableTime(until)}. Keep the TXT record until then.`;
  return { reason: 'takeover_pending', message };
}

/** The notice to the owner of a name that another project has proven. */
export function takeoverAnnounced({ domain }: Pick<Domain, 'domain'>, until: string): Trouble {
  const message =
    `The DNS records of ${domain} are gone, and another project has proven that it owns the domain. To keep it, ` +
    `restore the records before ${readableTime(until)}.`;
  return { reason: 'takeover_announced', message };
}

/** What the owner is told once no other project is about to take the name over. */
export function takeoverOver({ domain }: Pick<Domain, 'domain'>): string {
  return `No other project is about to take over ${domain} any more.`;
}

/** A domain redirects to one whose visitors end up elsewhere. */
export function redirectSuspended(
  { domain, project }: Pick<Domain, 'domain' | 'project'>,
  to: string,
): Trouble {
  const message =
    `Visitors of ${to} don't arrive here at the moment, so ${domain} serves project ${project} instead of redirecting ` +
    `to it. Check what ${to} needs.`;
  return { reason: 'redirect_suspended', message };
}

/** A domain was ready, but its traffic never came. */
export function notSwitched(domain: Domain): Trouble {
  const message =
    `${domain.domain} was ready for ${READY_DAYS} days, but its traffic was never switched. Re-verify it, then point ` +
    `it at ${trafficHost(domain) ?? domain.target}.`;
  return { reason: 'not_switched', message };
}

/** The former owner still has the domain name at API Gateway. */
export function beingReleased({ domain }: Pick<Domain, 'domain'>): Trouble {
  const message = `${domain} is now in this project. It goes live here once its former project has released it, usually within minutes.`;
  return { reason: 'domain_name_being_released', message };
}

/** The project's API or stage is gone. */
export function apiGone(project: string): Trouble {
  const message = `Project ${project}'s API or stage is gone from API Gateway. Redeploy it, or move the domain to another project.`;
  return { reason: 'api_gone', message };
}

/** The trouble for a domain whose visitors, or some of them, don't arrive; undefined if they do. */
export function reachTrouble(claim: Domain, visitors: Reached, { isNew = true } = {}): Trouble | undefined {
  const who = isBehindProxy(claim) ? `The proxy of ${claim.domain}` : `https://${claim.domain}`;
  const trouble = requestTrouble(claim, visitors, who, isNew);
  if (!trouble || !losesSome(visitors)) return trouble;
  return { ...trouble, message: `Some visitors of ${claim.domain} don't arrive here. ${trouble.message}` };
}

/**
 * The trouble of a domain that an HTTPS request didn't reach; undefined if it did. `who` should have responded. `isNew`: the
 * domain name was created moments ago.
 */
function requestTrouble(claim: Domain, reached: Reached, who: string, isNew: boolean): Trouble | undefined {
  if (reached.kind === 'reached') return undefined;
  const { domain, target } = claim;
  const { kind, why, at } = reached;
  const where = at ? ` at ${at}` : '';
  const wrong = `${who} serves the wrong certificate${where}: ${why}`;
  switch (kind) {
    case 'unreachable': {
      const hint = isNew ? ' A new domain can take a few minutes.' : '';
      return { reason: 'https_unreachable', message: `${who} doesn't respond${where}: ${why}${hint}` };
    }
    case 'unresolved': {
      const seen = claim.records.find(
        ({ purpose, state }) => purpose === 'traffic' && state === 'unreachable',
      );
      const advice = seen?.action ?? `${why} This usually passes. If it persists, ask your DNS provider.`;
      return { reason: 'traffic_record_unreachable', message: `${domain} can't be looked up. ${advice}` };
    }
    case 'unconfirmed': {
      const advice = at?.includes(':') ? ` If ${target} doesn't have it, delete its AAAA record.` : '';
      return { reason: 'https_unconfirmed', message: `${who} can't be checked${where}: ${why}${advice}` };
    }
    case 'unknown':
    case 'certificate_wrong':
      return {
        reason: 'https_certificate_wrong',
        message: `${wrong} A proxy or another server may be responding.`,
      };
    case 'unproven': {
      const what = isBehindProxy(claim)
        ? `${who} no longer passes requests on${where}, or another server is responding. A proxy`
        : `${wrong} Another server is responding, or a proxy that doesn't pass requests on. Yours`;
      return {
        reason: 'https_certificate_wrong',
        message:
          `${what} has to send them to ${target} over HTTPS, with the host, path and query unchanged, and without a ` +
          'cache or a bot check.',
      };
    }
    case 'unprovable':
      return {
        reason: 'https_certificate_wrong',
        message:
          `${wrong} If that's a proxy, nothing shows that its responses come from here: only the service's own API can ` +
          `prove that, and this project is published at another one. Point ${domain} at ${target} without a proxy.`,
      };
    case 'answer_foreign':
      return { reason: 'https_answer_foreign', message: `${who} doesn't lead to the API${where}: ${why}` };
    default:
      return kind satisfies never;
  }
}

/** The trouble of a domain that our own edge doesn't serve yet, or no longer; the owner can't do anything. */
export function edgeTrouble(domain: Domain, edge: Reached): Trouble | undefined {
  return requestTrouble(domain, edge, `API Gateway, asked for ${domain.domain},`, true);
}

/** The domain with advice about a proxy that hides its traffic record, if requests show that it doesn't pass them on. */
export function withProxyAdvice(domain: Domain, visitors: Reached): Domain {
  const isHidden = visitors.kind === 'unproven' || visitors.kind === 'unprovable';
  if (!isHidden || !isBehindCloudflare(domain)) return domain;
  const trouble = reachTrouble(domain, { ...visitors, isPartial: false });
  return trouble
    ? { ...domain, records: withTraffic(domain, { action: trouble.message, advice: [] }) }
    : domain;
}

/** Looks up which CAA records the certificate authority of a domain would find. */
export async function caaVerdict(
  { domain }: Domain,
  { vantagePoints }: Pick<InspectionParts, 'vantagePoints'>,
): Promise<CaaVerdict> {
  return checkCaa(domain, caaLookup(await vantagePoints(domain)));
}

/**
 * The CAA record that keeps Amazon from issuing the certificate, if any. `saysFailure`: failing look-ups are a trouble, too,
 * because no certificate is issued while they fail.
 */
export function caaTrouble(
  { zone }: Pick<Domain, 'zone'>,
  verdict: CaaVerdict,
  { saysFailure = false } = {},
): Trouble | undefined {
  if (verdict.kind === 'blocked') return { reason: 'caa_blocked', message: caaAdvice(verdict.block, zone) };
  if (verdict.kind === 'allowed' || !saysFailure) return undefined;
  const message =
    `Amazon can't issue the certificate until the CAA records of ${verdict.at} can be looked up. ` +
    'Ask your DNS provider why its servers fail for CAA queries.';
  return { reason: 'caa_unreachable', message };
}

export const BEING_ISSUED =
  'The domain is verified. Its certificate is being issued, usually within a couple of minutes.';
export const ISSUED = 'The certificate is issued. The domain is being attached.';

/** A claim to another project's name is proven, but we can't see whether the other one's records are gone. */
export function ownerUnseen({ zone }: Domain): Trouble {
  const message = `The name servers of ${zone} don't answer, so we can't tell whether the records of the project that owns the name are gone.`;
  return { reason: 'ownership_record_unreachable', message };
}

/**
 * The record that has to prove the claim. If the DNS provider has no ALIAS, the traffic record: nothing else helps then.
 */
export function proofToCreate(domain: Domain): Domain['records'][number] {
  const [traffic, ownership] = (['traffic', 'ownership'] as const).map(wanted =>
    domain.records.find(({ purpose }) => purpose === wanted),
  );
  const proof = ownership && !ownership.isOptional && !isStuck(domain) ? ownership : traffic;
  if (!proof) throw new Error('A check has seen neither the traffic record nor the TXT record.');
  return proof;
}

/** Why the certificate isn't issued: a CAA record blocks it, a record is missing or wrong, or ACM takes its time. */
export function certificateTrouble(
  domain: Domain,
  verdict: CaaVerdict,
  waitedMinutes: number,
): Trouble | undefined {
  const isLate = waitedMinutes > CERTIFICATE_EXPLANATION_MINUTES;
  const blocked = caaTrouble(domain, verdict, { saysFailure: isLate });
  if (blocked) return blocked;
  const open = [
    ...domain.records.filter(({ purpose }) => purpose === 'certificate'),
    ...(isProven(domain) ? [] : [proofToCreate(domain)]),
  ].find(({ state }) => state !== 'ok');
  if (open) {
    const { reason, message } = recordTrouble(open);
    return { reason, message: `The certificate is waiting for a record. ${message}` };
  }
  if (!isLate) return undefined;
  const message =
    'The certificate is taking longer than usual, although all records are right. Re-verify to try again.';
  return { reason: 'certificate_delayed', message };
}

/** The front no longer has an attached domain. */
export function domainNameGone({ domain }: Pick<Domain, 'domain'>): Trouble {
  const message = `${domain} is gone from API Gateway. It's being attached again.`;
  return { reason: 'domain_name_gone', message };
}

/** The front has an attached domain with another certificate. */
export function domainNameRecertified({ domain }: Pick<Domain, 'domain'>): Trouble {
  const message = `${domain} has the wrong certificate at API Gateway. It's being replaced.`;
  return { reason: 'domain_name_recertified', message };
}

/** An attached domain's mapping couldn't be put right. */
export function mappingChanged(
  { domain }: Pick<Domain, 'domain'>,
  mapping: ApiStage | null | undefined,
): Trouble {
  const what = mapping
    ? `is mapped to another API or stage (${mapping.apiId}/${mapping.stage})`
    : 'is no longer mapped to its API';
  return {
    reason: 'mapping_changed',
    message: `${domain} ${what}. We'll try again within half an hour; re-verify to try now.`,
  };
}

/** An attached domain's host couldn't be put right. */
export function hostChanged({ domain, target }: Pick<Domain, 'domain' | 'target'>): Trouble {
  const message = `The platform's record ${target} was changed or deleted. Re-verify ${domain} to restore it.`;
  return { reason: 'host_record_changed', message };
}

/** Something that was changed by hand at AWS has just been put right: caches keep the former host for minutes. */
export function justRestored({ domain }: Pick<Domain, 'domain'>): Trouble {
  const message = `A resource of ${domain} was changed at AWS. It has been restored, and visitors arrive again within minutes.`;
  return { reason: 'https_unreachable', message };
}

/** What the name servers have in place of the traffic record: resolvers may still have cached what was there before. */
export function publishedBy({ records }: Domain): string[] {
  const wrong = records.filter(record => record.purpose === 'traffic' && isWrong(record));
  return wrong.flatMap(({ observed }) => observed.filter(value => !value.includes(' ')));
}
