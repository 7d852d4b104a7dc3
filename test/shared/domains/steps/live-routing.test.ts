import { describe, expect, test } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { domainStore, Superseded } from '../../../../shared/domains/life/domain-store.ts';
import { liveRouting, projectDomains } from '../../../../shared/domains/steps/live-routing.ts';
import {
  type ProjectStore,
  projectStore,
  RoutingChanged,
} from '../../../../shared/projects/project-store.ts';
import { NO_ROUTING, withLive, withRedirect } from '../../../../shared/projects/routing.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT, claimed } from '../claimed-domain.ts';

const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };

const domains = domainStore(await tableLike('DomainsTable'));
const projects = projectStore(await tableLike('ProjectsTable'));

const services = (given: Partial<Parameters<typeof projectDomains>[0]> = {}) =>
  projectDomains({ projects, domains, redirectApi: REDIRECTS, ...given });

/** A project with these live domains, of which the second redirects to the first if it should. */
async function project(id: string, liveDomains: readonly string[], isRedirecting = false) {
  const apiStage = { id, plan: 'pro', apiId: 'abcdefghij', stage: 'test' } as const;
  await projects.recordDeploy(apiStage, AT);
  const found = await projects.find(id);
  if (!found) throw new Error(`Project ${id} doesn't exist.`);
  const [first = '', second = ''] = liveDomains;
  const routing = liveDomains.reduce(withLive, NO_ROUTING);
  const redirect = { from: second, to: first, status: 301 } as const;
  const after = isRedirecting ? withRedirect(routing, redirect) : routing;
  await transact([projects.routingChange(found, after)]);
}

/** A domain of a project that is about to go live. */
async function attached(name: string, id: string): Promise<{ before: Domain; next: Domain }> {
  const before = claimed({ domain: name, project: id, status: 'issuing', phase: 'attachment', attempt: 2 });
  await transact([domains.claim(before)]);
  return { before, next: nextRevision({ ...before, status: 'live', phase: 'live' }) };
}

test('apiStageOf returns the API of the project, that of redirects for a domain that redirects, or none', async () => {
  await project('mapped', ['a.example', 'b.example'], true);
  const at = (domain: string) => services().apiStageOf(claimed({ domain, project: 'mapped' }));
  expect(await at('a.example')).toMatchObject({ apiId: 'abcdefghij', stage: 'test' });
  expect(await at('b.example')).toEqual(REDIRECTS);
  expect(await at('new.example')).toMatchObject({ apiId: 'abcdefghij', stage: 'test' });
  expect(await services().apiStageOf(claimed({ project: 'gone' }))).toBeUndefined();
});

test('a name that is moved away and back while it is looked for keeps its mapping', async () => {
  await project('alpha', []);
  const live = claimed({ domain: 'moving.example', project: 'alpha', status: 'live', phase: 'live' });
  const [looks, owners] = [
    [live, undefined, undefined, undefined, live],
    ['beta', 'alpha'],
  ];
  const calls: string[] = [];
  const { route } = liveRouting({
    domains: { find: async () => looks.shift(), ownerOf: async () => owners.shift() },
    projects,
    front: { route: async () => void calls.push('mapped'), unroute: async () => void calls.push('unmapped') },
    apiStageOf: async () => REDIRECTS,
    clock: clock(),
  });
  await route(live);
  expect(calls).toEqual(['mapped']);
});

describe('commitLive', () => {
  test('adds the domain to the routing; the first live domain is the primary', async () => {
    await project('first', []);
    const { next } = await attached('first.example', 'first');
    await services().commitLive(next);
    // Once more, as after a lost response.
    await services().commitLive(next);
    expect(await domains.find('first.example', 'first')).toEqual(next);
    expect(await projects.find('first')).toMatchObject({
      liveDomains: ['first.example'],
      primary: 'first.example',
    });
  });

  test('adds each of five domains that go live at once', async () => {
    await project('many', []);
    const names = Array.from({ length: 5 }, (_, number) => `many${number}.example`);
    const claims = await Promise.all(names.map(name => attached(name, 'many')));
    await Promise.all(claims.map(({ next }) => services().commitLive(next)));
    const found = await projects.find('many');
    expect(found?.liveDomains.toSorted()).toEqual(names);
    expect(found?.primary).toBe(found?.liveDomains[0]);
  });

  test('rejects a domain whose removal has begun, and leaves the routing as it was', async () => {
    await project('superseded', []);
    const { before, next } = await attached('superseded.example', 'superseded');
    await domains.save(nextRevision({ ...before, status: 'removing', phase: 'removal', attempt: 3 }));
    await expect(services().commitLive(next)).rejects.toThrow(Superseded);
    expect(await projects.find('superseded')).toMatchObject({ liveDomains: [], primary: null });
  });

  test('rejects a domain whose project is gone, and leaves the domain as it was', async () => {
    const { before, next } = await attached('lost.example', 'lost');
    await expect(services().commitLive(next)).rejects.toThrow('Project lost no longer exists.');
    expect(await domains.find('lost.example', 'lost')).toEqual(before);
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
    const busy = services({ projects: { ...projects, find } });
    const { next } = await attached('busy.example', 'busy');
    await expect(busy.commitLive(next)).rejects.toThrow(RoutingChanged);
    expect(tries).toBeGreaterThan(1);
    await services().commitLive(next);
    expect((await projects.find('busy'))?.liveDomains).toContain('busy.example');
  });
});
