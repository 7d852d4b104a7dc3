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

test('at the deadline of an attachment that comes twice, one finds the record and one does not: it is live', async () => {
  const apex = 'zoo.com';
  const life = calmLife({ issueDelayMs: () => 0 });
  await life.claim({ domain: apex });
  life.world.dns.set(apex, 'ALIAS');
  await life.ask('verify', { domain: apex });
  await life.pass(47.6 * HOUR_MS);
  expect(life.world.domain(apex)).toMatchObject({ status: 'verifying', phase: 'attachment' });
  const deadlineMs = Date.parse(life.world.domain(apex)?.phaseStartedAt ?? '') + 48 * HOUR_MS;
  let late: string | undefined;
  life.world.weather = {
    ...life.world.weather,
    secondDeliveryMs: () => SECOND_MS,
    fateOf({ operation, actor }) {
      const isOver = life.world.time.nowMs > deadlineMs;
      const isEnding = isOver && ['DeleteBasePathMapping', 'PutItem'].includes(operation);
      const isLate = isEnding && (late === undefined || late === actor.name);
      if (isLate) {
        late = actor.name;
        life.people.setRecords(apex);
      }
      return { kind: 'answered', latencyMs: isLate ? 30 * SECOND_MS : 20 };
    },
  };
  await life.untilRest();
  expect(life.status(apex)).toBe('live');
  await life.removeEverything();
});

test('a task of a removal that comes twice, the second time late, leaves a new claim that is live by then', async () => {
  for (const operation of ['DeleteBasePathMapping', 'GetDomainName', 'DeleteDomainName']) {
    const life = calmLife({ issueDelayMs: () => 0, recordDelayMs: () => 0, inUseMs: () => 0 });
    await life.ask('add');
    const isTakingDown = (call: Call) =>
      call.operation === operation && call.actor.name.startsWith('TakeDown');
    life.world.weather = {
      ...life.world.weather,
      secondDeliveryMs: () => 10,
      fateOf: secondIsLate(isTakingDown, 55 * SECOND_MS),
    };
    await life.ask('remove');
    while (life.status() !== undefined) await life.pass(SECOND_MS);
    await life.ask('add');
    life.people.setRecords(WWW);
    await life.ask('verify');
    await life.pass(HOUR_MS);
    expect(life.status()).toBe('live');
    await life.removeEverything();
  }
});
