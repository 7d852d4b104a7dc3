import { expect, test } from 'vitest';
import type { Call } from '../calls.ts';
import { calmLife, WWW } from '../calm-life.ts';
import { MANAGED_ZONE, REDIRECTS } from '../service.ts';
import { HOUR_MS, SECOND_MS } from '../virtual-time.ts';

const OTHER = `www.${MANAGED_ZONE.name}`;

/** Has the second invocation that makes such a call make it this much later. */
function secondIsLate(isMeant: (call: Call) => boolean, lateMs: number) {
  const actors: string[] = [];
  return (call: Call) => {
    if (isMeant(call) && !actors.includes(call.actor.name)) actors.push(call.actor.name);
    const isLate = isMeant(call) && actors.indexOf(call.actor.name) === 1;
    return { kind: 'answered' as const, latencyMs: isLate ? lateMs : 20 };
  };
}

test('a verify that comes twice, the second time late, leaves the host where the attachment has it lead', async () => {
  const life = calmLife({ issueDelayMs: () => 0 });
  await life.claim();
  const isPointing = ({ operation, actor }: Call) =>
    operation === 'ChangeResourceRecordSets' && actor.name.startsWith('Operate');
  life.world.weather = { ...life.world.weather, fateOf: secondIsLate(isPointing, 50 * SECOND_MS) };
  const payload = { command: 'domains.verify', requestId: 'twice', project: 'alpha', domain: WWW };
  await life.until(Promise.all([life.world.operate(payload), life.world.operate(payload)]));
  await life.pass(HOUR_MS);
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test('an attachment that comes twice, the second time late, leaves a redirect that was made meanwhile', async () => {
  const life = calmLife();
  await life.goLive();
  await life.claim({ domain: OTHER });
  const isMapping = ({ operation, actor }: Call) =>
    operation === 'CreateBasePathMapping' && actor.name.startsWith('AttachDomain');
  life.world.weather = {
    ...life.world.weather,
    secondDeliveryMs: () => 10,
    fateOf: secondIsLate(isMapping, 40 * SECOND_MS),
  };
  await life.ask('verify', { domain: OTHER });
  while (life.status(OTHER) !== 'live') await life.pass(SECOND_MS);
  await life.ask('redirect', { domain: OTHER, to: WWW });
  await life.pass(HOUR_MS);
  expect(life.world.gateway.names.get(OTHER)?.mapping?.apiId).toBe(REDIRECTS.apiId);
  await life.removeEverything();
});
