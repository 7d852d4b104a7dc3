import { expect, test } from 'vitest';
import type { Call } from '../calls.ts';
import { calmLife, fateAt, WWW } from '../calm-life.ts';
import { MANAGED_ZONE, REDIRECTS } from '../service.ts';
import { HOUR_MS, MINUTE_MS } from '../virtual-time.ts';

const OTHER = `www.${MANAGED_ZONE.name}`;

const isOfStep = ({ actor }: Call) => !actor.name.startsWith('Operate');

test.each([WWW, MANAGED_ZONE.name])('%s: removed at every call that its verification makes', async domain => {
  const whole = fateAt(0, 'answered', isOfStep);
  await calmLife({ fateOf: whole.fateOf }).goLive({ domain });
  for (let number = 1; number <= whole.counted.calls; number += 1) {
    const life = calmLife();
    const { fateOf, counted } = fateAt(0, 'answered', isOfStep);
    life.world.weather = {
      ...life.world.weather,
      fateOf(call) {
        const before = counted.calls;
        const fate = fateOf(call);
        if (before < number && counted.calls === number) {
          void life.people.ask('remove', { project: 'alpha', domain });
          // Long enough for the removal to be answered while the call is under way.
          return { ...fate, latencyMs: 2000 };
        }
        return fate;
      },
    };
    await life.claim({ domain });
    await life.ask('verify', { domain });
    await life.untilRest();
    expect(life.status(domain)).toBeUndefined();
    await life.removeEverything();
  }
});

test('the certificate is in use for 23 hours after the domain name was deleted', async () => {
  const life = calmLife({ inUseMs: () => 23 * HOUR_MS });
  await life.goLive();
  const startedMs = life.world.time.nowMs;
  await life.ask('remove');
  await life.pass(22 * HOUR_MS);
  expect(life.status()).toBe('removing');
  await life.untilRest();
  expect(life.world.time.nowMs - startedMs).toBeGreaterThan(23 * HOUR_MS);
  await life.removeEverything();
});

test('a task of a removal that comes again late does nothing to a new claim of the name', async () => {
  // The removal is the third attempt of the old claim; by the time its task comes again, so is the new one's.
  const life = calmLife({ secondDeliveryMs: () => 10 * MINUTE_MS });
  await life.claim();
  await life.ask('verify');
  await life.ask('remove');
  await life.pass(5 * MINUTE_MS);
  expect(life.status()).toBeUndefined();
  await life.claim();
  await life.ask('verify');
  await life.ask('verify');
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test('the redirects to a removed domain end, whenever the operator function crashes', async () => {
  const redirected = async () => {
    const life = calmLife();
    await life.goLive();
    await life.goLive({ domain: OTHER });
    await life.ask('redirect', { domain: OTHER, to: WWW });
    await life.ask('primary');
    expect(life.world.gateway.names.get(OTHER)?.mapping?.apiId).toBe(REDIRECTS.apiId);
    return life;
  };
  const isOfRemoval = ({ actor }: Call) => actor.name.startsWith('Operate domains.remove');
  const counting = fateAt(0, 'answered', isOfRemoval);
  const whole = await redirected();
  whole.world.weather = { ...whole.world.weather, fateOf: counting.fateOf };
  await whole.ask('remove');
  for (let number = 1; number <= counting.counted.calls; number += 1) {
    const life = await redirected();
    life.world.weather = {
      ...life.world.weather,
      fateOf: fateAt(number, 'crash before', isOfRemoval).fateOf,
    };
    await life.ask('remove');
    await life.untilRest();
    expect(life.world.gateway.names.get(OTHER)?.mapping?.apiId).toBe('api-alpha');
  }
});

test('the redirects to a domain end when its certificate is lost and it is verified again', async () => {
  const life = calmLife();
  await life.goLive();
  await life.goLive({ domain: OTHER });
  await life.ask('redirect', { domain: OTHER, to: WWW });
  for (const certificate of life.world.acm.certificates.values()) {
    if (certificate.domain === WWW) life.world.acm.lose(certificate, 'EXPIRED');
  }
  await life.ask('verify');
  expect(life.world.gateway.names.get(OTHER)?.mapping?.apiId).toBe('api-alpha');
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});
