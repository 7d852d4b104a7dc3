import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeDifferences, differences } from './differences.ts';
import { INTENDED } from './intended.ts';
import { newRun } from './new-run.ts';
import { oldRun } from './old-run.ts';
import { situationSeeds } from './situation.ts';

// Steps log what needs attention.
beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

test('one pass makes of any situation what the steps of the flows make of it, but for what is intended', async () => {
  const found = await differences(situationSeeds(), oldRun, newRun, INTENDED);
  expect(found.unexplained.size, describeDifferences(found)).toBe(0);
});
