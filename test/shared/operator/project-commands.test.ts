import { beforeAll, describe, expect, test } from 'vitest';
import { AT } from '../domains/claimed-domain.ts';
import { refusal } from './operating.ts';
import { type OperatingDomains, operatingDomains, PUBLISHED } from './operating-domains.ts';

let world: OperatingDomains;
beforeAll(async () => {
  world = await operatingDomains();
});

const NEW = {
  plan: 'free',
  ...PUBLISHED,
  deploy: { state: 'none', at: null },
  createdAt: AT,
  liveDomains: [],
  primary: null,
  redirects: [],
};

describe('projects.create', () => {
  test('adds a project on the plan free, published at this service, that was never deployed', async () => {
    expect(await world.done('projects.create', { id: 'zoo' })).toEqual({ id: 'zoo', ...NEW });
    expect(await world.done('projects.show', { id: 'zoo' })).toEqual({ id: 'zoo', ...NEW });
  });

  test('takes another plan and another publication', async () => {
    const fields = { id: 'park', plan: 'pro', apiId: 'otherapi01', stage: 'next' };
    expect(await world.done('projects.create', fields)).toEqual({ ...NEW, ...fields });
  });

  test('again with the same requestId is the same project', async () => {
    const fields = { id: 'aviary', requestId: 'create-aviary' };
    await world.done('projects.create', fields);
    expect(await world.ask('projects.create', fields)).toMatchObject({
      ok: true,
      replayed: true,
      result: { id: 'aviary' },
    });
  });

  test('conflict: there is one of that name', async () => {
    await world.done('projects.create', { id: 'twice', plan: 'pro' });
    expect(await world.ask('projects.create', { id: 'twice' })).toEqual(
      refusal('conflict', 'There is a project twice already.'),
    );
    expect(await world.done('projects.show', { id: 'twice' })).toMatchObject({ plan: 'pro' });
  });

  test.each([
    ['no name', {}, /^id is required$/],
    ['a name that is none', { id: 'The Zoo' }, /^id must be 2 to 63 of a–z/],
    ['a hyphen last', { id: 'zoo-' }, /^id must be 2 to 63/],
    ['a plan that there is not', { id: 'zoo', plan: 'gold' }, /^plan must be one of free, pro, enterprise$/],
    ['a stage that is none', { id: 'zoo', stage: 'a b' }, /^stage must be 1 to 128 of/],
  ])('invalid_request: %s', async (_, fields, message) => {
    expect(await world.ask('projects.create', fields)).toEqual(
      refusal('invalid_request', expect.stringMatching(message)),
    );
  });
});

test('projects.list has all, by name', async () => {
  await world.done('projects.create', { id: 'zz-last' });
  await world.done('projects.create', { id: 'aa-first' });
  const ids = (await world.done('projects.list')).projects.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(ids.toSorted());
  expect([ids.at(0), ids.at(-1)]).toEqual(['aa-first', 'zz-last']);
});

describe('projects.plan', () => {
  test('gives another plan and changes nothing else', async () => {
    await world.project('planned', 'planned.example');
    const before = await world.done('projects.show', { id: 'planned' });
    const after = await world.done('projects.plan', { id: 'planned', plan: 'enterprise' });
    expect(after).toEqual({ ...before, plan: 'enterprise' });
    expect(await world.done('projects.show', { id: 'planned' })).toEqual(after);
  });

  test('invalid_request: no plan, with those that there are', async () => {
    expect(await world.ask('projects.plan', { id: 'planned' })).toEqual(
      refusal('invalid_request', 'plan must be one of free, pro, enterprise'),
    );
  });
});

describe('projects.deployed', () => {
  test.each([
    [{}, 'succeeded'],
    [{ state: 'failed' }, 'failed'],
  ])('notes a deploy: %j', async (fields, state) => {
    await world.project(`deployed-${state}`);
    world.nowMs += 1000;
    const at = new Date(world.nowMs).toISOString();
    const id = `deployed-${state}`;
    expect(await world.done('projects.deployed', { id, ...fields })).toMatchObject({ deploy: { state, at } });
    expect(await world.done('projects.show', { id })).toMatchObject({ deploy: { state, at } });
  });
});

test.each([
  ['projects.show', {}],
  ['projects.plan', { plan: 'pro' }],
  ['projects.deployed', {}],
])('not_found: %s of a project that there is not', async (command, fields) => {
  expect(await world.ask(command, { id: 'nowhere', ...fields })).toEqual(
    refusal('not_found', 'There is no project nowhere.'),
  );
  expect(await world.projects.find('nowhere')).toBeUndefined();
});
