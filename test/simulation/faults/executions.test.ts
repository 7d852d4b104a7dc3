import { expect, test } from 'vitest';
import { calmRun, WWW } from '../calm-run.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../virtual-time.ts';

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
