import { describe, expect, test } from 'vitest';
import { startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';

const NOTHING = {
  added: [],
  removed: [],
  remaining: 0,
  left: { valid: 3, recent: 0, foreign: 0 },
};

describe('keys reconcile', () => {
  test('0: prints what was added, removed and left', async () => {
    const left = { valid: 3, recent: 1, foreign: 2 };
    const result = { ...NOTHING, added: ['key_a'], removed: ['key_b'], left };
    const operator = await startOperatorStandIn(succeeds(result));
    const { stdout, exitCode } = await petstoreHere(['keys', 'reconcile'], operator.environment);
    expect(stdout).toBe(
      [
        'The API keys of staging at API Gateway: 1 added, 1 removed, 3 in place already.',
        '1 without a record are left, because they may be just being created.',
        '2 in the usage plan are not of this environment, and are left.',
        '  added    key_a',
        '  removed  key_b',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({
      command: 'keys.reconcile',
      requestId: expect.any(String),
    });
  });

  test('0: repeats the command until nothing remains, and adds up', async () => {
    const runs = [
      { ...NOTHING, added: ['key_a'], remaining: 1 },
      { ...NOTHING, added: ['key_b'] },
    ];
    const operator = await startOperatorStandIn(...runs.map(succeeds));
    const run = await petstoreHere(['keys', 'reconcile', '--json'], operator.environment);
    expect(JSON.parse(run.stdout)).toEqual({ ...NOTHING, added: ['key_a', 'key_b'] });
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    const [first, second] = operator.invocations.map(({ payload }) => payload.requestId);
    expect(first).not.toBe(second);
  });

  test('4: ends when a run changes nothing although something remains', async () => {
    const operator = await startOperatorStandIn(succeeds({ ...NOTHING, remaining: 5 }));
    const { stdout, exitCode } = await petstoreHere(['keys', 'reconcile'], operator.environment);
    expect(stdout).toContain('5 changes remain. Repeat: petstore keys reconcile\n');
    expect(exitCode).toBe(4);
    expect(operator.invocations).toHaveLength(1);
  });

  test('2: asks before it changes production', async () => {
    const operator = await startOperatorStandIn(succeeds(NOTHING));
    const words = ['keys', 'reconcile', '--stage', 'production'];
    const { stderr, exitCode } = await petstoreHere(words, operator.environment);
    expect(stderr).toContain('This changes production: make API Gateway agree with the API keys.');
    expect(exitCode).toBe(2);
    expect(operator.invocations).toEqual([]);
  });
});
