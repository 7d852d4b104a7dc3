import { describe, expect, test } from 'vitest';
import { CALM, type Call, MINUTE_MS, OK, SECOND_MS } from '../../../infra/local/simulation.ts';
import type { CommandName } from '../people/people.ts';
import { calmRun, fateAt, WWW } from './calm-run.ts';

const DEATHS = ['FAILED', 'TIMED_OUT', 'ABORTED'] as const;

describe.each(DEATHS)('an execution that ends as %s is replaced within minutes', status => {
  const oneDeath = (afterMs: number) => {
    let deaths = 1;
    return { deathOf: () => (deaths-- > 0 ? { afterMs, status } : undefined) };
  };

  test.each([0, 30 * SECOND_MS, 2 * MINUTE_MS])('a verification, after %i ms', async afterMs => {
    const run = calmRun(oneDeath(afterMs));
    await run.verify();
    await run.isAfterAnHour('live');
  });

  test.each([0, 100 * SECOND_MS, 3 * MINUTE_MS])('a removal, after %i ms', async afterMs => {
    const run = calmRun();
    await run.goLive();
    run.change(oneDeath(afterMs));
    await run.ask('remove');
    await run.isAfterAnHour(undefined);
  });
});

test('a verification whose passes keep failing is given up', async () => {
  const isOfPass = ({ actor, service }: Call) => actor.name.startsWith('TendDomain') && service === 'acm';
  const run = calmRun({
    fateOf: call => (isOfPass(call) ? ({ kind: 'crash before', latencyMs: 20 } as const) : OK),
  });
  await run.verify();
  await run.untilIdle(() => run.status() === 'failed');
  expect(run.domain()).toMatchObject({ status: 'failed', reason: 'internal_error' });
  run.change({ fateOf: CALM.fateOf });
  await run.removeEverything();
});

/** A run in which the operator function crashed right after its commit, and the operator does not repeat the command. */
async function crashedAfterCommit(command: CommandName) {
  const run = calmRun();
  if (command === 'verify') await run.claim();
  if (command === 'remove') await run.goLive();
  run.change(fateAt(1, 'crash after', ({ operation }) => operation === 'TransactWriteItems'));
  const payload = { command: `domains.${command}`, requestId: 'given-up', project: 'alpha', domain: WWW };
  await run.until(run.world.staging.operate(payload).catch(() => undefined));
  run.change({ fateOf: CALM.fateOf });
  return run;
}

describe('the scheduled reconcile', () => {
  test('requests the certificate of a claim whose operator died after the commit', async () => {
    const run = await crashedAfterCommit('add');
    const { certificates } = run.world;
    expect(certificates.list()).toEqual([]);
    await run.pass(6 * MINUTE_MS);
    expect(certificates.list()).toHaveLength(1);
    await run.pass(MINUTE_MS);
    run.people.setRecords(WWW);
    await run.ask('verify');
    await run.endsAs('live');
  });

  test.each([
    ['verify', 'verifying', 'live'],
    ['remove', 'removing', undefined],
  ] as const)('starts a %s whose operator died after the commit', async (command, status, end) => {
    const run = await crashedAfterCommit(command);
    expect([run.status(), run.world.executions.unfinished()]).toEqual([status, []]);
    await run.endsAs(end);
  });
});
