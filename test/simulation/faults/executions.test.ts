import { describe, expect, test } from 'vitest';
import type { CommandName } from '../people/people.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../virtual-time.ts';
import { calmRun, fateAt, WWW } from './calm-run.ts';

const DEATHS = ['FAILED', 'TIMED_OUT', 'ABORTED'] as const;

test.each(DEATHS)('a verification whose execution ends as %s goes on within minutes', async status => {
  for (const afterMs of [0, 30 * SECOND_MS, 2 * MINUTE_MS]) {
    let deaths = 1;
    const run = calmRun({ deathOf: () => (deaths-- > 0 ? { afterMs, status } : undefined) });
    await run.claim();
    await run.ask('verify');
    await run.pass(HOUR_MS);
    expect(run.status()).toBe('live');
    await run.removeEverything();
  }
});

test.each(DEATHS)('a removal whose execution ends as %s goes on within minutes', async status => {
  for (const afterMs of [0, 100 * SECOND_MS, 3 * MINUTE_MS]) {
    const run = calmRun();
    await run.goLive();
    let deaths = 1;
    run.world.weather = {
      ...run.world.weather,
      deathOf: () => (deaths-- > 0 ? { afterMs, status } : undefined),
    };
    await run.ask('remove');
    await run.pass(HOUR_MS);
    expect(run.world.staging.domain(WWW)).toBeUndefined();
    await run.removeEverything();
  }
});

test('a verification whose executions keep ending is given up', async () => {
  const run = calmRun({ deathOf: () => ({ afterMs: 0, status: 'FAILED' }) });
  await run.claim();
  await run.ask('verify');
  await run.untilIdle(() => run.status() === 'failed');
  expect(run.world.staging.domain(WWW)).toMatchObject({ status: 'failed', reason: 'flow_ended' });
  run.world.weather = { ...run.world.weather, deathOf: () => undefined };
  await run.removeEverything();
});

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
  world.weather = { ...world.weather, fateOf: () => ({ kind: 'ok', latencyMs: 20 }) };
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
