import { beforeEach, describe, expect, test, vi } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { NotAttached } from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { DomainChanged } from '../../../../shared/domains/life/domain-store.ts';
import { LEASE_MS } from '../../../../shared/domains/life/lease.ts';
import { moved, removalStarted } from '../../../../shared/domains/life/transitions.ts';
import { isMismapped, liveRouting } from '../../../../shared/domains/pass/live-routing.ts';
import { type ProjectStore, RoutingChanged } from '../../../../shared/projects/project-store.ts';
import { NO_ROUTING, withLive, withRedirect } from '../../../../shared/projects/routing.ts';
import { someProject } from '../../projects/some-project.ts';
import { AT, claimed, live, NAME, PUBLISHED, REDIRECTS, removing } from '../claimed-domain.ts';
import { storeClaim } from '../stored-claims.ts';
import { flowWorld } from './flow-world.ts';

const OTHER = { apiId: 'other12345', stage: 'test' };

const world = await flowWorld();
const { parts, store } = world;
const { projects } = parts;
await projects.recordDeploy({ id: 'farm', plan: 'pro', ...OTHER }, AT);
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const map = (claim: Domain, options?: Parameters<typeof parts.map>[2]) =>
  store.holding(claim.domain, holder => parts.map(claim, holder, options));
const unmapped = () => world.stored(live({ route: null }));

/** A project with these live domains, of which the second redirects to the first if it should. */
async function project(id: string, liveDomains: readonly string[], isRedirecting = false) {
  await projects.recordDeploy({ id, plan: 'pro', ...PUBLISHED }, AT);
  const found = someProject({ id });
  const [first = '', second = ''] = liveDomains;
  const routing = liveDomains.reduce(withLive, NO_ROUTING);
  const redirect = { from: second, to: first, status: 301 } as const;
  const after = isRedirecting ? withRedirect(routing, redirect) : routing;
  await transact([projects.routingChange(found, after)]);
}

test('a domain is mapped to the API of its project, or to that of redirects while it redirects', async () => {
  await project('mapped', ['a.example', 'b.example'], true);
  const routeOf = async (domain: string) =>
    (await parts.projectOf(claimed({ domain, project: 'mapped' })))?.route;
  expect(await routeOf('a.example')).toEqual(PUBLISHED);
  expect(await routeOf('b.example')).toEqual(REDIRECTS);
  expect(await routeOf('new.example')).toEqual(PUBLISHED);
  expect(await parts.projectOf(claimed({ project: 'gone' }))).toBeUndefined();
});

test.each<[isWrong: boolean, what: string, domain: Domain]>([
  [false, 'a live domain that is', live()],
  [true, 'a live domain that is not', live({ route: null })],
  [true, 'one that is mapped to another API', live({ route: OTHER })],
  [true, 'one whose mapping was being changed', live({ route: 'open' })],
  [true, 'one that failed', live({ status: 'failed' })],
  [false, 'one that failed and is not mapped', live({ status: 'failed', route: null })],
  [false, 'one that is verified, which keeps what it has', live({ status: 'verifying', route: OTHER })],
  [false, 'one that is removed, which the removal sees to', removing()],
])('isMismapped is %s for %s', (isWrong, _, domain) => {
  expect(isMismapped(domain, someProject(), REDIRECTS)).toBe(isWrong);
});

test('the record of a domain is open while its mapping is changed, and has the route afterwards', async () => {
  const seen: unknown[] = [];
  world.onMapped = async () => void seen.push((await world.found()).route);
  world.onUnmapped = world.onMapped;
  seen.push((await map(await unmapped()))?.route, (await world.found()).route);
  expect(seen).toEqual(['open', PUBLISHED, PUBLISHED]);
  await map(await world.stored(live({ status: 'failed' })));
  expect([...seen.slice(3), (await world.found()).route]).toEqual(['open', null]);
  expect(world.calls).toEqual([`map ${NAME} abcdefghij`, `unmap ${NAME}`]);
});

test('a domain that is mapped as it should be costs no call, unless its mapping is lost', async () => {
  const domain = await world.stored(live());
  expect(await map(domain)).toEqual(domain);
  expect(world.calls).toEqual([]);
  expect(await map(domain, { isLost: true })).toMatchObject({ route: PUBLISHED });
  expect(world.calls).toEqual([`map ${NAME} abcdefghij`]);
});

test('a domain that is attached for the first time is mapped before it is live', async () => {
  const attaching = await world.stored({ status: 'issuing', issuedAt: AT });
  await map(attaching);
  expect(world.calls).toEqual([]);
  expect(await map(attaching, { isFirst: true })).toMatchObject({ status: 'issuing', route: PUBLISHED });
  expect(world.calls).toEqual([`map ${NAME} abcdefghij`]);
});

test('a domain whose project is gone keeps what it has', async () => {
  const domain = await unmapped();
  world.projectFields = undefined;
  expect([await map(domain), world.calls]).toEqual([domain, []]);
});

describe('what happens while a domain is mapped is followed:', () => {
  const present = async () => (await store.present(live())) as Domain;
  const meanwhile = (happen: () => Promise<void>) => {
    world.onMapped = async () => {
      world.onMapped = async () => {};
      await happen();
    };
  };

  test('a removal, which has no mapping afterwards', async () => {
    meanwhile(async () => world.save(nextRevision(removalStarted(await present(), world.nowMs))));
    expect(await map(await unmapped())).toMatchObject({ status: 'removing' });
    expect(world.calls).toEqual([`map ${NAME} abcdefghij`, `unmap ${NAME}`]);
  });

  test('the end of the claim', async () => {
    meanwhile(async () => world.forget(await present()));
    expect(await map(await unmapped())).toBeUndefined();
    expect([...world.mapped]).toEqual([]);
  });

  test('a redirect, or another API of the project', async () => {
    meanwhile(async () => {
      world.projectFields = REDIRECTS;
    });
    expect(await map(await unmapped())).toMatchObject({ route: REDIRECTS });
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
  });

  test('a move to another project', async () => {
    meanwhile(async () => {
      const before = await present();
      const next = nextRevision(moved(before, 'farm', world.nowMs));
      await transact(await store.move([{ before, next }], world.nowMs));
    });
    expect(await map(await unmapped())).toMatchObject({ project: 'farm', route: OTHER });
    expect([...world.mapped]).toEqual([[NAME, 'other12345']]);
    await world.forget(await present());
  });

  test('a deletion, after which the domain is live again', async () => {
    world.onUnmapped = async () => world.save(nextRevision({ ...(await present()), status: 'live' }));
    expect(await map(await world.stored(live({ status: 'failed' })))).toMatchObject({ route: PUBLISHED });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test('ten changes at most', async () => {
    world.onMapped = async () => {
      world.projectFields = { apiId: `api${world.calls.length}` };
    };
    await expect(map(await unmapped())).rejects.toThrow('is changed all the time');
    expect(world.calls).toHaveLength(10);
  });
});

describe('where a function ends in the middle,', () => {
  test('the mapping stays open, and the next reconcile writes it', async () => {
    await unmapped();
    world.onMapped = () => Promise.reject(new Error('socket hang up'));
    const failure = { domain: NAME, error: { message: 'socket hang up' }, isRetried: true };
    expect(await parts.remap('zoo')).toMatchObject([failure]);
    expect(await world.found()).toMatchObject({ route: 'open' });
    world.reset();
    expect([await parts.remap('zoo'), world.calls]).toEqual([[], [`map ${NAME} abcdefghij`]]);
    expect(await world.found()).toMatchObject({ route: PUBLISHED });
  });

  test('with a lease that is about to end, nothing is mapped any more', async () => {
    await unmapped();
    const { find } = projects;
    vi.spyOn(projects, 'find').mockImplementationOnce(async id => {
      world.nowMs += LEASE_MS;
      return find(id);
    });
    const late = liveRouting({ ...parts, projects, redirectApi: REDIRECTS });
    const claim = await world.found();
    expect(await store.holding(NAME, holder => late.map(claim, holder))).toBeUndefined();
    expect([await world.found(), world.calls]).toMatchObject([{ route: 'open' }, []]);
  });
});

test('a mapping that API Gateway refuses is not tried again: a check says what is wrong', async () => {
  await unmapped();
  world.onMapped = () => Promise.reject(new NotAttached('gone'));
  expect(await parts.remap('zoo')).toMatchObject([{ domain: NAME, isRetried: false }]);
  expect(await parts.remap('zoo')).toEqual([]);
});

test('a domain that somebody is at work on is left to the next reconcile', async () => {
  await unmapped();
  await store.holding(NAME, async () => {
    expect(await parts.remap('zoo')).toEqual([{ domain: NAME, isRetried: true }]);
  });
  expect(world.calls).toEqual([]);
});

test('remap maps a domain that is named in any case, although the index lacks it', async () => {
  await world.stored(live());
  vi.spyOn(store, 'listOf').mockResolvedValue([]);
  expect([await parts.remap('zoo'), world.calls]).toEqual([[], []]);
  await parts.remap('zoo', NAME);
  expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
});

describe('commitLive', () => {
  /** A domain of a project that is about to go live. */
  async function attached(domain: string, id: string): Promise<{ before: Domain; next: Domain }> {
    const before = claimed({ domain, project: id, status: 'issuing', issuedAt: AT, revision: 2 });
    await storeClaim(store, before);
    return { before, next: nextRevision({ ...before, status: 'live' }) };
  }
  const commitLive = (next: Domain, routing = parts) =>
    store.holding(next.domain, holder => routing.commitLive(next, holder));

  test('adds the domain to the routing; the first live domain is the primary', async () => {
    await project('first', []);
    const { next } = await attached('first.example', 'first');
    await commitLive(next);
    expect(await store.find('first.example', 'first')).toEqual(next);
    expect(await projects.find('first')).toMatchObject({
      liveDomains: ['first.example'],
      primary: 'first.example',
    });
  });

  test('adds each of five domains that go live at once', async () => {
    await project('many', []);
    const names = Array.from({ length: 5 }, (_, number) => `many${number}.example`);
    const claims = await Promise.all(names.map(name => attached(name, 'many')));
    await Promise.all(claims.map(({ next }) => commitLive(next)));
    const found = await projects.find('many');
    expect(found?.liveDomains.toSorted()).toEqual(names);
    expect(found?.primary).toBe(found?.liveDomains[0]);
  });

  test('rejects a domain whose removal has begun, and leaves the routing as it was', async () => {
    await project('superseded', []);
    const { before, next } = await attached('superseded.example', 'superseded');
    await world.save(nextRevision(removalStarted(before, world.nowMs)));
    await expect(commitLive(next)).rejects.toThrow(DomainChanged);
    expect(await projects.find('superseded')).toMatchObject({ liveDomains: [], primary: null });
  });

  test('rejects a domain whose project is gone, and leaves the domain as it was', async () => {
    const { before, next } = await attached('lost.example', 'lost');
    await expect(commitLive(next)).rejects.toThrow('Project lost no longer exists.');
    expect(await store.find('lost.example', 'lost')).toEqual(before);
  });

  test('gives up with RoutingChanged while others keep changing the routing, and succeeds when repeated', async () => {
    await project('busy', []);
    let tries = 0;
    // Somebody else changes the routing between every read and the write that follows it.
    const find: ProjectStore['find'] = async id => {
      const read = await projects.find(id);
      tries += 1;
      if (read) await transact([projects.routingChange(read, withLive(read, `other${tries}.example`))]);
      return read;
    };
    const busy = liveRouting({ ...parts, projects: { ...projects, find }, redirectApi: REDIRECTS });
    const { next } = await attached('busy.example', 'busy');
    await expect(commitLive(next, { ...parts, ...busy })).rejects.toThrow(RoutingChanged);
    expect(tries).toBeGreaterThan(1);
    await commitLive(next);
    expect((await projects.find('busy'))?.liveDomains).toContain('busy.example');
  });
});
