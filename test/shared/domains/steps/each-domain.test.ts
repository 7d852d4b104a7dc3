import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eachDomain } from '../../../../shared/domains/steps/scheduled-work.ts';
import { live } from '../claimed-domain.ts';

const domainsNamed = (count: number) =>
  Array.from({ length: count }, (_, number) => live({ domain: `shop-${number}.zoo.example` }));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Works on domains, each for this long, and returns when each was started and how many were worked on at once. */
async function worked(count: number, pace: { concurrency: number; everyMs: number }, workMs: number) {
  const startedAtMs = Date.now();
  const startsMs: number[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const end = eachDomain(domainsNamed(count), pace, async () => {
    startsMs.push(Date.now() - startedAtMs);
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await new Promise(resolve => setTimeout(resolve, workMs));
    atOnce -= 1;
  }).then(() => Date.now() - startedAtMs);
  await vi.runAllTimersAsync();
  return { startsMs, mostAtOnce, tookMs: await end };
}

describe('eachDomain', () => {
  test('starts one domain per interval while the work is quick', async () => {
    const { startsMs, mostAtOnce } = await worked(5, { concurrency: 32, everyMs: 250 }, 100);
    expect(startsMs).toEqual([0, 250, 500, 750, 1000]);
    expect(mostAtOnce).toBe(1);
  });

  test('works on no more domains at a time than its pace allows', async () => {
    const { mostAtOnce, startsMs } = await worked(20, { concurrency: 4, everyMs: 0 }, 100);
    expect(mostAtOnce).toBe(4);
    expect(startsMs).toHaveLength(20);
  });

  test('checks 1,000 domains of 20 s each in less than the 15 minutes of the function', async () => {
    const { tookMs } = await worked(1000, { concurrency: 32, everyMs: 250 }, 20_000);
    expect(tookMs).toBeLessThan(13 * 60_000);
  });

  test('works on every domain, and throws the failures at the end', async () => {
    const names: string[] = [];
    const end = eachDomain(domainsNamed(3), { concurrency: 1, everyMs: 0 }, async ({ domain }) => {
      names.push(domain);
      if (domain.startsWith('shop-0')) throw new Error('no answer');
    });
    await expect(end).rejects.toMatchObject({ errors: [{ message: 'no answer' }] });
    expect(names).toHaveLength(3);
  });
});
