import { describe, test } from 'vitest';
import { apiKey } from '../keys/api-key-fixture.ts';
import { startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';
import { petstore, petstoreInTerminal } from '../run-petstore.ts';

const REVOKE = ['keys', 'revoke', apiKey.id, '--stage', 'production'];

describe.concurrent('a change of production', () => {
  test('2: is refused without a terminal and without --yes', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(apiKey));
    const { stderr, exitCode } = await petstore(REVOKE, operator.environment);
    expect(stderr).toContain(`This changes production: revoke the API key ${apiKey.id}.`);
    expect(stderr).toContain('add --yes');
    expect(exitCode).toBe(2);
    expect(operator.invocations).toEqual([]);
  });

  test('0: is sent with --yes', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(apiKey));
    const { exitCode } = await petstoreHere([...REVOKE, '--yes'], operator.environment);
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.functionName).toBe('petstore-production-operator');
  });

  test('0: is not confirmed when the command only reads', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ keys: [apiKey] }));
    const { exitCode } = await petstoreHere(['keys', 'list', '--stage=production'], operator.environment);
    expect(exitCode).toBe(0);
  });
});

// script(1) of other systems takes other flags.
describe.runIf(process.platform === 'linux').concurrent('the question at a terminal', () => {
  test('0: is answered with y', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(apiKey));
    const { screen, exitCode } = await petstoreInTerminal(REVOKE, operator.environment, 'y\r');
    expect(screen).toContain('Continue? [y/N] ');
    expect(screen).toContain('It no longer works.');
    expect(exitCode).toBe(0);
    expect(operator.invocations).toHaveLength(1);
  });

  test.for([
    ['1: is declined with n', 'n\r', 1],
    ['1: is declined with Enter', '\r', 1],
    ['1: is declined with Ctrl-D', '\x04', 1],
    ['130: is interrupted with Ctrl-C', '\x03', 130],
  ] as const)('%s', async ([, typed, expected], { expect }) => {
    const operator = await startOperatorStandIn(succeeds(apiKey));
    const { screen, exitCode } = await petstoreInTerminal(REVOKE, operator.environment, typed);
    expect(screen).toContain('Nothing was changed.');
    expect(exitCode).toBe(expected);
    expect(operator.invocations).toEqual([]);
  });

  test('0: has colours around it unless NO_COLOR or --no-color is given', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds({ keys: [apiKey] }));
    const list = ['keys', 'list'];
    const coloured = await petstoreInTerminal(list, operator.environment);
    expect(coloured.screen).toContain('\u001b[32mactive');
    const atTerminal = (words: readonly string[], NO_COLOR: string) =>
      petstoreHere(words, { ...operator.environment, NO_COLOR, TERM: 'xterm' }, 140);
    expect((await atTerminal(list, '')).stdout).toContain('\u001b[32mactive');
    for (const { stdout } of [await atTerminal(list, '1'), await atTerminal([...list, '--no-color'], '')]) {
      expect(stdout).toContain(' active');
      expect(stdout).not.toContain('\u001b');
    }
  });
});
