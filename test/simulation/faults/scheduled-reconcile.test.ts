import { expect, test } from 'vitest';
import { calmLife, fateAt } from '../calm-life.ts';
import type { Asked } from '../people.ts';
import { MINUTE_MS } from '../virtual-time.ts';

/** Has the operator function die right after its commit. The operator gives up, and nobody asks again. */
async function dyingAfterCommit(asked: Asked) {
  const life = calmLife();
  const { world, people } = life;
  if (asked !== 'add') await life.claim();
  if (asked === 'remove') {
    await life.ask('verify');
    await life.untilRest();
  }
  const { fateOf } = fateAt(1, 'crash after', ({ operation }) => operation === 'TransactWriteItems');
  world.weather = { ...world.weather, fateOf };
  const payload = {
    command: `domains.${asked}`,
    requestId: 'given-up',
    project: 'alpha',
    domain: 'www.zoo.com',
  };
  await life.until(world.operate(payload).catch(() => undefined));
  world.weather = { ...world.weather, fateOf: () => ({ kind: 'answered', latencyMs: 20 }) };
  return { life, world, people };
}

test('requests the certificate of a claim whose operator died after the commit', async () => {
  const { life, world, people } = await dyingAfterCommit('add');
  expect(world.acm.certificates.size).toBe(0);
  await life.pass(6 * MINUTE_MS);
  expect(world.acm.certificates.size).toBe(1);
  await life.pass(MINUTE_MS);
  people.setRecords('www.zoo.com');
  await life.ask('verify');
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test('starts a verification whose operator died after the commit', async () => {
  const { life, world } = await dyingAfterCommit('verify');
  expect([life.status(), world.states.running()]).toEqual(['verifying', []]);
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test('starts a removal whose operator died after the commit', async () => {
  const { life, world } = await dyingAfterCommit('remove');
  expect([life.status(), world.states.running()]).toEqual(['removing', []]);
  await life.untilRest();
  expect(life.status()).toBeUndefined();
  await life.removeEverything();
});
