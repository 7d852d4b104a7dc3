import { describe, expect, test } from 'vitest';
import { startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';
import { FAILED, ISSUING, LIVE, VERIFYING } from './domain-fixture.ts';

const NAME = 'www.example.com';

describe.each([
  ['domains watch', ['domains', 'watch', NAME]],
  ['domains show --watch', ['domains', 'show', NAME, '--watch']],
  ['domains inspect --watch', ['domains', 'inspect', NAME, '--watch']],
])('%s', (_, words) => {
  test('0: watches a domain until it is live, and asks for no verification', async () => {
    const operator = await startOperatorStandIn(succeeds(VERIFYING), succeeds(LIVE));
    const { stdout, stderr, exitCode } = await petstoreHere(words, operator.environment);
    expect(stderr).toContain('www.example.com is live: https://www.example.com is live.');
    expect(stdout).toMatch(/^www\.example\.com {2}live\n/);
    expect(exitCode).toBe(0);
    expect(operator.invocations.map(({ payload }) => payload)).toEqual(
      Array(2).fill({ command: 'domains.show', project: 'petstore', domain: NAME }),
    );
  });

  test.each([
    [3, FAILED],
    [4, ISSUING],
  ])('%i: ends with the exit code of the state at the timeout', async (expected, report) => {
    const operator = await startOperatorStandIn(succeeds(report));
    const { stdout, exitCode } = await petstoreHere([...words, '--timeout', '0s'], operator.environment);
    expect(exitCode).toBe(expected);
    expect(stdout.includes('is not live after 0s')).toBe(report === ISSUING);
  });

  test('2: refuses a timeout that is not a duration before it asks', async () => {
    const operator = await startOperatorStandIn(succeeds(LIVE));
    const { exitCode } = await petstoreHere([...words, '--timeout', 'soon'], operator.environment);
    expect([exitCode, operator.invocations]).toEqual([2, []]);
  });
});
