import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { DOMAIN_REASONS, type DomainReason } from '../../../../shared/domains/life/domain-reason.ts';
import { isBeingRemoved } from '../../../../shared/domains/life/domain-status.ts';
import { passesTo, type Walk, walk } from './walk.ts';
import type { Choose } from './walk-world.ts';

/** The reasons that no pass gives, or not before the next deploy, with the file that makes their trouble. */
const GIVEN_ELSEWHERE: Partial<Record<DomainReason, string>> = {
  internal_error: 'reconciler.ts',
};

/** What is lost where nothing of ours is as it was left, and what a new certificate replaces. */
const LOST: Readonly<Record<string, unknown>> = {
  front: 'other certificate',
  mapping: null,
  certificate: 'timed out',
};

/** Worlds that let every claim go live: all is right, or what is ours has to be put right. */
const WORLDS: Readonly<Record<string, Choose>> = {
  'that is right': (_, options) => options[0] as (typeof options)[number],
  'without anything of ours': (what, options, wrong) =>
    (what in LOST ? LOST[what] : options[wrong === 'ours' ? 1 : 0]) as (typeof options)[number],
};

/** A contest takes six hours, with longer and longer waits. */
const LONGEST = 60;

let walked: Walk;
beforeAll(async () => {
  // Domains that need attention are logged.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  walked = await walk();
  return () => vi.restoreAllMocks();
});

test('no state asks for ever for what is so, each names a trouble or a time, and what is live without trouble is well', () => {
  expect(walked.findings.map(({ what, way }) => `${what}${way}`)).toEqual([]);
});

const WHERE_TO_GIVE =
  'What makes a pass give it is a choice in walk-world.ts; until something does, it is in GIVEN_ELSEWHERE';

test('passes give every reason of the table, but for those given elsewhere', () => {
  const missing = DOMAIN_REASONS.filter(reason => !walked.reasons.has(reason));
  expect(missing.toSorted(), WHERE_TO_GIVE).toEqual(Object.keys(GIVEN_ELSEWHERE).toSorted());
  for (const [reason, file] of Object.entries(GIVEN_ELSEWHERE)) {
    const source = new URL(`../../../../shared/domains/pass/${file}`, import.meta.url);
    expect(readFileSync(source, 'utf8')).toContain(`reason: '${reason}'`);
  }
});

test('in a world that is right and stays so, every claim is live in the end, or gone where that is wanted', async () => {
  const never: string[] = [];
  let longest = 0;
  for (const { claim } of walked.states) {
    for (const [world, choose] of Object.entries(WORLDS)) {
      for (const isRemoval of isBeingRemoved(claim) ? [true] : [false, true]) {
        const passes = await passesTo(claim, choose, isRemoval);
        if (passes === undefined)
          never.push(`${isRemoval ? 'gone' : 'live'} in a world ${world}: ${JSON.stringify(claim)}`);
        else longest = Math.max(longest, passes);
      }
    }
  }
  expect(never.slice(0, 3)).toEqual([]);
  expect(longest).toBeLessThanOrEqual(LONGEST);
  process.stderr.write(
    `${walked.states.length} states by ${walked.passes} passes; the longest way takes ${longest}.\n`,
  );
});
