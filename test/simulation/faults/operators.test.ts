import { expect, test } from 'vitest';
import { calmLife, WWW } from '../calm-life.ts';
import { MANAGED_ZONE } from '../service.ts';
import { HOUR_MS, MINUTE_MS } from '../virtual-time.ts';

const OTHER = `www.${MANAGED_ZONE.name}`;
/** One operator is this much behind the other, so that every two of their calls meet. */
const DELAYS_MS = [0, 10, 30, 50, 70, 90, 110, 130, 150, 170];

test('two projects add the same name at once: one has it, the other is told', async () => {
  for (const delayMs of DELAYS_MS) {
    const life = calmLife();
    const { people, world } = life;
    const replies = await life.until(
      Promise.all([
        people.ask('add', { project: 'alpha', domain: WWW }),
        world.time.sleep(delayMs).then(() => people.ask('add', { project: 'beta', domain: WWW })),
      ]),
    );
    expect(replies.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(replies.find(({ ok }) => !ok)).toMatchObject({ error: { code: 'conflict' } });
    await life.removeEverything();
  }
});

test('two operators of one project add the same name at once: both have it, with one certificate', async () => {
  for (const delayMs of DELAYS_MS) {
    const life = calmLife();
    const { people, world } = life;
    const add = () => people.ask('add', { project: 'alpha', domain: WWW });
    const replies = await life.until(Promise.all([add(), world.time.sleep(delayMs).then(add)]));
    expect(replies.map(({ ok }) => ok)).toEqual([true, true]);
    expect(world.acm.certificates.size).toBe(1);
    await life.removeEverything();
  }
});

test('two operators set different primaries at once: one of them is the primary', async () => {
  const life = calmLife();
  await life.goLive();
  await life.goLive({ domain: OTHER });
  for (const delayMs of DELAYS_MS) {
    const primary = (domain: string) => life.people.ask('primary', { project: 'alpha', domain });
    const replies = await life.until(
      Promise.all([primary(WWW), life.world.time.sleep(delayMs).then(() => primary(OTHER))]),
    );
    expect(replies.map(({ ok }) => ok)).toEqual([true, true]);
    expect([WWW, OTHER]).toContain(life.world.projects().find(({ id }) => id === 'alpha')?.primary);
  }
  await life.removeEverything();
});

test('another project claims a name whose CNAME still points here: it does not get it', async () => {
  const life = calmLife();
  await life.goLive();
  await life.ask('remove');
  await life.untilRest();
  await life.ask('add', { project: 'beta' });
  await life.ask('verify', { project: 'beta' });
  await life.pass(HOUR_MS);
  expect(life.world.domain(WWW)).toMatchObject({ status: 'verifying', reason: 'traffic_record_mismatch' });
  await life.untilRest();
  expect(life.status()).toBe('failed');
  expect(life.world.gateway.names.has(WWW)).toBe(false);
  await life.removeEverything();
});

test('someone else in the account uses up the turns at API Gateway', async () => {
  const life = calmLife();
  await life.claim();
  await life.ask('verify');
  for (let count = 0; count < 20; count += 1) {
    life.world.gateway.useSlot();
    await life.pass(MINUTE_MS / 4);
  }
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});
