import { isLost } from '../../../../shared/domains/aws/certificates.ts';
import { timeOf } from '../../../../shared/domains/clock.ts';
import { isBehindCloudflare, isFlattened } from '../../../../shared/domains/dns/required-record.ts';
import { type ApiStage, isSameRoute as isSame } from '../../../../shared/domains/front.ts';
import { viewed } from '../../../../shared/domains/life/change.ts';
import { type Domain, NO_CERTIFICATE } from '../../../../shared/domains/life/domain.ts';
import {
  DOMAIN_REASONS,
  type DomainReason,
  factsOfReason,
  isOfVisitors,
} from '../../../../shared/domains/life/domain-reason.ts';
import {
  isAttached,
  isBeingRemoved,
  isInFlow,
  isReady,
  isServed,
} from '../../../../shared/domains/life/domain-status.ts';
import {
  CERTIFICATE_EXPLANATION_MINUTES,
  CERTIFICATE_PENDING_HOURS,
  certificateSpentAt,
  LATE_HOURS,
  MAX_CERTIFICATE_REQUESTS,
  READY_AFTER_ROUNDS,
  READY_DAYS,
  REMINDER_DAYS,
  REMOVAL_DEADLINE_HOURS,
  TAKEOVER_HOURS,
  VERIFICATION_DAYS,
  verificationEndsAt,
  waitsSince,
} from '../../../../shared/domains/life/waits.ts';
import {
  claimed as added,
  NOT_PROVEN,
  removalStarted,
  switchPostponed,
  verificationStarted,
} from '../../../../shared/domains/life/wishes.ts';
import { certificateFate } from '../../../../shared/operator/domains/verify-domain.ts';
import {
  AT,
  AT_MS,
  CHALLENGE,
  certified,
  claimed,
  clockAt,
  DAY,
  ENDPOINT,
  HOST,
  HOUR,
  MINUTE,
  NAME,
  PUBLISHED,
  TARGET,
  VALIDATION,
} from '../claimed-domain.ts';
import { recordSeen } from './walk-world.ts';

/** The ages at which something changes, a moment later, by what is waited for. */
const AGES = {
  created: [CERTIFICATE_PENDING_HOURS * HOUR, VERIFICATION_DAYS * DAY],
  verifying: [LATE_HOURS * HOUR, VERIFICATION_DAYS * DAY],
  issuing: [CERTIFICATE_EXPLANATION_MINUTES * MINUTE, LATE_HOURS * HOUR],
  attaching: [LATE_HOURS * HOUR],
  verified: [VERIFICATION_DAYS * DAY],
  ready: [(READY_DAYS - REMINDER_DAYS) * DAY, READY_DAYS * DAY],
  contested: [TAKEOVER_HOURS * HOUR],
  removing: [REMOVAL_DEADLINE_HOURS * HOUR],
} as const;
const CLOCK = clockAt(AT_MS);
const ALL_AGES = [...new Set(Object.values(AGES).flat())];

/** How far a claim that is set up or attached has come. */
function stageOf(claim: Domain): 'idle' | 'verifying' | 'issuing' | 'attaching' | 'attached' | 'removing' {
  if (isBeingRemoved(claim)) return 'removing';
  if (isAttached(claim)) return 'attached';
  if (!isInFlow(claim)) return 'idle';
  if (claim.verifiedAt === null) return 'verifying';
  return claim.issuedAt === null ? 'issuing' : 'attaching';
}

/** The time of the youngest that is as old in effect. */
function aged(time: string | null, ages: readonly number[]): string | null {
  if (time === null) return null;
  const passed = ages.filter(age => AT_MS - Date.parse(time) > age);
  return timeOf(passed.length > 0 ? AT_MS - Math.max(...passed) - MINUTE : AT_MS);
}

function moment(time: string | null): string | null {
  return time && AT;
}

/** Reasons that a pass asks for by their names. All others are what their facts say. */
const NAMED: readonly DomainReason[] = ['attachment_refused', 'certificate_delayed', 'redirect_suspended'];

/** Those by which a claim that isn't attached goes on in another way. */
const WAITED_FOR: readonly DomainReason[] = ['attachment_refused', 'certificate_delayed'];

function likeReason(reason: DomainReason | null): DomainReason | null {
  if (reason === null || NAMED.includes(reason)) return reason;
  const factsFor = (each: DomainReason) => `${isOfVisitors(each)} ${factsOfReason(each).hidesDomain}`;
  return DOMAIN_REASONS.find(each => !NAMED.includes(each) && factsFor(each) === factsFor(reason)) ?? reason;
}

/** What a look shows again before anybody believes it is left out; whether the certificate of an attached domain is lost isn't. */
function likeCertificate(claim: Domain): Domain['certificate'] {
  const { arn, requests, status } = claim.certificate;
  const stage = stageOf(claim);
  const known = isLost(claim.certificate) ? 'REVOKED' : status === 'ISSUED' ? 'ISSUED' : 'PENDING_VALIDATION';
  const counts = stage === 'issuing' ? [MAX_CERTIFICATE_REQUESTS - 1, MAX_CERTIFICATE_REQUESTS] : [];
  return {
    ...NO_CERTIFICATE,
    arn: arn && (certified().arn as string),
    status:
      arn === null || stage === 'removing'
        ? null
        : stage === 'issuing' || (stage === 'verifying' && claim.provenAt !== null)
          ? 'PENDING_VALIDATION'
          : known,
    requests: arn ? Math.max(0, ...counts.filter(count => requests >= count)) : 0,
    validations: [VALIDATION],
  };
}

/** When the claim came where it is: times beyond the same deadlines are the same. */
function likeTimes(claim: Domain): Partial<Domain> {
  const stage = stageOf(claim);
  const { createdAt, verifyStartedAt, verifiedAt, issuedAt, readyAt, removalStartedAt, lateAt } = claim;
  const isUnproven = claim.provenAt === null && stage !== 'removing';
  const isSetUp = ['verifying', 'issuing', 'attaching'].includes(stage);
  // The end of a verification is far beyond the time at which it's late.
  const isOver = Date.parse(verificationEndsAt(claim, CLOCK)) <= AT_MS;
  return {
    createdAt:
      isUnproven && (!verifyStartedAt || certificateSpentAt(claim, CLOCK))
        ? (aged(createdAt, verifyStartedAt ? AGES.created.slice(0, 1) : AGES.created) as string)
        : AT,
    verifyStartedAt:
      isSetUp || isUnproven
        ? aged(verifyStartedAt, stage === 'verifying' ? AGES.verifying : AGES.verified)
        : AT,
    verifiedAt:
      stage === 'idle' || stage === 'removing'
        ? null
        : stage === 'issuing'
          ? aged(isOver ? verifyStartedAt : verifiedAt, AGES.issuing)
          : moment(verifiedAt),
    issuedAt:
      stage === 'idle' || stage === 'removing'
        ? null
        : stage === 'attaching'
          ? aged(isOver ? verifyStartedAt : issuedAt, AGES.attaching)
          : moment(issuedAt),
    provenAt: moment(claim.provenAt),
    readyAt: isReady(claim) ? aged(readyAt, AGES.ready) : null,
    remindedAt: isReady(claim) ? moment(claim.remindedAt) : null,
    failedAt: claim.status === 'failed' ? AT : null,
    liveAt: isServed(claim) ? AT : null,
    removalStartedAt: stage === 'removing' ? aged(removalStartedAt, AGES.removing) : null,
    ...(lateAt && isSetUp && AT_MS - Date.parse(waitsSince(claim)) > LATE_HOURS * HOUR && { lateAt: AT }),
  };
}

function isSameRoute(route: Domain['route'], wanted: ApiStage): boolean {
  return route !== 'open' && isSame(route ?? undefined, wanted);
}

/** A proxy, or addresses in place of a CNAME record, which the next check needs to know. */
function likeRecords(claim: Domain): Domain['records'] {
  const shown = claim.records.find(({ purpose }) => purpose === 'traffic');
  const isHidden = isBehindCloudflare(claim) || (shown && isFlattened(shown));
  const isProvenByText =
    claim.kind === 'apex' || claim.contest !== undefined || (claim.switchLater && !isServed(claim));
  if (!shown || !isHidden || isProvenByText || isReady(claim)) return [];
  const { observed, ...record } = recordSeen(shown, 'flattened');
  return [{ ...record, observed: [...observed] }];
}

const CLAIM = claimed({ message: '', history: [] });

/**
 * A claim without what makes no difference to what happens to it next: texts, counters, and times but for the deadlines that
 * they are beyond. What it says of the world is kept as far as a pass believes it without another look.
 */
export function abstracted(claim: Domain): Domain {
  const { contest, takeover, status, kind, reason, route } = claim;
  const stage = stageOf(claim);
  const gateway = stage === 'attaching' || stage === 'attached' ? claim.gateway : null;
  const [isRemoval, isUp] = [stage === 'removing', stage === 'attached'];
  const isKnownReason = isServed(claim) || (reason && WAITED_FOR.includes(reason));
  return {
    ...CLAIM,
    ...likeTimes(claim),
    status,
    ...(kind === 'apex' && !isRemoval && { kind, zone: NAME }),
    reason: isKnownReason ? likeReason(reason) : isUp && reason ? 'https_unreachable' : null,
    pointsAt: gateway ? HOST : ENDPOINT,
    gateway: gateway && { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
    slotAt: isRemoval ? moment(claim.slotAt) : null,
    certificate: likeCertificate(claim),
    records: isRemoval ? [] : likeRecords(claim),
    rounds: stage === 'attaching' && claim.rounds >= READY_AFTER_ROUNDS ? READY_AFTER_ROUNDS : 0,
    route: isUp
      ? isSameRoute(route, PUBLISHED)
        ? PUBLISHED
        : 'open'
      : stage === 'idle' || isRemoval
        ? route && PUBLISHED
        : gateway && PUBLISHED,
    ...((isReady(claim) || (claim.switchLater && kind === 'subdomain' && !isRemoval && !isUp)) && {
      switchLater: true,
    }),
    ...(contest && !isRemoval && { contest: { since: aged(contest.since, AGES.contested) } }),
    ...(claim.isProxied && isServed(claim) && { isProxied: true }),
    ...(takeover && isUp && { takeover: timeOf(AT_MS + TAKEOVER_HOURS * HOUR) }),
    ...(isRemoval &&
      Date.parse(claim.unmappedUntil ?? '') > AT_MS && { unmappedUntil: timeOf(AT_MS + MINUTE) }),
    ...(isRemoval && claim.isUnmapped && { isUnmapped: true }),
  };
}

/** A claim as it is when so much time has passed since then. */
export function after(claim: Domain, ms: number): Domain {
  const earlier = <Time extends string | null | undefined>(time: Time) =>
    (time ? timeOf(Date.parse(time) - ms) : time) as Time;
  const { contest, unmappedUntil, lateAt } = claim;
  return {
    ...claim,
    createdAt: earlier(claim.createdAt),
    verifyStartedAt: earlier(claim.verifyStartedAt),
    verifiedAt: earlier(claim.verifiedAt),
    issuedAt: earlier(claim.issuedAt),
    readyAt: earlier(claim.readyAt),
    removalStartedAt: earlier(claim.removalStartedAt),
    ...(lateAt && { lateAt: earlier(lateAt) }),
    ...(contest && { contest: { since: earlier(contest.since) } }),
    ...(unmappedUntil && { unmappedUntil: earlier(unmappedUntil) }),
  };
}

/** What time alone does to a claim: deadlines pass, and others do what was waited for so often. */
export function elapsed(claim: Domain): Domain[] {
  const { certificate } = claim;
  const isRepeated = stageOf(claim) === 'issuing' && certificate.requests === 0;
  return [
    ...[MINUTE, ...ALL_AGES].map(age => after(claim, age + MINUTE)),
    ...(stageOf(claim) === 'attaching' ? [{ ...claim, rounds: READY_AFTER_ROUNDS }] : []),
    ...(isRepeated
      ? [{ ...claim, certificate: { ...certificate, requests: MAX_CERTIFICATE_REQUESTS - 1 } }]
      : []),
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

/** The owner verifies a claim again; undefined where that changes nothing. */
export function verified(claim: Domain, nowMs = AT_MS): Domain | undefined {
  const fate = certificateFate(claim);
  const isUseless = isAttached(claim) && fate !== 'lost';
  if (isUseless || isBeingRemoved(claim)) return undefined;
  return verificationStarted(claim, fate, nowMs, { isContested: claim.contest !== undefined });
}

export function removed(claim: Domain, nowMs = AT_MS): Domain | undefined {
  return claim.status === 'removing' ? undefined : removalStarted(claim, nowMs);
}

/** What commands and others may make of a claim between two passes. */
export function commanded(claim: Domain): Domain[] {
  const { arn, ...view } = certified({ status: 'PENDING_VALIDATION' });
  const isUnprepared =
    claim.certificate.arn === null && ['pending_dns', 'verifying', 'failed'].includes(claim.status);
  const isAway = !isAttached(claim) && !isBeingRemoved(claim);
  return [
    verified(claim),
    removed(claim),
    isUnprepared
      ? { ...claim, certificate: { ...viewed(claim, { ...view, serial: null }), arn: arn as string } }
      : undefined,
    isAway ? switchPostponed(claim, AT_MS) : undefined,
  ].filter(next => next !== undefined);
}
