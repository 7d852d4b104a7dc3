import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import type { Project } from '../../../shared/projects/project.ts';
import {
  ProjectExists,
  type ProjectStore,
  ProjectUnknown,
  projectStore,
  RoutingChanged,
} from '../../../shared/projects/project-store.ts';
import { NO_ROUTING, withLive } from '../../../shared/projects/routing.ts';
import { tableLike } from '../../setup/stack-tables.ts';

const AT = '2026-01-31T12:00:00.000Z';
const LATER = '2026-02-01T12:00:00.000Z';

let projects: ProjectStore;
beforeAll(async () => {
  projects = projectStore(await tableLike('ProjectsTable'));
});

/** A project of its own for a test, of this name. */
async function added(id: string): Promise<Project> {
  const project: Project = {
    id,
    plan: 'pro',
    deploy: { state: 'none', at: null },
    apiId: 'abcdefghij',
    stage: 'test',
    createdAt: AT,
    ...NO_ROUTING,
  };
  await transact([projects.addition(project)]);
  return project;
}

const found = async (id: string) => (await projects.find(id)) as Project;

test('a project is found as it was added, and there is none that was not', async () => {
  const project = await added('found');
  expect(await projects.find('found')).toEqual(project);
  expect(await projects.find('lost')).toBeUndefined();
});

test('a project is added once; the same write again, after a lost answer, is no conflict', async () => {
  const project = await added('twice');
  await expect(transact([projects.addition(project)])).rejects.toThrow(ProjectExists);
  const write = projects.addition({ ...project, id: 'once' });
  await transact([write]);
  await transact([write]);
  expect(await projects.find('once')).toMatchObject({ id: 'once' });
});

test('all are listed by name', async () => {
  await Promise.all([added('zebras'), added('ants')]);
  const ids = (await projects.list()).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted());
  expect(ids).toEqual(expect.arrayContaining(['ants', 'zebras']));
});

describe('the routing', () => {
  test('of a project is changed from none, and from what it was', async () => {
    const before = await added('routed');
    await transact([projects.routingChange(before, withLive(before, 'a.example'))]);
    const first = await found('routed');
    expect(first).toMatchObject({ liveDomains: ['a.example'], primary: 'a.example', redirects: [] });
    await transact([projects.routingChange(first, withLive(first, 'b.example'))]);
    expect(await found('routed')).toMatchObject({ liveDomains: ['a.example', 'b.example'] });
  });

  test('is changed only by who has seen it as it is', async () => {
    const before = await added('raced');
    await transact([projects.routingChange(before, withLive(before, 'a.example'))]);
    const stale = projects.routingChange(before, withLive(before, 'b.example'));
    await expect(transact([stale])).rejects.toThrow(RoutingChanged);
    const first = await found('raced');
    await transact([projects.routingChange(first, withLive(first, 'b.example'))]);
    const late = projects.routingChange(first, withLive(first, 'c.example'));
    await expect(transact([late])).rejects.toThrow('The domains of raced were changed in the meantime.');
    expect(await found('raced')).toMatchObject({ liveDomains: ['a.example', 'b.example'] });
  });

  test('that was emptied again can be changed as at first', async () => {
    const before = await added('emptied');
    await transact([projects.routingChange(before, withLive(before, 'a.example'))]);
    await transact([projects.routingChange(await found('emptied'), NO_ROUTING)]);
    const emptied = await found('emptied');
    await transact([projects.routingChange(emptied, withLive(emptied, 'b.example'))]);
    expect(await found('emptied')).toMatchObject({ primary: 'b.example' });
  });

  test('of a project that is not there is refused, and makes none', async () => {
    const project = { ...(await added('present')), id: 'absent' };
    const change = projects.routingChange(project, withLive(project, 'a.example'));
    await expect(transact([change])).rejects.toThrow(RoutingChanged);
    expect(await projects.find('absent')).toBeUndefined();
  });

  test('survives a deploy, as the plan and the time of creation do', async () => {
    const before = await added('deployed');
    await transact([projects.routingChange(before, withLive(before, 'a.example'))]);
    await projects.recordDeploy({ id: 'deployed', plan: 'free', apiId: 'other', stage: 'next' }, LATER);
    expect(await found('deployed')).toEqual({
      ...before,
      ...withLive(before, 'a.example'),
      apiId: 'other',
      stage: 'next',
      deploy: { state: 'succeeded', at: LATER },
    });
  });
});

test('a deploy makes a project that was not known', async () => {
  await projects.recordDeploy({ id: 'new', plan: 'enterprise', apiId: 'abcdefghij', stage: 'test' }, AT);
  expect(await projects.find('new')).toEqual({
    id: 'new',
    plan: 'enterprise',
    apiId: 'abcdefghij',
    stage: 'test',
    deploy: { state: 'succeeded', at: AT },
    createdAt: AT,
    ...NO_ROUTING,
  });
});

test('the plan and a deploy are noted, of projects that there are', async () => {
  const project = await added('noted');
  await transact([projects.planChange('noted', 'free')]);
  await transact([projects.deployNote('noted', 'failed', LATER)]);
  const deploy = { state: 'failed', at: LATER };
  expect(await projects.find('noted')).toEqual({ ...project, plan: 'free', deploy });
  for (const write of [projects.planChange('none', 'free'), projects.deployNote('none', 'failed', LATER)]) {
    await expect(transact([write])).rejects.toThrow(ProjectUnknown);
  }
  expect(await projects.find('none')).toBeUndefined();
});
