import { beforeAll, describe, expect, test } from 'vitest';
import { transact, type Write } from '../../../../shared/aws/transaction.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { type DomainStore, domainStore, Superseded } from '../../../../shared/domains/life/domain-store.ts';
import { domainsOfProjects } from '../../../../shared/domains/steps/project-domains.ts';
import {
  type ProjectStore,
  projectStore,
  RoutingChanged,
} from '../../../../shared/projects/project-store.ts';
import { NO_ROUTING, withLive, withRedirect } from '../../../../shared/projects/routing.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT, claimed } from '../claimed-domain.ts';

const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };

let domains: DomainStore;
let projects: ProjectStore;
beforeAll(async () => {
  const tables = await Promise.all([tableLike('DomainsTable'), tableLike('ProjectsTable')]);
  domains = domainStore(tables[0]);
  projects = projectStore(tables[1]);
});

const of = (commit: (writes: readonly Write[]) => Promise<void> = transact) =>
  domainsOfProjects({ projects, domains, redirects: REDIRECTS, commit });

/** A project with these live domains, of which the second redirects to the first if it should. */
async function project(id: string, liveDomains: readonly string[], isRedirecting = false) {
  const apiStage = { id, plan: 'pro', apiId: 'abcdefghij', stage: 'test' } as const;
  await projects.recordDeploy(apiStage, AT);
  const found = await projects.find(id);
  if (!found) throw new Error(`There is no project ${id}.`);
  const [first = '', second = ''] = liveDomains;
  const routing = liveDomains.reduce(withLive, NO_ROUTING);
  const redirect = { from: second, to: first, status: 301 } as const;
  const after = isRedirecting ? withRedirect(routing, redirect) : routing;
  await transact([projects.routingChange(found, after)]);
}

/** A domain of a project that is about to go live. */
async function attached(name: string, id: string): Promise<Domain> {
  const domain = claimed({ domain: name, project: id, status: 'issuing', phase: 'attachment', attempt: 2 });
  await transact([domains.claim(domain)]);
  return domain;
}
const isLive = { status: 'live', phase: 'live' } as const;

describe('what a domain is mapped to', () => {
  test('is what its project is published at, or what redirects', async () => {
    await project('mapped', ['a.example', 'b.example'], true);
    const { apiStageOf } = of();
    const at = (domain: string) => apiStageOf(claimed({ domain, project: 'mapped' }));
    expect(await at('a.example')).toMatchObject({ apiId: 'abcdefghij', stage: 'test' });
    expect(await at('b.example')).toEqual(REDIRECTS);
    expect(await at('new.example')).toMatchObject({ apiId: 'abcdefghij', stage: 'test' });
  });

  test('is nothing where the project is gone', async () => {
    expect(await of().apiStageOf(claimed({ project: 'gone' }))).toBeUndefined();
  });
});

describe('a domain goes live', () => {
  test('together with its place in the project: the first is the primary', async () => {
    await project('first', []);
    const next = nextRevision(await attached('first.example', 'first'), isLive);
    await of().goLive(next);
    expect(await domains.find('first.example')).toEqual(next);
    expect(await projects.find('first')).toMatchObject({
      liveDomains: ['first.example'],
      primary: 'first.example',
    });
  });

  test('again, after a lost answer, without a difference', async () => {
    await project('again', []);
    const next = nextRevision(await attached('again.example', 'again'), isLive);
    await of().goLive(next);
    await of().goLive(next);
    expect(await projects.find('again')).toMatchObject({ liveDomains: ['again.example'] });
  });

  test('each with its place, when many do at once', async () => {
    await project('many', []);
    const names = Array.from({ length: 5 }, (_, number) => `many${number}.example`);
    const nexts = await Promise.all(
      names.map(async name => nextRevision(await attached(name, 'many'), isLive)),
    );
    await Promise.all(nexts.map(next => of().goLive(next)));
    const found = await projects.find('many');
    expect(found?.liveDomains.toSorted()).toEqual(names);
    expect(found?.primary).toBe(found?.liveDomains[0]);
  });

  test('not at all where a removal was first, and its project knows nothing of it', async () => {
    await project('overtaken', []);
    const before = await attached('overtaken.example', 'overtaken');
    await domains.save(nextRevision(before, { status: 'removing', attempt: 3 }));
    await expect(of().goLive(nextRevision(before, isLive))).rejects.toThrow(Superseded);
    expect(await projects.find('overtaken')).toMatchObject({ liveDomains: [], primary: null });
  });

  test('not at all where its project is gone', async () => {
    const before = await attached('lost.example', 'lost');
    await expect(of().goLive(nextRevision(before, isLive))).rejects.toThrow(
      'There is no project lost any more.',
    );
    expect(await domains.find('lost.example')).toEqual(before);
  });

  test('later, where others keep changing the project: it fails and is repeated', async () => {
    await project('busy', []);
    let tries = 0;
    const busy = of(async () => {
      tries += 1;
      throw new RoutingChanged('changed');
    });
    const next = nextRevision(await attached('busy.example', 'busy'), isLive);
    await expect(busy.goLive(next)).rejects.toThrow(RoutingChanged);
    expect(tries).toBeGreaterThan(1);
    await of().goLive(next);
    expect(await projects.find('busy')).toMatchObject({ primary: 'busy.example' });
  });
});
