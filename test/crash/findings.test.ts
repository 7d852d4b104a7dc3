import { expect, test } from 'vitest';
import { Findings, shortfalls } from './findings.ts';

const MINUTE = {
  'kills: service': 1,
  'kills: engine': 1,
  'kills: start': 1,
  'faults: throttled': 100,
  'acknowledged: pets': 50,
  'acknowledged: orders: place': 10,
  'acknowledged: keys: revoke': 5,
};

function missing(counts: Record<string, number>, minutes: number) {
  const findings = new Findings();
  for (const [what, times] of Object.entries(counts)) findings.count(what, times);
  return shortfalls(findings, minutes);
}

test('a run has enough of each, or says of what it had too little', () => {
  expect(missing(MINUTE, 1)).toEqual([]);
  for (const [what, times] of Object.entries(MINUTE)) {
    expect(missing({ ...MINUTE, [what]: times - 1 }, 1)).toEqual([
      expect.stringContaining(`: ${times - 1}, and not`),
    ]);
  }
  expect(missing(MINUTE, 2)).toHaveLength(7);
});

test('violations are all counted, and the first of each kind are kept', () => {
  const shown: string[] = [];
  const findings = new Findings(violation => shown.push(violation));
  for (let number = 0; number < 30; number += 1) findings.report('lost', `pet ${number}`);
  findings.report('doubled', 'a pet');
  expect(findings.violations).toHaveLength(21);
  expect(shown).toHaveLength(21);
  expect(findings.summary).toBe('30 × lost, 1 × doubled');
});
