import { timeOf } from '../../../../shared/domains/clock.ts';
import { isBehindCloudflare, isFlattened } from '../../../../shared/domains/dns/required-record.ts';
import { isLost } from '../../../../shared/domains/aws/certificates.ts';
import { type ApiStage, isSameRoute as isSame } from '../../../../shared/domains/front.ts';
import { type Domain, NO_CERTIFICATE } from '../../../../shared/domains/life/domain.ts';
import { DOMAIN_REASONS, type DomainReason, factsOfReason, hasVisitors } from '../../../../shared/domains/life/domain-reason.ts';
import { isAttached, isBeingRemoved, isInFlow, isReady, isServed } from '../../../../shared/domains/life/domain-status.ts';
import {
  certificatePrepared,
  claimed as added,
  NOT_PROVEN,
  removalStarted,
  switchPostponed,
  TRANSITIONS,
  verificationStarted,
} from '../../../../shared/domains/life/transitions.ts';
import {
  ATTACHMENT_DEADLINE_HOURS,
  CERTIFICATE_DEADLINE_HOURS,
  CERTIFICATE_EXPLANATION_MINUTES,
  DNS_DEADLINE_HOURS,
  MAX_CERTIFICATE_REQUESTS,
  READY_AFTER_ROUNDS,
  READY_DAYS,
  REMINDER_DAYS,
  REMOVAL_DEADLINE_HOURS,
  TAKEOVER_HOURS,
} from '../../../../shared/domains/life/waits.ts';
import { certificateFate } from '../../../../shared/operator/domain-commands.ts';
import { AT, AT_MS, certified, claimed, CHALLENGE, ENDPOINT, HOST, NAME, PUBLISHED, TARGET, VALIDATION } from '../claimed-domain.ts';
import { recordSeen } from './walk-world.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The ages at which something changes, a moment later, by what is waited for. */
const AGES: Readonly<Record<Domain['phase'], readonly number[]>> = {
  dns: [DNS_DEADLINE_HOURS * HOUR],
  certificate: [CERTIFICATE_EXPLANATION_MINUTES * MINUTE, CERTIFICATE_DEADLINE_HOURS * HOUR],
  attachment: [ATTACHMENT_DEADLINE_HOURS * HOUR],
  live: [],
  removal: [REMOVAL_DEADLINE_HOURS * HOUR],
};
const READY_AGES = [(READY_DAYS - REMINDER_DAYS) * DAY, READY_DAYS * DAY];
const CONTEST_AGES = [TAKEOVER_HOURS * HOUR] as const;
const ALL_AGES = [...new Set([...Object.values(AGES).flat(), ...READY_AGES, ...CONTEST_AGES])];

/** The time of the youngest that is as old in effect. */
function aged(time: string, ages: readonly number[]): string {
  const passed = ages.filter(age => AT_MS - Date.parse(time) > age);
  return timeOf(passed.length > 0 ? AT_MS - Math.max(...passed) - MINUTE : AT_MS);
}

function moment(time: string | null): string | null {
  return time && AT;
}

/** Reasons that a pass asks for by their names. All others are what their facts say. */
const NAMED: readonly DomainReason[] = [
  'attachment_refused',
  'certificate_delayed',
  'redirect_suspended',
  'takeover_announced',
];

/** Those by which a claim that isn't attached goes on in another way. */
const WAITED_FOR: readonly DomainReason[] = ['attachment_refused', 'certificate_delayed', 'takeover_announced'];

function likeReason(reason: DomainReason | null): DomainReason | null {
  if (reason === null || NAMED.includes(reason)) return reason;
  const factsFor = (each: DomainReason) => {
    const { about, hidesDomain } = factsOfReason(each);
    return `${['front', 'project', 'issuance'].includes(about)} ${hidesDomain}`;
  };
  return DOMAIN_REASONS.find(each => !NAMED.includes(each) && factsFor(each) === factsFor(reason)) ?? reason;
}

/** What a look shows again before anybody believes it is left out; whether the certificate of an attached domain is lost isn't. */
function likeCertificate({ certificate, status, phase }: Domain): Domain['certificate'] {
  const { arn, requests, validations } = certificate;
  const isKnown = phase === 'attachment' || phase === 'live' || status === 'failed';
  const known = isLost(certificate) ? 'REVOKED' : 'ISSUED';
  const counts = phase === 'certificate' ? [1, MAX_CERTIFICATE_REQUESTS - 1, MAX_CERTIFICATE_REQUESTS] : [];
  return {
    ...NO_CERTIFICATE,
    arn: arn && (certified().arn as string),
    status: isKnown && arn ? known : null,
    requests: Math.max(0, ...counts.filter(count => requests >= count)),
    validations: arn || validations.length > 0 ? [VALIDATION] : [],
  };
}

function isSameRoute(route: Domain['route'], wanted: ApiStage): boolean {
  return route !== 'open' && isSame(route ?? undefined, wanted);
}

/** A proxy, or addresses in place of a CNAME record, which the next check needs to know. */
function likeRecords(claim: Domain): Domain['records'] {
  const shown = claim.records.find(({ purpose }) => purpose === 'traffic');
  const isHidden = isBehindCloudflare(claim) || (shown && isFlattened(shown));
  if (!shown || !isHidden || claim.kind === 'apex') return [];
  const { observed, ...record } = recordSeen(shown, 'flattened');
  return [{ ...record, observed: [...observed] }];
}

const CLAIM = claimed({ message: '', history: [] });

/**
 * A claim without what makes no difference to what happens to it next: texts, counters, and times but for the deadlines that
 * they are beyond. What it says of the world is kept as far as a pass believes it without another look.
 */
export function abstracted(claim: Domain): Domain {
  const { phase, contest, takeover, status, kind, gateway, reason } = claim;
  const isRemoval = isBeingRemoved(claim);
  const isUp = isAttached(claim);
  const isSetUp = isInFlow(claim) && !isRemoval;
  const said = isUp ? reason : reason === 'takeover_announced' ? (takeover?.reason ?? null) : reason;
  return {
    ...CLAIM,
    ...({
      status,
      phase: status === 'failed' ? 'dns' : phase,
      ...(kind === 'apex' && !isRemoval && { kind, zone: NAME }),
      reason: isServed(claim) || (said && WAITED_FOR.includes(said)) ? likeReason(said) : isUp && said ? 'https_unreachable' : null,
      pointsAt: gateway ? HOST : ENDPOINT,
      gateway: gateway && { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
      slotAt: isRemoval ? moment(claim.slotAt) : null,
      certificate: likeCertificate(claim),
      records: isRemoval ? [] : likeRecords(claim),
      rounds: isSetUp && phase === 'attachment' && claim.rounds >= READY_AFTER_ROUNDS ? READY_AFTER_ROUNDS : 0,
      phaseStartedAt: isInFlow(claim) ? aged(claim.phaseStartedAt, AGES[phase]) : AT,
      verifiedAt: moment(claim.verifiedAt),
      provenAt: moment(claim.provenAt),
      readyAt: isReady(claim) && claim.readyAt ? aged(claim.readyAt, READY_AGES) : null,
      remindedAt: isReady(claim) ? moment(claim.remindedAt) : null,
      route: isUp ? (isSameRoute(claim.route, PUBLISHED) ? PUBLISHED : 'open') : isSetUp ? gateway && PUBLISHED : claim.route && PUBLISHED,
    } satisfies Partial<Domain>),
    ...((isReady(claim) || (claim.switchLater && !isRemoval && !isUp)) && { switchLater: true }),
    ...(contest && !isRemoval && { contest: { since: contest.since && aged(contest.since, CONTEST_AGES) } }),
    ...(claim.isProxied && isServed(claim) && { isProxied: true }),
    ...(takeover && isUp && { takeover: { until: timeOf(AT_MS + CONTEST_AGES[0]), reason: hasVisitors(takeover) || isReady(claim) ? null : 'https_unreachable', message: '' } }),
    ...(isRemoval && Date.parse(claim.unmappedUntil ?? '') > AT_MS && { unmappedUntil: timeOf(AT_MS + MINUTE) }),
    ...(isRemoval && claim.isUnmapped && { isUnmapped: true }),
  };
}

/** A claim as it is when so much time has passed since then. */
export function after(claim: Domain, ms: number): Domain {
  const earlier = <Time extends string | null | undefined>(time: Time) =>
    (time ? timeOf(Date.parse(time) - ms) : time) as Time;
  const { contest, readyAt, phaseStartedAt, unmappedUntil } = claim;
  return {
    ...claim,
    phaseStartedAt: earlier(phaseStartedAt),
    readyAt: earlier(readyAt),
    ...(contest && { contest: { since: earlier(contest.since) } }),
    ...(unmappedUntil && { unmappedUntil: earlier(unmappedUntil) }),
  };
}

/** What time alone does to a claim: deadlines pass, and others do what was waited for so often. */
export function elapsed(claim: Domain): Domain[] {
  const { certificate, phase } = claim;
  const isRepeated = certificate.requests === 1;
  return [
    ...[MINUTE, ...ALL_AGES].map(age => after(claim, age + MINUTE)),
    ...(isInFlow(claim) && phase === 'attachment' ? [{ ...claim, rounds: READY_AFTER_ROUNDS }] : []),
    ...(isRepeated ? [{ ...claim, certificate: { ...certificate, requests: MAX_CERTIFICATE_REQUESTS - 1 } }] : []),
  ];
}

/** The claims with which everything begins. */
export function firstClaims(): Domain[] {
  const name = { domain: NAME, registrable: 'zoo.example' } as const;
  const claim = { project: 'zoo', target: TARGET, challenge: CHALLENGE, pointsAt: ENDPOINT };
  return [
    added({ ...name, kind: 'subdomain', zone: 'zoo.example' }, claim, AT_MS),
    added({ ...name, kind: 'apex', zone: NAME }, claim, AT_MS),
    added({ ...name, kind: 'subdomain', zone: 'zoo.example' }, { ...claim, contest: NOT_PROVEN }, AT_MS),
  ];
}

function mayHappen(transition: keyof typeof TRANSITIONS, { status }: Domain): boolean {
  const { from }: { from: readonly string[] } = TRANSITIONS[transition];
  return from.includes(status);
}

/** The owner verifies a claim again; undefined where that changes nothing. */
export function verified(claim: Domain, nowMs = AT_MS): Domain | undefined {
  const fate = certificateFate(claim);
  const isUseless = isAttached(claim) && fate !== 'lost';
  if (isUseless || !mayHappen('verificationStarted', claim)) return undefined;
  return verificationStarted(claim, fate, nowMs, { isContested: claim.contest !== undefined });
}

export function removed(claim: Domain, nowMs = AT_MS): Domain | undefined {
  return mayHappen('removalStarted', claim) ? removalStarted(claim, nowMs) : undefined;
}

/** What commands and others may make of a claim between two passes. */
export function commanded(claim: Domain): Domain[] {
  const { arn, ...view } = certified({ status: 'PENDING_VALIDATION' });
  const isUnprepared = claim.certificate.arn === null && mayHappen('certificatePrepared', claim) && !isBeingRemoved(claim);
  const isAway = !isAttached(claim) && mayHappen('switchPostponed', claim);
  return [
    verified(claim),
    removed(claim),
    isUnprepared ? certificatePrepared(claim, arn as string, { ...view, serial: null }) : undefined,
    isAway ? switchPostponed(claim) : undefined,
  ].filter(next => next !== undefined);
}
