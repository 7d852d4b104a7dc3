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
import { NO_ROUTING, withArrival, withLive } from '../../../shared/projects/routing.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { AT, DEPLOYED, someProject } from './some-project.ts';

const LATER = '2026-02-01T12:00:00.000Z';

let table: string;
let projects: ProjectStore;
beforeAll(async () => {
  table = await tableLike('ProjectsTable');
  projects = projectStore(table);
});

/** Adds a project with this id. Each test uses ids of its own. */
async function added(id: string): Promise<Project> {
  const project = someProject({ id });
  await transact([projects.addition(project)]);
  return project;
}

const found = async (id: string) => (await projects.find(id)) as Project;

test('find gives a project as it was added, and undefined for an unknown id', async () => {
  const project = await added('found');
  expect(await projects.find('found')).toEqual(project);
  expect(await projects.find('lost')).toBeUndefined();
});

test('an addition is refused with ProjectExists for a known id; a retry of itself is not', async () => {
  const project = await added('twice');
  await expect(transact([projects.addition(project)])).rejects.toThrow(ProjectExists);
  const write = projects.addition({ ...project, id: 'once' });
  await transact([write]);
  await transact([write]);
  expect(await projects.find('once')).toMatchObject({ id: 'once' });
});

test('list gives all projects by id', async () => {
  await Promise.all([added('zebras'), added('ants')]);
  const ids = (await projects.list()).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted());
  expect(ids).toEqual(expect.arrayContaining(['ants', 'zebras']));
});

describe('a routing change', () => {
  test('replaces an empty routing, and the routing that was read', async () => {
    const before = await added('routed');
    await transact([projects.routingChange(before, withLive(before, 'a.example'))]);
    const first = await found('routed');
    expect(first).toMatchObject({ liveDomains: ['a.example'], primary: 'a.example', redirects: [] });
    await transact([projects.routingChange(first, withLive(first, 'b.example'))]);
    expect(await found('routed')).toMatchObject({ liveDomains: ['a.example', 'b.example'] });
  });

  test('is refused with RoutingChanged when the routing was changed since it was read', async () => {
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

  test('compares the whole routing, redirects included, and not the order of its fields', async () => {
    const before = await added('compared');
    const redirectWith = (status: 301 | 308) => ({ status, to: 'a.example', from: 'b.example' });
    const routing = {
      redirects: [redirectWith(308)],
      primary: 'a.example',
      liveDomains: ['a.example', 'b.example'],
    };
    await transact([projects.routingChange(before, routing)]);
    const other = { ...before, ...routing, redirects: [redirectWith(301)] };
    await expect(transact([projects.routingChange(other, NO_ROUTING)])).rejects.toThrow(RoutingChanged);
    await transact([projects.routingChange({ ...before, ...routing }, NO_ROUTING)]);
    expect(await found('compared')).toEqual(before);
  });

  test('notes domains whose visitors do not arrive beside what others note at the same time', async () => {
    const before = await added('away');
    const arrival = async (domain: string, hasArrived: boolean, project = before) =>
      transact([projects.routingChange(project, withArrival(project, domain, hasArrived))]);
    await arrival('a.example', false);
    await arrival('b.example', false);
    const both = await found('away');
    expect(both).toEqual({ ...before, awayDomains: ['a.example', 'b.example'] });
    await arrival('a.example', true, both);
    await arrival('b.example', true, both);
    expect(await found('away')).toEqual(before);
  });

  test('replaces a routing that was emptied again', async () => {
    const before = await added('emptied');
    await transact([projects.routingChange(before, withLive(before, 'a.example'))]);
    await transact([projects.routingChange(await found('emptied'), NO_ROUTING)]);
    const emptied = await found('emptied');
    await transact([projects.routingChange(emptied, withLive(emptied, 'b.example'))]);
    expect(await found('emptied')).toMatchObject({ primary: 'b.example' });
  });

  test('is refused with RoutingChanged for an unknown project, and adds none', async () => {
    const project = { ...(await added('present')), id: 'absent' };
    const change = projects.routingChange(project, withLive(project, 'a.example'));
    await expect(transact([change])).rejects.toThrow(RoutingChanged);
    expect(await projects.find('absent')).toBeUndefined();
  });

  test('is kept by a deploy, as the plan and the time of creation are', async () => {
    const before = await added('deployed');
    await transact([projects.routingChange(before, withLive(before, 'a.example'))]);
    await projects.recordDeploy({ id: 'deployed', plan: 'free', apiId: 'other', stage: 'next' }, LATER);
    expect(await found('deployed')).toEqual({
      ...before,
      ...withLive(before, 'a.example'),
      apiId: 'other',
      stage: 'next',
      deploy: { state: 'succeeded', at: LATER, succeededAt: LATER },
    });
  });
});

test('recordDeploy adds an unknown project', async () => {
  await projects.recordDeploy({ id: 'new', plan: 'enterprise', apiId: 'abcdefghij', stage: 'test' }, AT);
  const expected = someProject({ id: 'new', plan: 'enterprise', deploy: DEPLOYED });
  expect(await projects.find('new')).toEqual(expected);
});

test('nameChange gives a project a name or none, and other changes keep it', async () => {
  const project = await added('called');
  await transact([projects.nameChange('called', 'Zoo')]);
  await transact([projects.planChange('called', 'free')]);
  await projects.recordDeploy(project, LATER);
  expect(await projects.find('called')).toMatchObject({ name: 'Zoo', plan: 'free' });
  await transact([projects.nameChange('called', null)]);
  expect(await projects.find('called')).toMatchObject({ name: null, plan: 'free' });
  await transact([projects.addition({ ...project, id: 'born-called', name: 'Zoo' })]);
  expect(await projects.find('born-called')).toEqual({ ...project, id: 'born-called', name: 'Zoo' });
});

test('planChange and deployChange change a known project; every change of another is refused with ProjectUnknown', async () => {
  const project = await added('planned');
  await transact([projects.planChange('planned', 'free')]);
  await transact([projects.deployChange('planned', 'failed', LATER)]);
  const deploy = { state: 'failed', at: LATER, succeededAt: project.deploy.succeededAt };
  expect(await projects.find('planned')).toEqual({ ...project, plan: 'free', deploy });
  for (const write of [
    projects.planChange('none', 'free'),
    projects.deployChange('none', 'failed', LATER),
    projects.nameChange('none', 'Zoo'),
    projects.nameChange('none', null),
  ]) {
    await expect(transact([write])).rejects.toThrow(ProjectUnknown);
  }
  expect(await projects.find('none')).toBeUndefined();
});
