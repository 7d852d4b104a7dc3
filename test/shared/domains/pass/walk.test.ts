import { beforeEach, expect, test, vi } from 'vitest';
import { DOMAIN_REASONS } from '../../../../shared/domains/life/domain-reason.ts';
import { isBeingRemoved } from '../../../../shared/domains/life/domain-status.ts';
import { passesTo, walk } from './walk.ts';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

test('walk', async () => {
  const startMs = Date.now();
  const { states, passes, reasons, findings } = await walk();
  const walkMs = Date.now() - startMs;
  process.stderr.write(`${states.length} states, ${passes} passes, ${walkMs} ms\n`);
  const by: Record<string, number> = {};
  for (const { claim } of states) by[claim.status] = (by[claim.status] ?? 0) + 1;
  process.stderr.write(`${JSON.stringify(by)}\n`);
  process.stderr.write(`${DOMAIN_REASONS.filter(reason => !reasons.has(reason)).join()}\n`);
  for (const { what, way } of findings.values()) process.stderr.write(`${what}${way}\n`);
  let longest = 0;
  for (const { claim } of states) {
    for (const isRemoval of [false, true]) {
      if (isBeingRemoved(claim) && !isRemoval) continue;
      const n = await passesTo(claim, {}, isRemoval);
      if (n === undefined) process.stderr.write(`never ${isRemoval} ${JSON.stringify(claim)}\n`);
      longest = Math.max(longest, n ?? 99);
    }
  }
  process.stderr.write(`longest ${longest} ${Date.now() - startMs} ms\n`);
  expect(findings.size).toBe(0);
});
