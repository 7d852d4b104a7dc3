import { expect, test } from 'vitest';
import { domainStore } from '../../../../shared/domains/life/domain-store.ts';
import { type Holder, LEASE_MS } from '../../../../shared/domains/life/lease.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS, claimed, NAME } from '../claimed-domain.ts';

const CLAIM = claimed();

/** The store of an empty table, with a clock that the test sets. */
async function leased() {
  const clock = { nowMs: AT_MS };
  const { holding, claim, find } = domainStore(await tableLike('DomainsTable'), () => clock.nowMs);
  return {
    clock,
    holding,
    commit: (holder: Holder) => holder.commit([claim(CLAIM)]),
    claimed: () => find(CLAIM.domain, CLAIM.project),
  };
}

const work = async () => 'worked';

test('of two at once one works, and the other gets undefined; each name has a lease of its own', async () => {
  const { holding } = await leased();
  const others: unknown[] = [];
  const first = await holding(NAME, async () => {
    others.push(await holding(NAME, work), await holding('zoo.example', work));
    return work();
  });
  expect([first, ...others]).toEqual(['worked', undefined, 'worked']);
});

test('the lease is given back, also after an error, which is passed on; nothing is committed by it any more', async () => {
  const { holding, commit } = await leased();
  const failing = holding(NAME, () => Promise.reject(new Error('no answer')));
  await expect(failing).rejects.toThrow('no answer');
  const former = await holding(NAME, async holder => holder);
  await expect(former && commit(former)).rejects.toMatchObject({ name: 'LeaseLost' });
  expect(await holding(NAME, work)).toBe('worked');
});

test('a lease is over after 90 s: another takes it, and its former holder neither commits nor gives it back', async () => {
  const { clock, holding, commit, claimed: committed } = await leased();
  const end = Promise.withResolvers<void>();
  let next: Promise<unknown> | undefined;
  const former = await holding(NAME, async holder => {
    clock.nowMs += LEASE_MS - 1;
    expect(await holding(NAME, work, 0, leftMs => `busy for ${leftMs} ms`)).toBe('busy for 1 ms');
    clock.nowMs += 1;
    await new Promise<void>(taken => {
      next = holding(NAME, async () => {
        taken();
        await end.promise;
      });
    });
    return commit(holder).then(work);
  });
  expect([former, await committed()]).toEqual([undefined, undefined]);
  expect(await holding(NAME, work)).toBeUndefined();
  end.resolve();
  await next;
  expect(await holding(NAME, work)).toBe('worked');
});

test('a holder commits its writes, and the refusal of a write is passed on', async () => {
  const { holding, commit, claimed: committed } = await leased();
  await holding(NAME, commit);
  expect(await committed()).toEqual(CLAIM);
  await expect(holding(NAME, commit)).rejects.toMatchObject({ name: 'AlreadyClaimed' });
});

test('who is patient waits until the lease is free, or the time is over', async () => {
  const { clock, holding } = await leased();
  const outcome = await holding(NAME, async () => {
    const late = holding(NAME, work, 10_000);
    await holding('zoo.example', async () => {
      const never = holding('zoo.example', work, 1);
      clock.nowMs += 1;
      expect(await never).toBeUndefined();
    });
    return { late };
  });
  expect(await outcome?.late).toBe('worked');
});

test('a call that could outlast the lease is not made', async () => {
  const { clock, holding } = await leased();
  const reached: string[] = [];
  const late = await holding(NAME, async holder => {
    clock.nowMs += LEASE_MS - 15_000;
    holder.requireTime();
    reached.push('in time');
    clock.nowMs += 1;
    holder.requireTime();
    reached.push('too late');
    return 'worked';
  });
  expect([late, reached]).toEqual([undefined, ['in time']]);
});
