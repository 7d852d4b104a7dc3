import { timeOf } from '../../../../shared/domains/clock.ts';
import type { ApiStage } from '../../../../shared/domains/front.ts';
import { type Domain, NO_CERTIFICATE } from '../../../../shared/domains/life/domain.ts';
import { DOMAIN_REASONS } from '../../../../shared/domains/life/domain-reason.ts';
import { type DomainStatus, isServed } from '../../../../shared/domains/life/domain-status.ts';
import {
  ATTACHMENT_DEADLINE_HOURS,
  CERTIFICATE_DEADLINE_HOURS,
  CERTIFICATE_EXPLANATION_MINUTES,
  DNS_DEADLINE_HOURS,
  REMOVAL_DEADLINE_HOURS,
  TAKEOVER_HOURS,
} from '../../../../shared/domains/life/waits.ts';
import {
  AT_MS,
  CHALLENGE,
  certified,
  claimed,
  ENDPOINT,
  HOST,
  NAME,
  PUBLISHED,
  REDIRECTS,
  TARGET,
  TRAFFIC,
  VALIDATION,
} from '../claimed-domain.ts';
import type { Dice } from './dice.ts';

/** Another project, which claims the name, too. */
export const RIVAL = {
  project: 'circus',
  target: 'fedcba98765432100123.apps.petstore.example',
  challenge: 'petstore-0123456789abcdef',
  published: { apiId: 'circus0001', stage: 'test' },
} as const;

/** Another domain of the project, which may redirect to the one of the claim, or the other way round. */
export const SIBLING = {
  domain: 'zoo.example',
  target: '00112233445566778899.apps.petstore.example',
  host: 'd-3.execute-api.us-east-1.amazonaws.com',
  certificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/sibling',
} as const;

const ROUTE_53 = ['ns-1.awsdns-01.org', 'ns-2.awsdns-02.com'];
const CLOUDFLARE = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
const WITHOUT_ALIAS = ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'];
const UNKNOWN = ['ns1.dns.example', 'ns2.dns.example'];
export const NAME_SERVERS = { ROUTE_53, CLOUDFLARE, WITHOUT_ALIAS, UNKNOWN } as const;

export const NO_ADDRESS_OF_OURS = '198.51.100.7';
export const OUR_ADDRESS = '192.0.2.1';
export const PROXY_ADDRESS = '104.16.0.1';

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_HOURS = 1 / 60;

export function hoursAgo(hours: number): string {
  return timeOf(AT_MS - hours * HOUR_MS);
}

/** A time since when something has gone on: mostly well before its deadline, often about then. */
function since(dice: Dice, ...deadlines: readonly number[]): string {
  const about = deadlines.flatMap(hours => [hours - MINUTE_HOURS, hours, hours + MINUTE_HOURS]);
  const late = Math.max(...deadlines) * 2;
  return hoursAgo(dice.chance(0.6) ? dice.pick(0, MINUTE_HOURS, 1) : dice.pick(late, ...about));
}

/** The stages of a claim that is on its way, by what works on them. */
const STAGES = {
  dns: { weight: 20, status: 'verifying', phase: 'dns' },
  certificate: { weight: 16, status: 'issuing', phase: 'certificate' },
  attachment: { weight: 18, status: 'issuing', phase: 'attachment' },
  /** Of a domain that waits for its traffic record since it was attached, or that was ready and was switched. */
  pointing: { weight: 10, status: 'verifying', phase: 'attachment' },
  failed: { weight: 6, status: 'failed', phase: null },
  removing: { weight: 12, status: 'removing', phase: 'removal' },
  stalled: { weight: 2, status: 'stalled', phase: 'removal' },
  unverified: { weight: 1, status: 'pending_dns', phase: 'dns' },
} as const satisfies Record<string, { weight: number; status: DomainStatus; phase: Domain['phase'] | null }>;
export type Stage = keyof typeof STAGES;

export function randomStage(dice: Dice): Stage {
  const stages = Object.entries(STAGES) as [Stage, (typeof STAGES)[Stage]][];
  return dice.oneOf(...stages.map(([stage, { weight }]) => [weight, stage] as const));
}

/** The claim of a situation, in this stage. `isContested`: another project owns the name. */
export function randomClaim(dice: Dice, stage: Stage, isContested: boolean): Domain {
  const kind = dice.pick('subdomain', 'subdomain', 'apex');
  const { status, phase } = STAGES[stage];
  const named = {
    kind,
    zone: kind === 'apex' ? NAME : 'zoo.example',
    nameServers: dice.pick(undefined, ROUTE_53, ROUTE_53, CLOUDFLARE, WITHOUT_ALIAS, UNKNOWN, []),
    status,
    phase: phase ?? dice.pick('dns', 'certificate', 'attachment'),
  } as const;
  const claim = claimed({
    ...named,
    attempt: 2,
    revision: 7,
    message: 'As it was.',
    verifyStartedAt: hoursAgo(1),
    records: seenRecords(dice, kind),
    ...IN_STAGE[stage](dice),
    ...milestones(dice, stage, isContested),
    ...(dice.chance(SWITCHED_LATER[stage] ?? 0) && { switchLater: true }),
    ...(dice.chance(0.1) && { restarts: 1 }),
  });
  return withManaged(dice, withTakeover(dice, claim));
}

const SWITCHED_LATER: Partial<Record<Stage, number>> = {
  dns: 0.2,
  certificate: 0.2,
  attachment: 0.35,
  pointing: 0.35,
};

type Fields = Partial<Domain>;

const IN_STAGE: Readonly<Record<Stage, (dice: Dice) => Fields>> = {
  unverified: () => ({}),
  dns: dice => ({
    ...waiting(dice, 'ownership_record_missing', 'takeover_pending'),
    phaseStartedAt: since(dice, DNS_DEADLINE_HOURS),
    certificate: dice.pick(
      NO_CERTIFICATE,
      certified({ status: 'PENDING_VALIDATION', serial: null }),
      certified({ status: 'PENDING_VALIDATION', serial: null, validations: [] }),
      certified(),
    ),
    ...(dice.chance(0.3) && attachedFields(dice)),
  }),
  certificate: dice => ({
    ...waiting(dice, 'certificate_record_missing', 'caa_blocked', 'certificate_delayed'),
    phaseStartedAt: since(dice, CERTIFICATE_EXPLANATION_MINUTES / 60, CERTIFICATE_DEADLINE_HOURS),
    certificate: dice.usually(
      certified({ status: 'PENDING_VALIDATION', serial: null, requests: dice.pick(0, 0, 1, 7) }),
      certified({ status: 'PENDING_VALIDATION', serial: null, requests: 8 }),
      certified({ status: 'PENDING_VALIDATION', serial: null, replaces: REPLACED_ARN }),
      { ...NO_CERTIFICATE, validations: [VALIDATION], replaces: REPLACED_ARN, requests: 1 },
      NO_CERTIFICATE,
    ),
    ...(dice.chance(0.2) && attachedFields(dice)),
  }),
  attachment: dice => attachmentFields(dice),
  pointing: dice => ({ ...attachmentFields(dice), ...attachedFields(dice) }),
  failed: dice => ({
    reason: dice.pick(...(DOMAIN_REASONS.filter(reason => reason !== 'takeover_announced') as [Reason])),
    certificate: dice.pick(NO_CERTIFICATE, certified()),
    ...(dice.chance(0.6) && attachedFields(dice)),
  }),
  removing: dice => removalFields(dice),
  stalled: dice => ({
    ...removalFields(dice),
    reason: dice.pick('gateway_busy', 'certificate_in_use', 'internal_error'),
  }),
};

type Reason = NonNullable<Domain['reason']>;

/** A certificate that was pending for too long, and is to be replaced. */
export const REPLACED_ARN = 'arn:aws:acm:us-east-1:000000000000:certificate/replaced';

/** What the earlier rounds of a step have left. */
function waiting(dice: Dice, ...reasons: readonly [Reason, ...Reason[]]): Fields {
  const rounds = dice.pick(0, 0, 1, 7, 8, 17, 18, 40);
  return {
    rounds,
    reason: rounds === 0 ? null : dice.pick(null, ...reasons),
    nextCheckAt: rounds === 0 ? null : hoursAgo(0),
  };
}

function attachmentFields(dice: Dice): Fields {
  const isRefused = dice.chance(0.15);
  return {
    ...waiting(dice, 'https_unreachable', 'traffic_record_missing', 'domain_name_being_released'),
    ...(isRefused && { reason: 'attachment_refused', quota: dice.pick('L-A93447B8', undefined) }),
    phaseStartedAt: since(dice, ATTACHMENT_DEADLINE_HOURS),
    certificate: certified(),
    slotAt: dice.pick(null, null, hoursAgo(0.01), hoursAgo(-0.5)),
    ...(dice.chance(0.4) && attachedFields(dice)),
    route: dice.pick<Domain['route']>(null, null, 'open', PUBLISHED),
  };
}

/** What a domain has that is, or was, attached. */
function attachedFields(dice: Dice): Fields {
  return {
    gateway: { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
    pointsAt: HOST,
    attachedAt: hoursAgo(1),
    // A domain that is verified again may have been live behind a proxy.
    ...(dice.chance(0.1) && { isProxied: true }),
    route: dice.usually<Domain['route']>(PUBLISHED, 'open', null, OTHER_ROUTE, REDIRECTS),
  };
}

/** What somebody else has mapped a domain to. */
export const OTHER_ROUTE: ApiStage = { apiId: 'somebodys1', stage: 'prod' };

function removalFields(dice: Dice): Fields {
  return {
    rounds: dice.pick(0, 1, 11, 12, 40),
    phaseStartedAt: since(dice, REMOVAL_DEADLINE_HOURS),
    certificate: dice.pick(NO_CERTIFICATE, certified(), certified(), certified({ status: 'EXPIRED' })),
    ...(dice.chance(0.7) && attachedFields(dice)),
    slotAt: dice.pick(null, null, hoursAgo(0.01), hoursAgo(-0.5)),
    ...(dice.chance(0.3) && { unmappedUntil: dice.pick(hoursAgo(0.1), hoursAgo(-0.01)) }),
    ...(dice.chance(0.2) && { isUnmapped: true }),
    message: 'No longer served.',
  };
}

/** When the claim passed what it has passed. */
function milestones(dice: Dice, stage: Stage, isContested: boolean): Fields {
  if (stage === 'unverified') return {};
  if (stage === 'dns') {
    if (isContested) return { contest: contestOf(dice) };
    return dice.usually<Fields>({ provenAt: dice.pick(null, hoursAgo(400)) }, { contest: contestOf(dice) });
  }
  if (stage === 'failed' && (isContested || dice.chance(0.4))) return {};
  if (stage === 'removing' && dice.chance(0.2)) return {};
  const verifiedAt = hoursAgo(3);
  const issuedAt = stage === 'certificate' ? null : hoursAgo(2);
  return { verifiedAt, provenAt: verifiedAt, issuedAt };
}

function contestOf(dice: Dice): NonNullable<Domain['contest']> {
  return { since: dice.chance(0.3) ? null : since(dice, TAKEOVER_HOURS) };
}

/** Some owners were told that they are about to lose the name. */
function withTakeover(dice: Dice, claim: Domain, probability = 0.1): Domain {
  const canBeTold = claim.provenAt !== null && claim.status !== 'live' && claim.phase !== 'removal';
  if (!canBeTold || !dice.chance(probability)) return claim;
  const until = hoursAgo(dice.pick(-6, -5.9, -3, 0, 0.5, 1.5));
  const { reason, message } = claim;
  const isSaid = dice.chance(0.7);
  const takeover = { until, reason: isServed(claim) && dice.chance(0.5) ? null : reason, message };
  return { ...claim, takeover, ...(isSaid && { reason: 'takeover_announced' }) };
}

function withManaged(dice: Dice, claim: Domain): Domain {
  const record = { zoneId: 'ZZOO', ttl: 3600, aliasZoneId: null } as const;
  const all: Domain['managed'] = [
    { ...record, type: 'CNAME', ...VALIDATION },
    { ...record, type: 'TXT', name: `_petstore-challenge.${NAME}`, value: CHALLENGE },
    claim.kind === 'apex'
      ? { ...record, type: 'A', name: NAME, value: HOST, ttl: 0, aliasZoneId: 'Z1UJRXOUMOOFQ8' }
      : { ...record, type: 'CNAME', name: NAME, value: TARGET },
    // Of a domain name that was deleted and created again, or of a name that was an apex.
    { ...record, type: 'A', name: NAME, value: 'd-0.example', ttl: 0, aliasZoneId: 'Z1UJRXOUMOOFQ8' },
  ];
  if (!dice.chance(0.25)) return claim;
  return { ...claim, managed: all.filter(() => dice.chance(0.5)) };
}

/** The traffic record as an earlier check has seen it, if there was one. */
function seenRecords(dice: Dice, kind: Domain['kind']): Domain['records'] {
  const traffic = {
    ...TRAFFIC,
    ...(kind === 'apex' && { type: 'ALIAS' as const, label: '@' }),
    advice: [],
    action: null,
  };
  const inTheWay = kind === 'apex' ? 'mismatch' : 'conflict';
  return dice.oneOf<Domain['records']>(
    [30, []],
    [40, [{ ...traffic, state: 'ok', observed: kind === 'apex' ? [OUR_ADDRESS] : [TARGET] }]],
    [10, [{ ...traffic, state: 'ok', observed: [OUR_ADDRESS] }]],
    [10, [{ ...traffic, state: 'missing', observed: [], action: 'Create it.' }]],
    [10, [{ ...traffic, state: inTheWay, observed: [PROXY_ADDRESS], action: 'Turn the proxy off.' }]],
    [10, [{ ...traffic, state: 'mismatch', observed: [NO_ADDRESS_OF_OURS], action: 'Change it.' }]],
  );
}

/** The claim of another project to the same name, which owns it or contests it. */
export function randomRival(dice: Dice, isOwner: boolean): Domain {
  const { project, target, challenge, published } = RIVAL;
  const own = { project, target, challenge, revision: 4, attempt: 5, message: 'As it was.' } as const;
  if (!isOwner) {
    return claimed({ ...own, status: 'verifying', phase: 'dns', contest: contestOf(dice) });
  }
  const kind = dice.pick('subdomain', 'subdomain', 'apex');
  const { status, phase } = dice.pick<{ status: DomainStatus; phase: Domain['phase'] }>(
    { status: 'live', phase: 'live' },
    { status: 'live', phase: 'live' },
    { status: 'needs_attention', phase: 'live' },
    { status: 'ready', phase: 'attachment' },
    { status: 'failed', phase: 'attachment' },
    { status: 'issuing', phase: 'certificate' },
    { status: 'verifying', phase: 'dns' },
    { status: 'removing', phase: 'removal' },
    { status: 'stalled', phase: 'removal' },
  );
  const isAttached = phase === 'live' || status === 'ready';
  const rival = claimed({
    ...own,
    kind,
    status,
    phase,
    reason: status === 'needs_attention' ? 'traffic_record_missing' : null,
    zone: kind === 'apex' ? NAME : 'zoo.example',
    provenAt: hoursAgo(500),
    verifiedAt: hoursAgo(500),
    certificate: certified({ arn: 'arn:aws:acm:us-east-1:000000000000:certificate/rival' }),
    ...(isAttached && { ...attachedFields(dice), route: published }),
    ...(status === 'ready' && { readyAt: hoursAgo(10) }),
  });
  return withTakeover(dice, withManaged(dice, rival), 0.4);
}

/** Another domain of the same project, which is live. `isAway`: its visitors get elsewhere. */
export function siblingClaim(route: ApiStage, isAway: boolean): Domain {
  return claimed({
    domain: SIBLING.domain,
    kind: 'apex',
    zone: SIBLING.domain,
    target: SIBLING.target,
    status: isAway ? 'needs_attention' : 'live',
    reason: isAway ? 'traffic_record_mismatch' : null,
    phase: 'live',
    attempt: 2,
    revision: 3,
    message: 'Live.',
    pointsAt: SIBLING.host,
    gateway: { host: SIBLING.host, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
    route,
    certificate: certified({ arn: SIBLING.certificateArn, serial: 'bb:01' }),
    verifiedAt: hoursAgo(90),
    provenAt: hoursAgo(90),
    liveAt: hoursAgo(90),
  });
}

/** Before it is attached, the host of a claim points at this. */
export const BEFORE_ATTACHED = ENDPOINT;
