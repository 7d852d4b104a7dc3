import { expect, test, vi } from 'vitest';
import { API_ID, api } from '../../../infra/local/testing/served-api.ts';
import { serveControlPlane } from '../../../infra/local/testing/served-control-plane.ts';
import { servedRoute53 } from '../../../infra/local/testing/served-route53.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { gatewayFront } from '../../../shared/domains/aws/gateway-domains.ts';
import type { GatewaySlots } from '../../../shared/domains/aws/gateway-slots.ts';
import { platformZone } from '../../../shared/domains/aws/platform-zone.ts';
import { clock, timeOf } from '../../../shared/domains/clock.ts';
import { defaultUrls } from '../../../shared/domains/default-urls.ts';
import type { CertificateView } from '../../../shared/domains/life/domain.ts';
import { domainStore } from '../../../shared/domains/life/domain-store.ts';
import type { Project, WhileLive } from '../../../shared/projects/project.ts';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { NO_ROUTING, withArrival } from '../../../shared/projects/routing.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from './aws/client-endpoint.ts';
import { HOUR } from './claimed-domain.ts';

const P = 'apps.petstore.dev';
const PUBLISHED = { apiId: API_ID, stage: 'test' };
const OTHER = { apiId: 'otherapi01', stage: 'next' };
const REDIRECTS = { apiId: 'redirects1', stage: 'redirects' };
const VALIDATION = { name: `_abc.${P}`, value: '_def.acm-validations.aws' };

/** Default URLs at the local API Gateway and Route 53, with certificates and a clock as the test sets them. */
async function urlsWorld() {
  const gateway = await serveControlPlane({
    waitScale: 0,
    otherApis: [
      ...api({ StageName: OTHER.stage }, OTHER.apiId),
      ...api({ StageName: REDIRECTS.stage }, REDIRECTS.apiId),
    ],
  });
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  const route53 = await servedRoute53({ waitScale: 0 });
  stubEndpoint('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created(P);
  const tableName = await tableLike('DomainsTable');
  const projects = projectStore(await tableLike('ProjectsTable'));
  const world = {
    status: 'PENDING_VALIDATION' as CertificateView['status'],
    failure: null as string | null,
    isInUse: false,
    slotInMs: 0,
    aheadMs: 0,
    requests: 0,
    arn: '',
    /** Whether a run ends right after a request. */
    isCutOff: false,
    removed: [] as (string | null)[],
  };
  const requested = new Map<number, string>();
  const certificates = {
    async ensure({ revision }: { revision: number }) {
      if (!requested.has(revision)) {
        world.requests += 1;
        requested.set(revision, gateway.certificateFor(`*.${P}`));
      }
      if (world.isCutOff) throw new Error('Cut off.');
      world.arn = requested.get(revision) ?? '';
      return world.arn;
    },
    view: async (): Promise<CertificateView> => ({
      status: world.status,
      failure: world.failure,
      renewal: null,
      validFrom: null,
      expiresAt: null,
      validations: [VALIDATION],
    }),
    async removeAll({ certificate: { arn } }: { certificate: { arn: string | null } }) {
      world.removed.push(arn);
      return !world.isInUse;
    },
  };
  const now = () => Date.now() + world.aheadMs;
  const book = vi.fn(() => now() + world.slotInMs);
  const slots: GatewaySlots = {
    async turn(_, ticket) {
      // Time enough for API Gateway's limits.
      gateway.nowMs += 31_000;
      const atMs = ticket === null ? book() : Date.parse(ticket);
      return atMs > now() ? { kind: 'later', atMs, ticket: timeOf(atMs), isBusy: false } : undefined;
    },
    nextTurn: async () => ({
      kind: 'later',
      atMs: now() + 31_000,
      ticket: timeOf(now() + 31_000),
      isBusy: true,
    }),
  };
  const urls = defaultUrls({
    platformDomain: P,
    redirectApi: REDIRECTS,
    tableName,
    projects,
    certificates,
    front: gatewayFront('staging', slots),
    zone: platformZone(zoneId),
    clock: clock(0.001, now),
  });
  return Object.assign(world, {
    urls,
    book,
    gateway,
    projects,
    domains: domainStore(tableName),
    /** What every domain name is mapped to. */
    mappings: () =>
      Object.fromEntries(
        gateway.domainNames.list().map(({ domainName, mapping }) => [domainName, mapping?.restApiId]),
      ),
    records: () =>
      (route53.zones.find(zoneId)?.recordSets ?? [])
        .filter(({ type }) => type !== 'NS' && type !== 'SOA')
        .map(({ type, name }) => `${type} ${name}`)
        .toSorted(),
    async project(
      id: string,
      { live = false, whileLive = 'redirect' as WhileLive, at = PUBLISHED, isDeployed = true } = {},
    ) {
      const project: Project = {
        id,
        name: null,
        plan: 'pro',
        deploy: { state: 'failed', at: null, succeededAt: isDeployed ? '2026-01-01T00:00:00.000Z' : null },
        ...at,
        createdAt: '2026-01-01T00:00:00.000Z',
        whileLive,
        ...NO_ROUTING,
      };
      await transact([projects.addition(project)]);
      if (live) await this.primary(id, `www.${id}.example`);
    },
    /** Makes a domain the live primary one of a project, or ends that. */
    async primary(id: string, domain: string | null) {
      const project = (await projects.find(id)) as Project;
      const routing = { ...NO_ROUTING, primary: domain, liveDomains: domain === null ? [] : [domain] };
      await transact([projects.routingChange(project, routing)]);
    },
    async view(id: string) {
      const { state, reason } = (await urls.views())((await projects.find(id)) as Project) ?? {};
      return [state, reason];
    },
    /** The wildcard is in place. */
    async issued() {
      world.status = 'ISSUED';
      await urls.reconcile();
    },
  });
}

/** A world in which the default URL of the project zoo redirects to its primary domain. */
async function redirectingWorld() {
  const world = await urlsWorld();
  await world.project('zoo', { live: true });
  await world.issued();
  return world;
}

const FOLLOWS = 'This will change within five minutes.';

test('a certificate is requested after a deploy, and validated by a record in the zone; then each project that was deployed gets a domain name, and a wildcard answers for all other names', async () => {
  const world = await urlsWorld();
  await world.project('zoo');
  await world.project('shop', { live: true, whileLive: 'serve' });
  await world.project('idle', { isDeployed: false });
  expect(await world.view('zoo')).toEqual(['pending', "It's being set up. This takes up to five minutes."]);
  await world.urls.reconcile({ isDeployed: true });
  await world.urls.reconcile();
  expect(world.requests).toBe(1);
  expect(world.records()).toEqual([`CNAME ${VALIDATION.name}.`]);
  expect(await world.view('zoo')).toEqual(['pending', expect.stringContaining(`once ${P} is delegated`)]);

  await world.issued();
  expect(world.mappings()).toEqual({
    [`*.${P}`]: REDIRECTS.apiId,
    [`shop.${P}`]: API_ID,
    [`zoo.${P}`]: API_ID,
  });
  expect(world.gateway.domainNames.list()[0]).toMatchObject({
    ipAddressType: 'dualstack',
    tags: { 'petstore:environment': 'staging', 'petstore:claim': 'default', 'petstore:domain': P },
  });
  const records = ['\\052', 'shop', 'zoo'].flatMap(label => [`A ${label}.${P}.`, `AAAA ${label}.${P}.`]);
  expect(world.records()).toEqual([...records, `CNAME ${VALIDATION.name}.`].toSorted());
  expect(await world.view('zoo')).toEqual(['serving', null]);
  expect(await world.view('shop')).toEqual(['serving', null]);
  expect(await world.view('idle')).toEqual(['pending', expect.stringContaining('no successful deploy')]);
  expect(await world.domains.all()).toEqual([]);
});

test('says why ACM did not issue a certificate; it is requested again hours later, and every domain name gets it', async () => {
  const world = await urlsWorld();
  await world.project('away', { at: OTHER });
  await world.issued();
  await world.project('zoo');
  Object.assign(world, { status: 'FAILED', failure: 'CAA_ERROR', aheadMs: 1 });
  await world.urls.reconcile();
  expect(world.requests).toBe(1);
  expect(await world.view('zoo')).toEqual(['pending', expect.stringContaining('(FAILED: CAA_ERROR)')]);
  world.aheadMs = 6 * HOUR;
  await world.urls.reconcile({ isDeployed: true });
  expect(world.requests).toBe(2);
  await world.issued();
  const certificates = world.gateway.domainNames.list().map(({ certificateArn }) => certificateArn);
  expect(certificates).toEqual([world.arn, world.arn, world.arn]);
});

test('a project is mapped to its own API, to that of redirects or to none; it waits for its turn without being served another API', async () => {
  const world = await urlsWorld();
  await world.project('away', { at: OTHER });
  await world.project('moved', { live: true });
  await world.project('shut', { live: true, whileLive: 'closed' });
  await world.project('plain');
  world.slotInMs = HOUR;
  await world.issued();
  expect(await world.view('away')).toEqual(['pending', expect.stringContaining('waiting for its turn')]);
  world.slotInMs = 0;
  world.aheadMs = HOUR;
  await world.urls.reconcile();
  expect(world.mappings()).toEqual({
    [`*.${P}`]: REDIRECTS.apiId,
    [`away.${P}`]: OTHER.apiId,
    [`moved.${P}`]: REDIRECTS.apiId,
    [`plain.${P}`]: API_ID,
    [`shut.${P}`]: undefined,
  });
  expect(world.records()).toContain(`A moved.${P}.`);
  expect(await world.view('away')).toEqual(['serving', null]);
  expect(await world.view('moved')).toEqual(['redirecting', null]);
  expect(await world.view('shut')).toEqual(['closed', null]);
});

test("the service's own API has a domain name for its pages, unless a project has that name already", async () => {
  const world = await urlsWorld();
  await world.project('petstore', { at: OTHER, live: true });
  expect(await world.urls.servesPages()).toBe(false);
  await world.issued();
  expect(world.mappings()).toMatchObject({
    [`domains.${P}`]: OTHER.apiId,
    [`petstore.${P}`]: REDIRECTS.apiId,
  });
  expect(await world.urls.servesPages()).toBe(true);
  await world.project('domains');
  expect(await world.urls.servesPages()).toBe(false);
  await world.urls.reconcile();
  expect(world.mappings()).toMatchObject({ [`domains.${P}`]: API_ID });
  await world.urls.withdraw();
  expect(world.records()).not.toContain(`A domains.${P}.`);
});

test('follow maps a domain name at once when its primary domain is no longer live; the project keeps it', async () => {
  const world = await redirectingWorld();
  await world.project('later');
  await world.primary('zoo', null);
  expect(await world.view('zoo')).toEqual(['redirecting', FOLLOWS]);
  world.book.mockClear();
  expect(await world.urls.follow()).toEqual([]);
  expect(world.mappings()).toEqual({ [`*.${P}`]: REDIRECTS.apiId, [`zoo.${P}`]: API_ID });
  expect(await world.view('zoo')).toEqual(['serving', null]);
  // One that needs a new domain name is left to the schedule.
  await world.primary('later', 'www.later.example');
  expect(await world.urls.follow()).toEqual([]);
  expect(world.book).not.toHaveBeenCalled();
  expect(await world.view('later')).toEqual(['pending', expect.stringContaining('being set up')]);
});

test('serves and says why while visitors of the primary domain do not arrive here, then redirects again', async () => {
  const world = await redirectingWorld();
  const arrival = async (hasArrived: boolean) => {
    const project = (await world.projects.find('zoo')) as Project;
    const routing = withArrival(project, 'www.zoo.example', hasArrived);
    await transact([world.projects.routingChange(project, routing)]);
  };
  await arrival(false);
  await world.urls.follow();
  expect(world.mappings()).toMatchObject({ [`zoo.${P}`]: API_ID });
  const away = expect.stringContaining("Visitors of the primary domain www.zoo.example don't arrive here");
  expect(await world.view('zoo')).toEqual(['serving', away]);
  await arrival(true);
  await world.urls.follow();
  expect(world.mappings()).toMatchObject({ [`zoo.${P}`]: REDIRECTS.apiId });
  expect(await world.view('zoo')).toEqual(['redirecting', null]);
});

test('follow warns of a mapping that could not be recorded, since the function was stopped; it is looked at again', async () => {
  const world = await redirectingWorld();
  world.aheadMs = HOUR;
  await world.primary('zoo', null);
  const find = vi.spyOn(world.projects, 'find');
  find.mockImplementationOnce(async () => (await world.projects.list())[0]);
  find.mockRejectedValueOnce(new Error('stopped'));
  expect(await world.urls.follow()).toEqual([`The default URL of zoo couldn't be changed yet. ${FOLLOWS}`]);
  find.mockRestore();
  expect(world.mappings()).toMatchObject({ [`zoo.${P}`]: API_ID });
  await world.primary('zoo', 'www.zoo.example');
  world.aheadMs = 2 * HOUR;
  await world.urls.reconcile();
  expect(world.mappings()).toMatchObject({ [`zoo.${P}`]: REDIRECTS.apiId });
});

test('asks API Gateway nothing about domain names that were left as they should be', async () => {
  const world = await redirectingWorld();
  const { domainNames } = world.gateway;
  domainNames.map(`zoo.${P}`, undefined);
  domainNames.map(`*.${P}`, undefined);
  await world.urls.reconcile();
  expect(world.mappings()).toEqual({ [`*.${P}`]: undefined, [`zoo.${P}`]: undefined });
});

test('attaches a domain name that was deleted by hand, once its mapping has to change', async () => {
  const world = await redirectingWorld();
  world.gateway.domainNames.remove(`zoo.${P}`);
  await world.primary('zoo', null);
  expect(await world.urls.follow()).toEqual([`The default URL of zoo couldn't be changed yet. ${FOLLOWS}`]);
  expect(await world.view('zoo')).toEqual(['pending', expect.stringContaining('being set up')]);
  await world.urls.reconcile();
  expect(world.mappings()).toMatchObject({ [`zoo.${P}`]: API_ID });
  expect(await world.view('zoo')).toEqual(['serving', null]);
});

test('a run and a command leave each other alone: follow warns, and a withdrawal is to be repeated', async () => {
  const world = await redirectingWorld();
  await world.primary('zoo', null);
  const held = world.domains.holding(P, async () => {
    const changed = Promise.all([world.urls.follow(), world.urls.withdraw()]);
    world.aheadMs = 30_000;
    return changed;
  });
  expect(await held).toEqual([
    [`The default URL of zoo couldn't be changed yet. ${FOLLOWS}`],
    { removed: [], remaining: 1 },
  ]);
  expect(world.mappings()).toMatchObject({ [`zoo.${P}`]: REDIRECTS.apiId });
});

test('keeps a slot that is too late for the next run', async () => {
  const world = await urlsWorld();
  world.slotInMs = HOUR;
  await world.issued();
  expect([world.book.mock.calls.length, world.mappings()]).toEqual([1, {}]);
  await world.urls.reconcile();
  world.aheadMs = HOUR;
  await world.urls.reconcile();
  expect([world.book.mock.calls.length, world.mappings()]).toEqual([1, { [`*.${P}`]: REDIRECTS.apiId }]);
});

test('says why API Gateway refuses a domain name, of others or of its own', async () => {
  const world = await urlsWorld();
  await world.project('zoo', { live: true });
  await world.gateway.created(`zoo.${P}`);
  await world.issued();
  expect(world.mappings()).toEqual({ [`*.${P}`]: REDIRECTS.apiId, [`zoo.${P}`]: undefined });
  expect(await world.view('zoo')).toEqual([
    'pending',
    expect.stringContaining(`zoo.${P} exists at API Gateway and is not ours`),
  ]);
});

test('says which quota is used up, lets others have their turn, and tries again half an hour later', async () => {
  const world = await urlsWorld();
  await world.project('zoo');
  world.status = 'ISSUED';
  await world.urls.reconcile();
  world.gateway.fill(118);
  await world.project('shop');
  await world.urls.reconcile();
  const full = expect.stringMatching(
    /raise the quota "Custom domain names" \(L-A93447B8\) in Service Quotas/,
  );
  expect(await world.view('shop')).toEqual(['pending', full]);
  expect(await world.view('zoo')).toEqual(['serving', null]);
  world.gateway.domainNames.remove('n0.example');
  world.book.mockClear();
  await world.urls.reconcile();
  expect(world.book).not.toHaveBeenCalled();
  world.aheadMs = HOUR / 2;
  await world.urls.reconcile();
  expect(await world.view('shop')).toEqual(['serving', null]);
});

test('withdraw says how many are left when there is no slot for them', async () => {
  const world = await redirectingWorld();
  world.slotInMs = HOUR;
  expect(await world.urls.withdraw()).toEqual({ removed: [], remaining: 3 });
});

test('a certificate whose request was cut off is requested once, and goes with a withdrawal', async () => {
  for (const isContinued of [true, false]) {
    const world = await urlsWorld();
    await world.project('zoo');
    world.isCutOff = true;
    await expect(world.urls.reconcile()).rejects.toThrow('Cut off.');
    world.isCutOff = false;
    world.aheadMs += 60_000;
    if (isContinued) await world.urls.reconcile();
    expect(await world.urls.withdraw()).toMatchObject({ remaining: 0 });
    expect([world.requests, world.removed]).toEqual([1, [world.arn]]);
  }
});

test('withdraw removes everything, until the next deploy', async () => {
  const world = await redirectingWorld();
  world.isInUse = true;
  expect(await world.urls.withdraw()).toEqual({ removed: [`*.${P}`, `zoo.${P}`], remaining: 1 });
  expect([world.mappings(), world.records()]).toEqual([{}, []]);
  world.isInUse = false;
  expect(await world.urls.withdraw()).toEqual({ removed: [], remaining: 0 });
  await world.urls.reconcile();
  expect([world.mappings(), world.requests]).toEqual([{}, 1]);
  expect(await world.view('zoo')).toEqual(['pending', expect.stringContaining('A deploy brings it back')]);
  await world.urls.reconcile({ isDeployed: true });
  await world.urls.reconcile();
  expect(world.mappings()).toEqual({ [`*.${P}`]: REDIRECTS.apiId, [`zoo.${P}`]: REDIRECTS.apiId });
});
