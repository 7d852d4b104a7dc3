import { describe, expect, test } from 'vitest';
import { calmRun, fateAt } from '../calm-run.ts';
import type { CommandName } from '../people.ts';
import { MINUTE_MS } from '../virtual-time.ts';

/** A run in which the operator function crashed right after its commit, and the operator does not repeat the command. */
async function crashedAfterCommit(command: CommandName) {
  const run = calmRun();
  const { world, people } = run;
  if (command !== 'add') await run.claim();
  if (command === 'remove') {
    await run.ask('verify');
    await run.untilIdle();
  }
  const { fateOf } = fateAt(1, 'crash after', ({ operation }) => operation === 'TransactWriteItems');
  world.weather = { ...world.weather, fateOf };
  const payload = {
    command: `domains.${command}`,
    requestId: 'given-up',
    project: 'alpha',
    domain: 'www.zoo.com',
  };
  await run.until(world.staging.operate(payload).catch(() => undefined));
  world.weather = { ...world.weather, fateOf: () => ({ kind: 'answered', latencyMs: 20 }) };
  return { run, world, people };
}

describe('the scheduled reconcile', () => {
  test('requests the certificate of a claim whose operator died after the commit', async () => {
    const { run, world, people } = await crashedAfterCommit('add');
    expect(world.acm.certificates.size).toBe(0);
    await run.pass(6 * MINUTE_MS);
    expect(world.acm.certificates.size).toBe(1);
    await run.pass(MINUTE_MS);
    people.setRecords('www.zoo.com');
    await run.ask('verify');
    await run.untilIdle();
    expect(run.status()).toBe('live');
    await run.removeEverything();
  });

  test('starts a verification whose operator died after the commit', async () => {
    const { run, world } = await crashedAfterCommit('verify');
    expect([run.status(), world.states.running()]).toEqual(['verifying', []]);
    await run.untilIdle();
    expect(run.status()).toBe('live');
    await run.removeEverything();
  });

  test('starts a removal whose operator died after the commit', async () => {
    const { run, world } = await crashedAfterCommit('remove');
    expect([run.status(), world.states.running()]).toEqual(['removing', []]);
    await run.untilIdle();
    expect(run.status()).toBeUndefined();
    await run.removeEverything();
  });
});
