import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import type { Lookup } from '../../../shared/domains/dns/lookup.ts';
import { firstLook } from '../../../shared/domains/first-look.ts';
import { FrontFull } from '../../../shared/domains/front.ts';
import { viewed } from '../../../shared/domains/life/change.ts';
import { type CertificateView, type Domain, nextRevision } from '../../../shared/domains/life/domain.ts';
import { readDomainName } from '../../../shared/domains/life/domain-name.ts';
import { claimed, removalStarted, verificationStarted } from '../../../shared/domains/life/wishes.ts';
import { report } from '../../../shared/domains/report.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { Project } from '../../../shared/projects/project.ts';
import type { Routing } from '../../../shared/projects/routing.ts';
import { nextAsk } from '../../../shared/setup/ask-limit.ts';
import { keptWrite } from '../../shared/aws/kept-writes.ts';
import { type ZoneContent, zoneLookup } from '../../shared/domains/dns/zone-lookup.ts';
import { FOREIGN, flowWorld } from '../../shared/domains/pass/flow-world.ts';
import { keptClaims } from '../../shared/domains/stored-claims.ts';
import { DEPLOYED, someProject } from '../../shared/projects/some-project.ts';

/** How long ago something was, in seconds. */
export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const LIVE = ['www', 'shop', 'pets', 'news', 'files', 'status', 'forum'].map(label => `${label}.example.com`);

export const ROUTING: Routing = {
  liveDomains: LIVE,
  primary: 'www.example.com',
  redirects: [{ from: 'shop.example.com', to: 'www.example.com', status: 301 }],
};

const NAME_SERVERS: Readonly<Record<string, readonly string[]>> = {
  'example.com': ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  'example.dev': ['ns-1.awsdns-00.com', 'ns-2.awsdns-01.org'],
  'example.net': ['hydrogen.ns.hetzner.com', 'oxygen.ns.hetzner.com'],
  'example.org': ['ns1.example.org', 'ns2.example.org'],
};

const zoneOf = (domain: string) => domain.split('.').slice(-2).join('.');

const { store, keep, find } = keptClaims();

/** What resolvers see of a zone; undefined while they see what its own servers have. */
const cache: { zone?: ZoneContent } = {};
const world = await flowWorld({
  domains: store,
  projects: {
    find: async (id: string) => someProject({ id, deploy: DEPLOYED }),
    routingChange: ({ id }: Project) => keptWrite({ key: `project ${id}`, holds: () => true }),
  } as never,
  async vantagePoints(domain) {
    const zone = zoneOf(domain);
    const lookup = zoneLookup(() => world.zone);
    return {
      zone,
      isApex: zone === domain,
      delegation: { zone, nameServers: NAME_SERVERS[zone] ?? [] },
      authoritative: lookup,
      resolvers: [lookup, zoneLookup(() => cache.zone ?? world.zone)],
    };
  },
});
const { parts } = world;

type Step = (claim: Domain) => Promise<unknown>;
const write = (transition: (claim: Domain) => Domain) => async (claim: Domain) =>
  keep(nextRevision(transition(claim)));

/** What happens to a domain once it is added. */
const verify = write(claim => verificationStarted(claim, 'kept', world.nowMs));
const contest = write(claim => verificationStarted(claim, 'kept', world.nowMs, { isContested: true }));
const ask = write(claim => ({
  ...claim,
  asks: nextAsk(claim.asks, world.nowMs) as NonNullable<Domain['asks']>,
}));
const tend: Step = async claim => {
  // It logs that the domain needs attention.
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await world.run(claim);
  output.mockRestore();
};
const remove = write(claim => removalStarted(claim, world.nowMs));

/** Ids as long as those of AWS and the service, different for every domain. */
function idOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** The records of a domain, as they should be. */
function recordsOf(domain: string, project = 'petstore') {
  const claim = `${project} ${domain}`;
  const target = `${idOf(claim, 20)}.apps.staging.petstore.example`;
  const challenge = `petstore-${idOf(claim, 52).slice(20)}`;
  const validation = {
    name: `_${idOf(domain, 32)}.${domain}`,
    value: `_${idOf(`${domain}!`, 32)}.xlfgrmvvlj.acm-validations.aws`,
  };
  const traffic: ZoneContent = { [`${domain} CNAME`]: [target] };
  const certificate: ZoneContent = { [`${validation.name} CNAME`]: [validation.value] };
  const ownership: ZoneContent = { [`_petstore-challenge.${domain} TXT`]: [challenge] };
  const all = { ...traffic, ...certificate };
  return { domain, target, challenge, validation, traffic, certificate, ownership, all };
}

interface Surroundings {
  readonly zone?: ZoneContent;
  readonly cached?: ZoneContent;
  readonly certificate?: Partial<CertificateView>;
  readonly reached?: typeof world.reached;
  readonly refusal?: Error;
  readonly gateway?: typeof FOREIGN;
  readonly hostTarget?: string;
  readonly isInUse?: boolean;
}

/** Something that happened to a domain so many seconds ago, and what DNS and AWS showed from then on. */
type Happening = readonly [ago: number, step: Step, surroundings?: Surroundings];

/** What happened to a domain that has these records. */
type History = (own: ReturnType<typeof recordsOf>) => readonly Happening[];

interface Claim {
  readonly project?: string;
  readonly switchLater?: boolean;
}

/** A domain that was added so long ago and to which this has happened since, told by the steps of the service itself. */
async function domainWith(
  domain: string,
  added: number,
  histories: readonly (History | Happening)[],
  { project = 'petstore', switchLater = false }: Claim = {},
): Promise<DomainReport> {
  const zone = zoneOf(domain);
  const own = recordsOf(domain, project);
  const { target, challenge, validation } = own;
  const happenings = histories.flatMap(each => (typeof each === 'function' ? each(own) : [each]));
  const now = Date.now();
  world.reset();
  const pending: CertificateView = {
    status: 'PENDING_VALIDATION',
    failure: null,
    renewal: null,
    validations: [validation],
  };
  Object.assign(world, {
    nowMs: now - added * 1000,
    zone: {},
    certificate: pending,
    reached: { kind: 'unreachable', why: 'The connection was refused.' },
  });
  Object.assign(cache, { zone: undefined });
  const name = { domain, registrable: zone, zone, kind: zone === domain ? 'apex' : 'subdomain' } as const;
  const claim = claimed(
    { ...name, nameServers: [...(NAME_SERVERS[zone] ?? [])] },
    {
      project,
      target,
      challenge,
      pointsAt: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
      ...(switchLater && { switchLater }),
    },
    world.nowMs,
  );
  const arn = `arn:aws:acm:eu-central-1:123456789012:certificate/${idOf(domain, 12)}`;
  await keep({ ...claim, certificate: { ...viewed(claim, pending), arn } });

  for (const [ago, step, { cached, certificate, ...surroundings } = {}] of happenings) {
    Object.assign(world, surroundings, { nowMs: now - ago * 1000 });
    if (certificate) world.certificate = { ...world.certificate, ...certificate };
    if (cached) cache.zone = cached;
    await step((await find(domain, project)) ?? claim);
  }
  return shown(domain, project);
}

async function shown(domain: string, project = 'petstore'): Promise<DomainReport> {
  const claim = await find(domain, project);
  if (!claim) throw new Error(`There is no ${domain}.`);
  return report(claim, ROUTING, { ...parts.clock, now: Date.now });
}

const ISSUED = { certificate: { status: 'ISSUED' } } as const;
const REACHED = { reached: { kind: 'reached' } } as const;
const NOT_REACHED = { reached: { kind: 'unreachable', why: 'There was no response in time.' } } as const;
const CAA = { 'example.com CAA': ['0 issue "letsencrypt.org"'] };

const verified =
  (ago: number, zoneWith: (own: ReturnType<typeof recordsOf>) => ZoneContent = ({ all }) => all): History =>
  own => [
    [ago + 30, verify],
    [ago, tend, { zone: zoneWith(own) }],
  ];

const live =
  (ago = 39 * DAY): History =>
  own => [...verified(ago + 3 * MINUTE)(own), [ago, tend, { ...ISSUED, ...REACHED }]];

/** A domain that is in use elsewhere, and ready to be switched. */
const ready =
  (ago: number): History =>
  own => [
    ...verified(ago + 3 * MINUTE, ({ domain, ownership, certificate }) => ({
      ...ownership,
      ...certificate,
      [`${domain} CNAME`]: ['shops.old-host.example'],
    }))(own),
    [ago, tend, ISSUED],
  ];

/** Another project has these domains. In DNS one of them is still its own, another no longer is. */
for (const domain of ['taken.example.com', 'store.example.com']) {
  await domainWith(domain, 40 * DAY, [live()], { project: 'zoo' });
}

/** A domain whose records are gone, and which another project has proven since. */
async function takenOver(domain: string): Promise<DomainReport> {
  await domainWith(domain, 40 * DAY, [live(), [8 * HOUR, tend, { zone: {}, ...NOT_REACHED }]]);
  const proven: History = ({ ownership }) => [[HOUR, tend, { zone: ownership }]];
  await domainWith(domain, 3 * HOUR, [[2 * HOUR, contest], proven], { project: 'zoo' });
  return shown(domain);
}

const IN_USE = { switchLater: true };

/** A domain in every state that a page can show, by the name of its picture. */
export const STATES = {
  live: await domainWith('www.example.com', 9 * MINUTE, [live(2 * MINUTE)]),
  redirecting: await domainWith('shop.example.com', 40 * DAY, [live()]),
  additional: await domainWith('pets.example.com', 40 * DAY, [live()]),
  issuing: await domainWith('new.example.com', 4 * MINUTE, [verified(60), [9, tend]]),
  conflict: await domainWith('blog.example.com', 5 * MINUTE, [
    verified(4, ({ domain, certificate }) => ({
      ...certificate,
      [`${domain} A`]: ['203.0.113.7'],
      [`${domain} AAAA`]: ['2001:db8::7'],
    })),
  ]),
  'added-apex': await domainWith('example.org', 50, []),
  added: await domainWith('app.example.com', 50, []),
  'added-in-use': await domainWith('help.example.com', 50, [], IN_USE),
  checking: await domainWith('docs.example.com', 3 * MINUTE, [[2, verify]]),
  missing: await domainWith('api.example.com', 3 * MINUTE, [verified(6, () => ({}))]),
  mismatch: await domainWith('wiki.example.com', 9 * MINUTE, [
    [7 * MINUTE, ask],
    verified(6, ({ domain, certificate }) => ({
      ...certificate,
      [`${domain} CNAME`]: ['wiki.old-host.example'],
    })),
  ]),
  spreading: await domainWith('cdn.example.com', 5 * MINUTE, [
    [3 * MINUTE, verify],
    ({ all }) => [[8, tend, { zone: all, cached: {} }]],
  ]),
  unreachable: await domainWith('lab.example.com', 5 * MINUTE, [verified(8, () => 'SERVFAIL')]),
  'takeover-pending': await domainWith('store.example.com', 40 * MINUTE, [
    [35 * MINUTE, contest],
    ({ all, ownership }) => [[34 * MINUTE, tend, { zone: { ...all, ...ownership } }]],
    [9, tend],
  ]),
  'certificate-record': await domainWith('pay.example.com', 8 * MINUTE, [
    verified(5 * MINUTE, ({ traffic }) => traffic),
    [9, tend],
  ]),
  'caa-blocked': await domainWith('secure.example.com', 8 * MINUTE, [
    verified(5 * MINUTE, ({ all }) => ({ ...all, ...CAA })),
    [9, tend],
  ]),
  'certificate-slow': await domainWith('video.example.com', 50 * MINUTE, [verified(45 * MINUTE), [9, tend]]),
  'quota-full': await domainWith('labs.example.com', 8 * MINUTE, [
    verified(5 * MINUTE),
    [9, tend, { ...ISSUED, refusal: new FrontFull() }],
  ]),
  'apex-attached': await domainWith('example.net', 20 * MINUTE, [
    verified(9 * MINUTE, ({ domain, target, ownership, certificate }) => ({
      ...ownership,
      ...certificate,
      [`${domain} A`]: ['203.0.113.7'],
      [`${target} A`]: ['198.51.100.1'],
    })),
    [6 * MINUTE, tend, ISSUED],
    [9, tend],
  ]),
  'apex-at-route53': await domainWith('example.dev', 20 * MINUTE, [
    verified(9 * MINUTE, ({ ownership, certificate }) => ({ ...ownership, ...certificate })),
    [6 * MINUTE, tend, ISSUED],
    [9, tend],
  ]),
  ready: await domainWith('cart.example.com', 3 * DAY, [ready(2 * DAY)], IN_USE),
  'ready-drift': await domainWith(
    'basket.example.com',
    3 * DAY,
    [ready(2 * DAY), [MINUTE, tend, { gateway: FOREIGN }]],
    IN_USE,
  ),
  'live-records-gone': await domainWith('news.example.com', 40 * DAY, [
    live(),
    ({ certificate }) => [[3 * HOUR, tend, { zone: certificate, ...NOT_REACHED }]],
  ]),
  'live-renewal-blocked': await domainWith('files.example.com', 300 * DAY, [
    live(299 * DAY),
    ({ traffic }) => {
      const expiresAt = new Date(Date.now() + 41 * DAY * 1000).toISOString();
      const certificate = { renewal: 'PENDING_VALIDATION', expiresAt };
      return [[3 * HOUR, tend, { zone: { ...traffic, ...CAA }, certificate }]];
    },
  ]),
  'live-drift': await domainWith('status.example.com', 40 * DAY, [
    live(),
    [3 * HOUR, tend, { gateway: FOREIGN }],
  ]),
  'live-takeover': await takenOver('forum.example.com'),
  late: await domainWith('team.example.com', 4 * DAY, [
    [3 * DAY, verify],
    [20 * HOUR, tend],
  ]),
  'failed-dns': await domainWith('beta.example.com', 34 * DAY, [
    verified(33 * DAY, ({ traffic }) => traffic),
    [20 * HOUR, tend],
  ]),
  'failed-caa': await domainWith('old.example.com', 34 * DAY, [
    verified(33 * DAY, ({ all }) => ({ ...all, ...CAA })),
    [2 * HOUR, tend],
  ]),
  'failed-taken': await domainWith('taken.example.com', 2 * MINUTE, [
    [50, contest],
    [40, tend, { zone: recordsOf('taken.example.com', 'zoo').all }],
  ]),
  'failed-not-switched': await domainWith(
    'tickets.example.com',
    33 * DAY,
    [ready(32 * DAY), [DAY, tend]],
    IN_USE,
  ),
  removing: await domainWith('gone.example.com', 40 * DAY, [
    live(),
    [8 * MINUTE, remove],
    [20, tend, { isInUse: true }],
  ]),
  'removal-stalled': await domainWith('stuck.example.com', 40 * DAY, [
    live(),
    [9 * DAY, remove],
    [DAY, tend, { isInUse: true }],
  ]),
} as const satisfies Record<string, DomainReport>;

/** One of them is in use by another project. */
export const DOMAINS: readonly DomainReport[] = [
  ...Object.values(STATES),
  await shown('taken.example.com', 'zoo'),
];

/** The first look at a name: example.org is in use, with a CAA record that is in the way. */
export function lookAt(domain: string, project: string) {
  const zone = zoneOf(domain);
  const content = {
    'example.org A': ['203.0.113.7'],
    'example.org MX': ['10 mail.example.org'],
    'example.org CAA': ['0 issue "letsencrypt.org"'],
  };
  const lookup: Lookup = async (name, type) => {
    const found = await zoneLookup(() => content)(name, type);
    return found.kind === 'records' ? { ...found, ttl: DAY } : found;
  };
  const delegation = { zone, nameServers: NAME_SERVERS[zone] ?? [] };
  const points = { zone, isApex: zone === domain, delegation, authoritative: lookup, resolvers: [lookup] };
  const standing = { project, refusal: null, isPresent: false, isContested: false };
  return firstLook(readDomainName(domain, []), points, standing);
}
