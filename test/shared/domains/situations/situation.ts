import type { AccountZone } from '../../../../shared/domains/aws/account-zones.ts';
import type { ApiStage, AttachedDomain } from '../../../../shared/domains/front.ts';
import type { CertificateView, Domain, ManagedRecord } from '../../../../shared/domains/life/domain.ts';
import { isServed } from '../../../../shared/domains/life/domain-status.ts';
import { TAKEOVER_HOURS } from '../../../../shared/domains/life/waits.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
import type { Project } from '../../../../shared/projects/project.ts';
import { activeRedirect, type Redirect } from '../../../../shared/projects/routing.ts';
import { DEPLOYED, someProject } from '../../projects/some-project.ts';
import { AT_MS, certified, HOST, NAME, PUBLISHED, REDIRECTS, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type Dice, dice } from './dice.ts';
import {
  BEFORE_ATTACHED,
  hoursAgo,
  NAME_SERVERS,
  OTHER_ROUTE,
  REPLACED_ARN,
  RIVAL,
  randomClaim,
  randomRival,
  randomStage,
  SIBLING,
  type Stage,
  siblingClaim,
} from './situation-claims.ts';
import { randomDns, type SituationDns } from './situation-dns.ts';

/** A claim as it is stored, and the world around it, at one instant. It can be written as JSON. */
export interface Situation {
  readonly seed: number;
  readonly stage: Stage;
  readonly nowMs: number;
  /** The claim that is worked on. */
  readonly claim: Domain;
  /** The claim of another project to the name. */
  readonly rival: Domain | null;
  /** Another domain of the same project. */
  readonly sibling: Domain | null;
  /** The project that has proven the name. */
  readonly owner: string | null;
  readonly projects: readonly Project[];
  readonly dns: SituationDns;
  readonly hosted: { readonly zones: readonly AccountZone[]; readonly records: readonly ManagedRecord[] };
  readonly acm: SituationAcm;
  readonly gateway: SituationGateway;
  /** The hosts in the platform's zone. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly reach: {
    readonly edge: Reached;
    readonly visitors: Reached;
    /** What visitors get once caches have forgotten what was there before the records of today. */
    readonly later: Reached;
  };
}

/** A certificate of the account. `target`: of the claim that it was requested for. */
export interface SituationCertificate {
  readonly arn: string;
  readonly target: string | null;
  readonly view: CertificateView;
  /** Whether something else uses it, so that it can't be deleted. */
  readonly isInUse: boolean;
}

interface SituationAcm {
  readonly certificates: readonly SituationCertificate[];
  /** Whether certificates of others are validated by the same record. */
  readonly isRecordShared: boolean;
}

/** A domain name at API Gateway: of the claim with this target, or of another environment. */
export type SituationName = Omit<AttachedDomain, 'isOurs'> & { readonly target: string | null };

/** How API Gateway refuses a change of a domain name. */
export type Refusal = 'busy' | 'rejected' | 'full' | 'taken' | 'created by others' | 'created by the rival';

interface SituationGateway {
  readonly names: Readonly<Record<string, SituationName>>;
  readonly routes: Readonly<Record<string, ApiStage>>;
  readonly attachRefusal: Refusal | null;
  readonly isDetachBusy: boolean;
  /** The APIs that were deleted. */
  readonly missingApis: readonly string[];
  /** How long after now the next slot is. */
  readonly slotInMs: number;
}

/** The situation of a seed. */
export function situationOf(seed: number): Situation {
  const random = dice(seed);
  const stage = randomStage(random);
  const isContested = random.chance(RIVAL_OWNS[stage] ?? 0);
  const drawn = randomClaim(random, stage, isContested);
  const rival = isContested || random.chance(0.06) ? randomRival(random, isContested) : null;
  const isManaged = random.chance(0.2);
  const claim = isManaged ? { ...drawn, nameServers: NAME_SERVERS.ROUTE_53 } : drawn;
  const projects = randomProjects(random, rival);
  const sibling = random.chance(0.15) ? siblingOf(projects[0]) : null;
  const isBeforeSwitch = random.chance(claim.switchLater ? 0.7 : 0.1);
  const { leadsHere, ...dns } = randomDns(random, {
    claim,
    hasRival: isContested,
    isBeforeSwitch,
    isManaged,
  });
  return {
    seed,
    stage,
    nowMs: AT_MS,
    claim,
    rival: rival && toldBy(random, rival, claim),
    sibling,
    owner: isContested ? RIVAL.project : claim.provenAt === null ? null : claim.project,
    projects,
    dns,
    hosted: hostedZones(random, claim, isManaged),
    acm: randomAcm(random, stage, claim, [rival, sibling]),
    gateway: randomGateway(random, stage, claim, projects[0], rival, sibling),
    hosts: hostsOf(random, claim, sibling),
    reach: randomReach(random, leadsHere),
  };
}

/** How often another project owns the name of a claim. */
const RIVAL_OWNS: Partial<Record<Stage, number>> = { dns: 0.4, failed: 0.2, removing: 0.2, stalled: 0.2 };

/** An owner that was told of a takeover mostly knows when it is. */
function toldBy(random: Dice, rival: Domain, { contest }: Domain): Domain {
  const { takeover } = rival;
  if (!takeover || !contest || random.chance(0.3)) return rival;
  const since = Date.parse(contest.since ?? hoursAgo(0));
  const until = new Date(since + TAKEOVER_HOURS * 60 * 60 * 1000).toISOString();
  return { ...rival, takeover: { ...takeover, until } };
}

function randomProjects(random: Dice, rival: Domain | null): Project[] {
  const from = (to: string): Redirect => ({ from: NAME, to, status: 308 });
  const redirects = random.oneOf<Redirect[]>(
    [70, []],
    [15, [from(SIBLING.domain)]],
    [15, [{ from: SIBLING.domain, to: NAME, status: 301 }]],
  );
  const isOwnLive = random.chance(0.03);
  const isAway = isOwnLive && random.chance(0.1);
  const isSiblingLive = random.chance(0.6);
  const isSiblingAway = isSiblingLive && random.chance(0.2);
  const awayDomains = [...(isAway ? [NAME] : []), ...(isSiblingAway ? [SIBLING.domain] : [])];
  const zoo = someProject({
    deploy: DEPLOYED,
    liveDomains: [...(isSiblingLive ? [SIBLING.domain] : []), ...(isOwnLive ? [NAME] : [])],
    primary: redirects.some(redirect => redirect.from === NAME) ? SIBLING.domain : random.pick(NAME, null),
    redirects,
    ...(awayDomains.length > 0 && { awayDomains }),
  });
  const circus = someProject({
    id: RIVAL.project,
    deploy: DEPLOYED,
    ...RIVAL.published,
    ...(rival && isServed(rival) && { liveDomains: [NAME], primary: NAME }),
  });
  const present = random.usually<Project[]>(
    [zoo],
    [],
    [{ ...zoo, plan: 'free' }],
    [{ ...zoo, deploy: { ...DEPLOYED, succeededAt: null } }],
    [{ ...zoo, apiId: 'another001' }],
  );
  return [...present, circus];
}

/** What a domain of the project is mapped to while it is served. */
function routeOf(project: Project | undefined, domain: string): ApiStage {
  return project && activeRedirect(project, domain) ? REDIRECTS : PUBLISHED;
}

function siblingOf(project: Project | undefined): Domain {
  const isAway = project?.awayDomains?.includes(SIBLING.domain) === true;
  return siblingClaim(routeOf(project, SIBLING.domain), isAway);
}

function hostedZones(random: Dice, { zone, managed }: Domain, isManaged: boolean): Situation['hosted'] {
  const hosted = { id: 'ZZOO', name: zone, isPrivate: false, nameServers: NAME_SERVERS.ROUTE_53 };
  const zones = random.usually<AccountZone[]>(
    [hosted],
    [],
    [{ ...hosted, isPrivate: true }],
    [{ ...hosted, nameServers: ['ns-9.awsdns-09.net'] }],
  );
  const former = { zoneId: 'ZZOO', type: 'A', name: NAME, ttl: 300, aliasZoneId: null } as const;
  return {
    zones: isManaged ? zones : [],
    records: [
      ...managed.filter(() => random.chance(0.8)),
      ...(random.chance(0.05) ? [{ ...former, value: '198.51.100.7' }] : []),
    ],
  };
}

const ISSUED: CertificateView = {
  status: 'ISSUED',
  serial: 'aa:01',
  failure: null,
  renewal: null,
  validFrom: hoursAgo(24 * 100),
  expiresAt: hoursAgo(-24 * 290),
  validations: [VALIDATION],
};
const PENDING: CertificateView = {
  status: 'PENDING_VALIDATION',
  serial: null,
  failure: null,
  renewal: null,
  validFrom: null,
  expiresAt: null,
  validations: [VALIDATION],
};
const GONE: CertificateView = { ...PENDING, status: null, validations: [] };

function randomAcm(
  random: Dice,
  stage: Stage,
  claim: Domain,
  others: readonly (Domain | null)[],
): SituationAcm {
  const { arn, renewal } = claim.certificate;
  const lost = [
    { ...ISSUED, status: 'EXPIRED' },
    { ...ISSUED, status: 'REVOKED' },
    { ...PENDING, status: 'INACTIVE' },
    GONE,
  ] as const;
  const pending = random.oneOf<CertificateView>(
    [30, ISSUED],
    [30, PENDING],
    [10, { ...PENDING, validations: [] }],
    [10, { ...PENDING, status: 'FAILED', failure: 'CAA_ERROR' }],
    [6, { ...PENDING, status: 'FAILED', failure: 'ADDITIONAL_VERIFICATION_REQUIRED' }],
    [8, { ...PENDING, status: 'VALIDATION_TIMED_OUT' }],
    [8, GONE],
    ...lost.map(view => [1, view] as const),
  );
  const issued = random.usually<CertificateView>(
    { ...ISSUED, renewal },
    ...lost,
    { ...ISSUED, renewal: 'PENDING_VALIDATION' },
    { ...ISSUED, renewal: 'FAILED' },
    { ...ISSUED, renewal: 'SUCCESS', serial: 'aa:02' },
    { ...ISSUED, renewal: 'PENDING_AUTO_RENEWAL' },
  );
  const isPending = claim.certificate.status === 'PENDING_VALIDATION';
  const hasOther = random.chance(0.05);
  const certificate = { target: TARGET, isInUse: stage === 'removing' && random.chance(0.2) };
  return {
    certificates: [
      ...(arn === null ? [] : [{ ...certificate, arn, view: isPending ? pending : issued }]),
      // The response to its request was lost.
      ...(hasOther ? [{ ...certificate, arn: OTHER_ARN, view: random.pick(ISSUED, PENDING, GONE) }] : []),
      ...(claim.certificate.replaces ? [{ ...certificate, arn: REPLACED_ARN, view: PENDING }] : []),
      ...others.flatMap(other => (other?.certificate.arn ? [ofOther(other, other.certificate.arn)] : [])),
      { arn: OF_OTHERS_ARN, target: null, view: { ...ISSUED, serial: 'ff:01' }, isInUse: true },
    ].filter(({ view }) => view.status !== null),
    isRecordShared: random.chance(0.1),
  };
}

const OTHER_ARN = 'arn:aws:acm:us-east-1:000000000000:certificate/other';
const OF_OTHERS_ARN = 'arn:aws:acm:us-east-1:000000000000:certificate/of-others';

function ofOther({ certificate, target }: Domain, arn: string): SituationCertificate {
  return {
    arn,
    target,
    view: { ...ISSUED, serial: certificate.serial ?? null },
    isInUse: false,
  };
}

const ATTACHED = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' } as const;

function randomGateway(
  random: Dice,
  stage: Stage,
  claim: Domain,
  project: Project | undefined,
  rival: Domain | null,
  sibling: Domain | null,
): SituationGateway {
  const arn = claim.certificate.arn ?? certified().arn ?? '';
  const ours: SituationName = { ...ATTACHED, certificateArn: arn, target: TARGET };
  const theirs: SituationName = {
    ...ATTACHED,
    host: 'd-9.example',
    certificateArn: OF_OTHERS_ARN,
    target: null,
  };
  const rivals: SituationName = {
    ...ATTACHED,
    host: 'd-8.example',
    certificateArn: rival?.certificate.arn ?? OF_OTHERS_ARN,
    target: RIVAL.target,
  };
  const wrong = [
    null,
    { ...ours, certificateArn: OF_OTHERS_ARN },
    { ...ours, host: 'd-7.example' },
    theirs,
    rivals,
  ] as const;
  const isOfRival = rival !== null && rival.gateway !== null && random.chance(0.8);
  const right = claim.gateway ? ours : isOfRival ? rivals : null;
  const found =
    stage === 'attachment' && !claim.gateway
      ? random.oneOf<SituationName | null>([50, null], [25, ours], [25, right])
      : right;
  const name = random.usually<SituationName | null>(found, ...wrong);
  const required = routeOf(project, NAME);
  const isRouted = claim.gateway !== null && claim.route !== null;
  const route =
    name && random.usually<ApiStage | null>(isRouted ? required : null, null, OTHER_ROUTE, required);
  return {
    names: {
      ...(name && { [NAME]: name }),
      ...(sibling && {
        [SIBLING.domain]: {
          ...ATTACHED,
          host: SIBLING.host,
          certificateArn: SIBLING.certificateArn,
          target: SIBLING.target,
        },
      }),
    },
    routes: {
      ...(route && { [NAME]: name.target === RIVAL.target ? RIVAL.published : route }),
      ...(sibling && { [SIBLING.domain]: sibling.route as ApiStage }),
    },
    attachRefusal: random.oneOf<Refusal | null>(
      [82, null],
      [4, 'busy'],
      [3, 'rejected'],
      [3, 'full'],
      [2, 'taken'],
      [3, 'created by others'],
      [3, 'created by the rival'],
    ),
    isDetachBusy: random.chance(0.25),
    missingApis: random.usually<readonly string[]>([], [PUBLISHED.apiId], [REDIRECTS.apiId]),
    slotInMs: random.oneOf([85, 0], [15, 90_000]),
  };
}

function hostsOf(random: Dice, claim: Domain, sibling: Domain | null): Record<string, string> {
  const host = random.usually<string | null>(claim.pointsAt, BEFORE_ATTACHED, 'else.example', null);
  return {
    ...(host !== null && { [TARGET]: host }),
    ...(sibling && { [SIBLING.target]: SIBLING.host }),
  };
}

const ARRIVED: Reached = { kind: 'reached' };

/** How requests end that don't arrive, by what is wrong. */
const UNREACHED: { readonly [Kind in Exclude<Reached['kind'], 'reached'>]: Reached & { kind: Kind } } = {
  unreachable: { kind: 'unreachable', why: 'The connection was refused.', at: '198.51.100.7' },
  certificate_wrong: { kind: 'certificate_wrong', why: "It's for another name.", at: '198.51.100.7' },
  answer_foreign: { kind: 'answer_foreign', why: "The response (200) isn't from the API." },
  unproven: { kind: 'unproven', why: "It isn't the one issued for the domain." },
  unprovable: { kind: 'unprovable', why: "It isn't the one issued for the domain." },
  unknown: { kind: 'unknown', why: "It isn't the one issued for the domain." },
  unconfirmed: {
    kind: 'unconfirmed',
    why: "IPv6 addresses can't be requested from here.",
    at: '2001:db8::7',
  },
  unresolved: { kind: 'unresolved', why: 'The look-ups fail.' },
};

function randomReach(random: Dice, leadsHere: boolean): Situation['reach'] {
  const [first, ...more] = Object.values(UNREACHED) as [Reached, ...Reached[]];
  const unreached = (): Reached => {
    const reached = random.pick(first, ...more);
    return reached.kind !== 'reached' && random.chance(0.3) ? { ...reached, isPartial: true } : reached;
  };
  const arrived = random.chance(0.1) ? { ...ARRIVED, isProxied: true as const } : ARRIVED;
  const visitors = leadsHere
    ? random.usually<Reached>(arrived, unreached())
    : random.oneOf<Reached>([70, unreached()], [30, arrived]);
  return {
    edge: random.usually<Reached>(ARRIVED, unreached()),
    visitors,
    later: random.chance(0.8) ? visitors : unreached(),
  };
}
