import { beforeEach, describe, expect, test, vi } from 'vitest';
import { clock, timeOf } from '../../../../shared/domains/clock.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { sweeper } from '../../../../shared/domains/pass/sweep.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
import { AT_MS, ago, DAY, HOUR, live, MINUTE } from '../claimed-domain.ts';

const SWEEP = 5 * MINUTE;

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

/** Domains that sweeps look at; a pass finds them as they are, and takes this long. */
function sweptWorld(all: readonly Domain[], { lookMs = 0, passMs = 0 } = {}) {
  const claims = new Map(all.map(claim => [claim.domain, claim]));
  const world = {
    nowMs: AT_MS,
    claims,
    tended: [] as string[],
    looked: [] as string[],
    mostAtOnce: 0,
    isMismapped: (_: Domain) => false,
    visitors: (_: string): Reached => ({ kind: 'reached' }),
    failsToTend: (_: string) => false,
    async sweep(done = { looked: 0, tended: 0 }) {
      const each = (claim: Domain) => ({ claim, project: undefined, isMismapped: world.isMismapped(claim) });
      await sweep([...claims.values()].map(each), done);
      return done;
    },
  };
  const change = (domain: string, changes: Partial<Domain>) =>
    claims.set(domain, { ...(claims.get(domain) as Domain), ...changes });
  let atOnce = 0;
  const sweep = sweeper({
    clock: clock(1, () => world.nowMs),
    domains: {
      async looked(domains, nowMs) {
        for (const domain of domains) change(domain, { lookedAt: timeOf(nowMs) });
      },
    },
    async reach(domain) {
      world.nowMs += lookMs;
      world.looked.push(domain);
      return { edge: { kind: 'reached' }, visitors: world.visitors(domain) };
    },
    async tend({ domain }) {
      atOnce += 1;
      world.mostAtOnce = Math.max(world.mostAtOnce, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      world.nowMs += passMs;
      if (world.failsToTend(domain)) throw new Error('ACM throttles.');
      change(domain, { checkedAt: timeOf(world.nowMs) });
      world.tended.push(domain);
    },
  });
  return world;
}

/** As many live domains, the first of which was looked at in full longest ago. */
function domains(count: number, changes: (number: number) => Partial<Domain>): Domain[] {
  const one = live({ createdAt: ago(40 * DAY) });
  return Array.from({ length: count }, (_, number) => {
    const times = { checkedAt: ago(2 * DAY - number), lookedAt: timeOf(AT_MS) };
    return { ...one, domain: `shop-${number}.zoo.example`, ...times, ...changes(number) };
  });
}

const names = (claims: readonly Domain[]) => claims.map(({ domain }) => domain);

describe('a sweep', () => {
  test('tends 60 domains, four at a time, those that are due for longest', async () => {
    const all = domains(100, () => ({}));
    const world = sweptWorld(all.toReversed());
    expect(await world.sweep()).toEqual({ looked: 0, tended: 60 });
    expect(world.tended).toEqual(names(all.slice(0, 60)));
    expect(world.mostAtOnce).toBe(4);
  });

  test('begins no pass after two minutes', async () => {
    const world = sweptWorld(
      domains(60, () => ({})),
      { passMs: 10_000 },
    );
    expect((await world.sweep()).tended).toBeLessThanOrEqual(12 + 4);
  });

  test('tends what a look shows first, then what is due, then those that wait for us', async () => {
    const fresh = { checkedAt: ago(2 * HOUR) };
    const [due, gone, mismapped, troubled] = domains(
      4,
      number =>
        [
          {},
          { ...fresh, lookedAt: ago(HOUR) },
          { checkedAt: ago(HOUR) },
          { ...fresh, status: 'needs_attention' as const, reason: 'caa_blocked' as const },
        ][number] as Partial<Domain>,
    ) as [Domain, Domain, Domain, Domain];
    const world = sweptWorld([troubled, due, mismapped, gone]);
    world.visitors = () => ({ kind: 'unreachable', why: 'The name has no IP address.' });
    world.isMismapped = claim => claim.domain === mismapped.domain;
    expect(await world.sweep()).toEqual({ looked: 1, tended: 4 });
    expect(world.tended).toEqual(names([gone, mismapped, due, troubled]));
  });

  test('counts what it has done, although some of it fails, and throws what failed', async () => {
    const all = domains(30, () => ({ lookedAt: ago(HOUR) }));
    const world = sweptWorld(all);
    const [unseen, failing] = names(all);
    world.visitors = domain => {
      if (domain === unseen) throw new Error('no answer');
      return { kind: 'reached' };
    };
    world.failsToTend = domain => domain === failing;
    const done = { looked: 0, tended: 0 };
    await expect(world.sweep(done)).rejects.toThrow('The work on some domains failed.');
    expect(done).toEqual({ looked: 29, tended: 29 });
  });
});

describe('over several sweeps', () => {
  test('all that are due are tended once, in their order', async () => {
    const all = domains(300, () => ({}));
    const world = sweptWorld(all);
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      await world.sweep();
      world.nowMs += SWEEP;
    }
    expect(world.tended).toEqual(names(all));
  });

  test('80 that are news again each time keep neither each other nor what is due from its turn', async () => {
    const all = domains(200, () => ({}));
    const world = sweptWorld(all);
    const restless = new Set(names(all.slice(0, 80)));
    world.isMismapped = ({ domain }) => restless.has(domain);
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      await world.sweep();
      world.nowMs += SWEEP;
    }
    expect(new Set(world.tended)).toEqual(new Set(names(all)));
  });

  // 32 at a time, of half a second each, for a minute.
  const LOOK_MS = 500 / 32;

  test.each<[ready: number, others: number, readyMs: number, othersMs: number]>([
    [1_000, 10_000, 5 * MINUTE, HOUR],
    [10_000, 0, 15 * MINUTE, 0],
  ])('%i ready and %i other domains are requested in time', async (readyCount, others, readyMs, othersMs) => {
    const isReady = (number: number) => number < readyCount;
    const all = domains(readyCount + others, number => ({
      checkedAt: ago(HOUR),
      lookedAt: ago((number % 60) * MINUTE),
      ...(isReady(number) && { status: 'ready' as const, readyAt: timeOf(AT_MS) }),
    }));
    const world = sweptWorld(all, { lookMs: LOOK_MS });
    world.visitors = domain =>
      isReady(Number(domain.slice('shop-'.length, domain.indexOf('.'))))
        ? { kind: 'answer_foreign', why: 'Another server responds.' }
        : { kind: 'reached' };
    const last = new Map<string, number>();
    const longest = { ready: 0, others: 0 };
    for (let sweeps = 0; sweeps < 12 + 1; sweeps += 1) {
      const startedMs = world.nowMs;
      await world.sweep();
      // A pass looks, too.
      for (const domain of [...world.looked.splice(0), ...world.tended.splice(0)]) {
        const kind = world.claims.get(domain)?.status === 'ready' ? 'ready' : 'others';
        longest[kind] = Math.max(longest[kind], startedMs - (last.get(domain) ?? startedMs));
        last.set(domain, startedMs);
      }
      world.nowMs = startedMs + SWEEP;
    }
    expect(last.size).toBe(all.length);
    expect(longest.ready).toBeLessThanOrEqual(readyMs);
    expect(longest.others).toBeLessThanOrEqual(othersMs);
  });
});
