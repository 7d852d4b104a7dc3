import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import type { Lookup } from '../../../shared/domains/dns/lookup.ts';
import { firstLook } from '../../../shared/domains/first-look.ts';
import { FrontFull } from '../../../shared/domains/front.ts';
import { type CertificateView, type Domain, nextRevision } from '../../../shared/domains/life/domain.ts';
import { readDomainName } from '../../../shared/domains/life/domain-name.ts';
import type { DomainStore } from '../../../shared/domains/life/domain-store.ts';
import {
  certificatePrepared,
  claimed,
  removalStarted,
  verificationStarted,
} from '../../../shared/domains/life/transitions.ts';
import { report } from '../../../shared/domains/report.ts';
import { attachment } from '../../../shared/domains/steps/attachment.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { Routing } from '../../../shared/projects/routing.ts';
import { type ZoneContent, zoneLookup } from '../../shared/domains/dns/zone-lookup.ts';
import { FOREIGN, flowWorld } from '../../shared/domains/steps/flow-world.ts';

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

/** The claims of all projects, as the table would have them. */
const claims = new Map<string, Domain>();
const owners = new Map<string, string>();
const save = async (next: Domain) => {
  claims.set(`${next.domain} ${next.project}`, next);
};
const store: Pick<DomainStore, 'find' | 'ownerOf' | 'save' | 'saveProven'> = {
  find: async (domain, project) => claims.get(`${domain} ${project}`),
  ownerOf: async domain => owners.get(domain),
  save,
  async saveProven(next) {
    owners.set(next.domain, next.project);
    await save(next);
  },
};

/** What resolvers see of a zone; undefined while they see what its own servers have. */
const cache: { zone?: ZoneContent } = {};
const world = await flowWorld({
  domains: store as DomainStore,
  projects: {
    find: async () => undefined,
    mappingStarted: async () => ({}),
    mapped: async () => {},
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
const { attach } = attachment({ ...parts, route: async () => {} });

type Step = (claim: Domain) => Promise<unknown>;
const write = (transition: (claim: Domain) => Domain) => async (claim: Domain) =>
  save(nextRevision(transition(claim)));

/** What happens to a domain once it is added. */
const verify = write(claim => verificationStarted(claim, 'kept', world.nowMs));
const contest = write(claim => verificationStarted(claim, 'kept', world.nowMs, { isContested: true }));
const checkDns: Step = parts.verification.checkDns;
const checkCertificate: Step = parts.verification.checkCertificate;
const recheck: Step = async claim => {
  // It logs that the domain needs attention.
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await parts.recheck(claim);
  output.mockRestore();
};
const checkReady: Step = parts.checkReady;
const remove = write(claim => removalStarted(claim, world.nowMs));
const takeDown: Step = parts.removal.takeDown;

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
  return {
    target,
    challenge,
    validation,
    traffic,
    certificate,
    ownership,
    all: { ...traffic, ...certificate },
  };
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

interface Claim {
  readonly project?: string;
  readonly switchLater?: boolean;
}

/** A domain that was added so long ago and to which this has happened since, told by the steps of the service itself. */
async function domainWith(
  domain: string,
  added: number,
  happenings: readonly Happening[],
  { project = 'petstore', switchLater = false }: Claim = {},
): Promise<DomainReport> {
  const zone = zoneOf(domain);
  const { target, challenge, validation } = recordsOf(domain, project);
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
  await save(certificatePrepared(claim, arn, pending));
  const current = () => claims.get(`${domain} ${project}`) ?? claim;
  for (const [ago, step, { cached, certificate, ...surroundings } = {}] of happenings) {
    Object.assign(world, surroundings, { nowMs: now - ago * 1000 });
    if (certificate) world.certificate = { ...world.certificate, ...certificate };
    if (cached) cache.zone = cached;
    await step(current());
  }
  return shown(domain, project);
}

function shown(domain: string, project = 'petstore'): DomainReport {
  const claim = claims.get(`${domain} ${project}`);
  if (!claim) throw new Error(`There is no ${domain}.`);
  return report(claim, ROUTING, { ...parts.clock, now: Date.now });
}

const ISSUED = { certificate: { status: 'ISSUED' } } as const;
const REACHED = { reached: { kind: 'reached' } } as const;
const NOT_REACHED = { reached: { kind: 'unreachable', why: 'There was no response in time.' } } as const;
const CAA = { 'example.com CAA': ['0 issue "letsencrypt.org"'] };

const verified = (domain: string, ago: number, zone: ZoneContent = recordsOf(domain).all): Happening[] => [
  [ago + 30, verify],
  [ago, checkDns, { zone }],
];

const issued = (domain: string, ago: number, project?: string): Happening[] => [
  ...verified(domain, ago + 2 * MINUTE, recordsOf(domain, project).all),
  [ago, checkCertificate, ISSUED],
];

const live = (domain: string, ago = 39 * DAY, project?: string): Happening[] => [
  ...issued(domain, ago + MINUTE, project),
  [ago, attach, REACHED],
];

/** A domain that is in use elsewhere, and ready to be switched. */
const ready = (domain: string, ago: number): Happening[] => {
  const { ownership, certificate } = recordsOf(domain);
  return [
    ...verified(domain, ago + 3 * MINUTE, {
      ...ownership,
      ...certificate,
      [`${domain} CNAME`]: ['shops.old-host.example'],
    }),
    [ago + MINUTE, checkCertificate, ISSUED],
    [ago, attach],
  ];
};

/** Another project has these domains. In DNS one of them is still its own, another no longer is. */
for (const domain of ['taken.example.com', 'store.example.com']) {
  await domainWith(domain, 40 * DAY, live(domain, 39 * DAY, 'zoo'), { project: 'zoo' });
}

/** A domain whose records are gone, and which another project has proven since. */
async function takenOver(domain: string): Promise<DomainReport> {
  await domainWith(domain, 40 * DAY, [...live(domain), [8 * HOUR, recheck, { zone: {}, ...NOT_REACHED }]]);
  const zone = recordsOf(domain, 'zoo').ownership;
  await domainWith(
    domain,
    3 * HOUR,
    [
      [2 * HOUR, contest],
      [HOUR, checkDns, { zone }],
    ],
    { project: 'zoo' },
  );
  return shown(domain);
}

/** A domain in every state that a page can show, by the name of its picture. */
export const STATES = {
  live: await domainWith('www.example.com', 9 * MINUTE, live('www.example.com', 2 * MINUTE)),
  redirecting: await domainWith('shop.example.com', 40 * DAY, live('shop.example.com')),
  additional: await domainWith('pets.example.com', 40 * DAY, live('pets.example.com')),
  issuing: await domainWith('new.example.com', 4 * MINUTE, verified('new.example.com', 60)),
  conflict: await domainWith(
    'blog.example.com',
    5 * MINUTE,
    verified('blog.example.com', 4, {
      ...recordsOf('blog.example.com').certificate,
      'blog.example.com A': ['203.0.113.7'],
      'blog.example.com AAAA': ['2001:db8::7'],
    }),
  ),
  'added-apex': await domainWith('example.org', 50, []),
  added: await domainWith('app.example.com', 50, []),
  'added-in-use': await domainWith('help.example.com', 50, [], { switchLater: true }),
  checking: await domainWith('docs.example.com', 3 * MINUTE, [[2, verify]]),
  missing: await domainWith('api.example.com', 3 * MINUTE, verified('api.example.com', 6, {})),
  mismatch: await domainWith(
    'wiki.example.com',
    3 * MINUTE,
    verified('wiki.example.com', 6, {
      ...recordsOf('wiki.example.com').certificate,
      'wiki.example.com CNAME': ['wiki.old-host.example'],
    }),
  ),
  spreading: await domainWith('cdn.example.com', 5 * MINUTE, [
    [3 * MINUTE, verify],
    [8, checkDns, { zone: recordsOf('cdn.example.com').all, cached: {} }],
  ]),
  unreachable: await domainWith('lab.example.com', 5 * MINUTE, verified('lab.example.com', 8, 'SERVFAIL')),
  'takeover-pending': await domainWith('store.example.com', 40 * MINUTE, [
    [35 * MINUTE, contest],
    [
      34 * MINUTE,
      checkDns,
      { zone: { ...recordsOf('store.example.com').all, ...recordsOf('store.example.com').ownership } },
    ],
    [9, checkDns],
  ]),
  'certificate-record': await domainWith('pay.example.com', 8 * MINUTE, [
    ...verified('pay.example.com', 5 * MINUTE, recordsOf('pay.example.com').traffic),
    [9, checkCertificate],
  ]),
  'caa-blocked': await domainWith('secure.example.com', 8 * MINUTE, [
    ...verified('secure.example.com', 5 * MINUTE, { ...recordsOf('secure.example.com').all, ...CAA }),
    [9, checkCertificate],
  ]),
  'certificate-slow': await domainWith('video.example.com', 50 * MINUTE, [
    ...verified('video.example.com', 45 * MINUTE),
    [9, checkCertificate],
  ]),
  'quota-full': await domainWith('labs.example.com', 8 * MINUTE, [
    ...issued('labs.example.com', 3 * MINUTE),
    [9, attach, { refusal: new FrontFull() }],
  ]),
  'apex-attached': await domainWith('example.net', 20 * MINUTE, [
    ...verified('example.net', 9 * MINUTE, {
      ...recordsOf('example.net').ownership,
      ...recordsOf('example.net').certificate,
      'example.net A': ['203.0.113.7'],
      [`${recordsOf('example.net').target} A`]: ['198.51.100.1'],
    }),
    [6 * MINUTE, checkCertificate, ISSUED],
    [9, attach],
  ]),
  'apex-at-route53': await domainWith('example.dev', 20 * MINUTE, [
    ...verified('example.dev', 9 * MINUTE, {
      ...recordsOf('example.dev').ownership,
      ...recordsOf('example.dev').certificate,
    }),
    [6 * MINUTE, checkCertificate, ISSUED],
    [9, attach],
  ]),
  ready: await domainWith('cart.example.com', 3 * DAY, ready('cart.example.com', 2 * DAY), {
    switchLater: true,
  }),
  'ready-drift': await domainWith(
    'basket.example.com',
    3 * DAY,
    [...ready('basket.example.com', 2 * DAY), [MINUTE, checkReady, { gateway: FOREIGN }]],
    { switchLater: true },
  ),
  'live-records-gone': await domainWith('news.example.com', 40 * DAY, [
    ...live('news.example.com'),
    [3 * HOUR, recheck, { zone: recordsOf('news.example.com').certificate, ...NOT_REACHED }],
  ]),
  'live-renewal-blocked': await domainWith('files.example.com', 300 * DAY, [
    ...live('files.example.com', 299 * DAY),
    [
      3 * HOUR,
      recheck,
      {
        zone: { ...recordsOf('files.example.com').traffic, ...CAA },
        certificate: {
          renewal: 'PENDING_VALIDATION',
          expiresAt: new Date(Date.now() + 41 * DAY * 1000).toISOString(),
        },
      },
    ],
  ]),
  'live-drift': await domainWith('status.example.com', 40 * DAY, [
    ...live('status.example.com'),
    [3 * HOUR, recheck, { hostTarget: 'd-0.execute-api.eu-central-1.amazonaws.com' }],
  ]),
  'live-takeover': await takenOver('forum.example.com'),
  'failed-dns': await domainWith('beta.example.com', 4 * DAY, [
    [3 * DAY, verify],
    [20 * HOUR, checkDns],
  ]),
  'failed-caa': await domainWith('old.example.com', 4 * DAY, [
    ...verified('old.example.com', 3 * DAY + 3 * HOUR, { ...recordsOf('old.example.com').all, ...CAA }),
    [2 * HOUR, checkCertificate],
  ]),
  'failed-taken': await domainWith('taken.example.com', 2 * MINUTE, [
    [50, contest],
    [40, checkDns, { zone: recordsOf('taken.example.com', 'zoo').all }],
  ]),
  'failed-not-switched': await domainWith(
    'tickets.example.com',
    33 * DAY,
    [...ready('tickets.example.com', 32 * DAY), [DAY, checkReady]],
    { switchLater: true },
  ),
  removing: await domainWith('gone.example.com', 40 * DAY, [
    ...live('gone.example.com'),
    [8 * MINUTE, remove],
    [20, takeDown, { isInUse: true }],
  ]),
  'removal-stalled': await domainWith('stuck.example.com', 40 * DAY, [
    ...live('stuck.example.com'),
    [9 * DAY, remove],
    [DAY, takeDown, { isInUse: true }],
  ]),
} as const satisfies Record<string, DomainReport>;

export const DOMAINS: readonly DomainReport[] = Object.values(STATES);

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
