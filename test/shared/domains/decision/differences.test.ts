import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  compare,
  describeDifferences,
  differences,
  type IntendedDifference,
  type Run,
} from './differences.ts';
import { oldRun } from './old-run.ts';
import { situationOf } from './situation.ts';

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1);

/** Never says why a domain is verifying, and otherwise does what is done today. */
const silent: Run = async situation => {
  const outcome = await oldRun(situation);
  const { claim } = outcome;
  return claim?.status === 'verifying' ? { ...outcome, claim: { ...claim, reason: null } } : outcome;
};

const SILENT: IntendedDifference = {
  title: 'It does not say what is verified.',
  fields: ['claim.reason'],
  applies: (_, old) => old.claim?.status === 'verifying',
};

// Steps log what needs attention.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('the same outcome has no differences', async () => {
  const situation = situationOf(1);
  expect(compare(await oldRun(situation), await oldRun(situation))).toEqual([]);
});

test('names the fields that differ, and a claim as a whole that only one run has left', async () => {
  const outcome = await oldRun(situationOf(1));
  const { claim, aws } = outcome;
  if (!claim) throw new Error('The claim is gone.');
  const { certificate } = claim;
  const other = {
    ...outcome,
    claim: { ...claim, rounds: claim.rounds + 1, certificate: { ...certificate, requests: 7 } },
    aws: { ...aws, hosts: { ...aws.hosts, 'other.example': 'd-1' } },
    events: ['live'],
  };
  expect(compare(outcome, other).toSorted()).toEqual([
    'aws.hosts.other.example',
    'claim.certificate.requests',
    'claim.rounds',
    'events',
  ]);
  expect(compare(outcome, { ...outcome, claim: null })).toEqual(['claim']);
});

test('groups what nothing explains by stage, ends and fields, with a seed each', async () => {
  const found = await differences(SEEDS, oldRun, silent, []);
  const ways = [...found.unexplained];
  expect(ways.length).toBeGreaterThan(2);
  for (const [key, { fields, seed, count }] of ways) {
    expect(key).toMatch(/^\w+: verifying \(\w+\) → verifying: claim\.reason$/);
    expect(fields).toEqual(['claim.reason']);
    expect(count).toBeGreaterThan(0);
    expect(compare(await oldRun(situationOf(seed)), await silent(situationOf(seed)))).toEqual(fields);
  }
  const counts = ways.map(([, { count }]) => count);
  expect(counts).toEqual(counts.toSorted((left, right) => right - left));
  expect(describeDifferences(found, 2)).toMatch(
    new RegExp(
      `^\\d+ of 200 situations.* ${ways.length} ways\\.\nBy field: claim\\.reason \\d+\\.(\n\\d+ × .* \\(seed \\d+\\)){2}\n… and ${ways.length - 2} more`,
    ),
  );
});

test('an intended difference explains its fields where it applies, and is named where it explains nothing', async () => {
  const elsewhere = { ...SILENT, title: 'Not this.', fields: ['claim.message'] };
  const found = await differences(SEEDS, oldRun, silent, [SILENT, elsewhere]);
  expect(found.unexplained.size).toBe(0);
  expect(found.explained.get(SILENT.title)).toBeGreaterThan(5);
  expect(found.explained.get(elsewhere.title)).toBe(0);
  expect(describeDifferences(found)).toContain('Nothing is explained by: Not this.');
  const neverApplies = { ...SILENT, applies: () => false };
  expect((await differences(SEEDS, oldRun, silent, [neverApplies])).unexplained.size).toBeGreaterThan(0);
});

test('a run that throws differs, whatever is intended', async () => {
  const failing: Run = async () => {
    throw new TypeError('Broken.');
  };
  const everything = { ...SILENT, fields: ['claim', 'TypeError: Broken'], applies: () => true };
  const { unexplained } = await differences([1], oldRun, failing, [everything]);
  expect([...unexplained.values()]).toEqual([{ fields: ['TypeError: Broken.'], seed: 1, count: 1 }]);
});
