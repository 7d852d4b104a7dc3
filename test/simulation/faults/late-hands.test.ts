import { expect, test } from 'vitest';
import type { Call } from '../calls.ts';
import { calmLife, WWW } from '../calm-life.ts';
import { HOUR_MS, SECOND_MS } from '../virtual-time.ts';

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
