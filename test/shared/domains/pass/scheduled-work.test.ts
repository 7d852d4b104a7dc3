import { beforeEach, describe, expect, test, vi } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { eachDomain } from '../../../../shared/domains/pass/each-domain.ts';
import { reconcileAll } from '../../../../shared/domains/pass/scheduled-work.ts';
import type { Project } from '../../../../shared/projects/project.ts';
import { certified, HOUR, live, NAME } from '../claimed-domain.ts';
import { flowWorld, GATEWAY } from './flow-world.ts';

const MONTH = 30 * 24 * HOUR;

const world = await flowWorld();
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

test('the scheduled reconcile removes a claim that was not verified within 30 days, also from the routing', async () => {
  const { projects } = world.parts;
  const { attempt } = await world.stored({ status: 'pending_dns', certificate: certified() });
  const zoo = (await projects.find('zoo')) as Project;
  const redirects = [{ from: NAME, to: 'zoo.example', status: 301 as const }];
  await transact([projects.routingChange(zoo, { liveDomains: [], primary: null, redirects })]);
  world.nowMs += MONTH;
  expect(await reconcileAll(world.parts)).toMatchObject({ reconciled: 1 });
  expect(await world.found()).toMatchObject({
    status: 'removing',
    attempt: attempt + 1,
    message: 'Not verified within 30 days, so the claim has ended.',
  });
  expect(world.calls).toContain(`start removal ${NAME} ${attempt + 1}`);
  expect(await projects.find('zoo')).toMatchObject({ redirects: [] });
});

test('a claim that is verified at the same moment is not removed', async () => {
  const before = await world.stored({ status: 'pending_dns', certificate: certified() });
  world.nowMs += MONTH;
  const all = vi.spyOn(world.store, 'all').mockImplementation(async () => {
    await world.save({ ...before, revision: before.revision + 1, status: 'verifying', attempt: 3 });
    return [before];
  });
  await reconcileAll(world.parts);
  all.mockRestore();
  expect(await world.found()).toMatchObject({ status: 'verifying', attempt: 3 });
});

test('each part of the reconcile is done, whatever fails in the others, and what failed is thrown', async () => {
  const certificate = certified();
  world.gateway = GATEWAY;
  await world.stored({ status: 'issuing', certificate });
  const domains = await Promise.all([
    world.stored({ domain: 'added.zoo.example' }),
    world.stored(live({ domain: 'unmapped.zoo.example', route: null })),
  ]);
  world.nowMs += HOUR;
  const reconcile = async (domain: Domain) => {
    if (domain.status === 'issuing') throw new Error('Rate exceeded');
    return world.parts.reconcile(domain);
  };
  await expect(reconcileAll({ ...world.parts, reconcile })).rejects.toThrow(
    'The work on some domains failed.',
  );
  expect(world.calls).toContain('map unmapped.zoo.example abcdefghij');
  expect((await world.found('added.zoo.example')).certificate.arn).not.toBeNull();
  expect(await reconcileAll(world.parts)).toMatchObject({ reconciled: 1 });
  expect(await world.found()).toMatchObject({ attempt: 3, restarts: 1 });
  for (const { domain } of domains) await world.forget(await world.found(domain));
});

test('a domain that failed is unmapped once, and counts as nothing to do', async () => {
  await world.stored(live({ status: 'failed' }));
  expect(await reconcileAll(world.parts)).toEqual({ reconciled: 0, looked: 0, tended: 1 });
  expect(await reconcileAll(world.parts)).toEqual({ reconciled: 0, looked: 0, tended: 0 });
  expect(world.calls).toEqual([`unmap ${NAME}`]);
});

test.each([
  ['removal', { status: 'removing' }],
  ['verification', { status: 'verifying' }],
] as const)('a domain whose %s has begun since the sweep read it is left to its flow', async (_, changes) => {
  world.attach();
  const before = await world.stored(live());
  const begun = { ...before, ...changes, attempt: 3, revision: before.revision + 1 };
  await world.save(begun);
  await world.parts.tend(before);
  expect(world.calls).toEqual([]);
  expect(await world.found()).toEqual(begun);
});

describe('eachDomain', () => {
  const domainsNamed = (count: number) =>
    Array.from({ length: count }, (_, number) => live({ domain: `shop-${number}.zoo.example` }));

  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  test('works on no more domains at a time than it may', async () => {
    let [started, atOnce, mostAtOnce] = [0, 0, 0];
    const end = eachDomain(domainsNamed(20), 4, async () => {
      started += 1;
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await new Promise(resolve => setTimeout(resolve, 100));
      atOnce -= 1;
    });
    await vi.runAllTimersAsync();
    await end;
    expect([started, mostAtOnce]).toEqual([20, 4]);
  });

  test('works on every domain, and throws the failures at the end', async () => {
    const names: string[] = [];
    const end = eachDomain(domainsNamed(3), 1, async ({ domain }) => {
      names.push(domain);
      if (domain.startsWith('shop-0')) throw new Error('no answer');
    });
    await expect(end).rejects.toMatchObject({ errors: [{ message: 'no answer' }] });
    expect(names).toHaveLength(3);
  });
});
