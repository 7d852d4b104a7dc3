import { beforeEach, describe, expect, test, vi } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { timeOf } from '../../../../shared/domains/clock.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { LOST_AFTER_MS } from '../../../../shared/domains/life/due.ts';
import { moved } from '../../../../shared/domains/life/wishes.ts';
import { tender } from '../../../../shared/domains/pass/tend.ts';
import { AT, certified, HOUR, live, MINUTE, NAME, SECOND } from '../claimed-domain.ts';
import { flowWorld } from './flow-world.ts';

const world = await flowWorld();

beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

/** One pass over www.zoo.example, by a worker or by somebody who wakes one. */
async function pass(wakeWorker?: (claim: Domain) => Promise<void>) {
  const tend = tender(world.parts, wakeWorker);
  return world.store.holding(NAME, holder => tend({ domain: NAME, project: 'zoo' }, holder));
}

/** Calls this whenever the pass has asked for what DNS shows of the domain. */
function onSight(work: (count: number) => Promise<void>): void {
  const { vantagePoints } = world.parts;
  let count = 0;
  vi.spyOn(world.parts, 'vantagePoints').mockImplementation(async domain => {
    count += 1;
    await work(count);
    return vantagePoints(domain);
  });
}

async function change(changes: Partial<Domain>): Promise<void> {
  const present = await world.found();
  await world.save({ ...present, revision: present.revision + 1, ...changes });
}

describe('a pass', () => {
  test('writes nothing but when it was, if everything is as it should be', async () => {
    world.attach();
    const before = await world.stored(live());
    await pass();
    const { checkedAt, revision, records, ...after } = await world.found();
    expect([checkedAt, revision]).toEqual([timeOf(world.nowMs), before.revision + 1]);
    expect(after).toMatchObject({
      status: 'live',
      reason: null,
      route: before.route,
      attempt: before.attempt,
    });
    expect(world.calls.filter(call => !call.startsWith('reach'))).toEqual([]);
  });

  test('begins again when somebody changes the claim meanwhile, with what that asks for', async () => {
    world.attach();
    await world.stored(live());
    onSight(async count => {
      if (count === 1) await change({ status: 'removing', attempt: 3 });
    });
    expect(await pass()).toEqual({ claim: undefined });
    expect(world.calls).toContain(`remove ${NAME}`);
  });

  test('judges a mapping by the routing as it was when it was made', async () => {
    world.attach();
    world.mapped.set(NAME, 'another001');
    await world.stored(live());
    const { routeOf } = world.parts.front;
    vi.spyOn(world.parts.front, 'routeOf').mockImplementationOnce(claim => {
      world.projectFields = { apiId: 'deployed01' };
      return routeOf(claim);
    });
    await pass();
    expect(await world.found()).toMatchObject({ status: 'live', reason: null });
    expect(world.mapped.get(NAME)).toBe('deployed01');
  });

  test('leaves a domain alone that is moved to another project while it is mapped', async () => {
    world.attach();
    world.mapped.delete(NAME);
    const { projects } = world.parts;
    await projects.recordDeploy({ id: 'ark', plan: 'pro', apiId: 'arkapi0001', stage: 'test' }, AT);
    await world.stored(live());
    const { present } = world.store;
    vi.spyOn(world.parts.domains, 'present').mockImplementationOnce(async claim => {
      const before = await world.found();
      const next = nextRevision(moved(before, 'ark', world.nowMs));
      await transact(await world.store.move([{ before, next }], world.nowMs));
      return present(claim);
    });
    expect(await pass(async () => {})).toEqual({ claim: undefined });
    const claim = (await world.store.find(NAME, 'ark')) as Domain;
    expect(claim).toMatchObject({ status: 'live', reason: null });
    await world.forget(claim);
  });

  test('of a domain that has just failed wakes nobody', async () => {
    const days = (count: number) => timeOf(world.nowMs - count * 24 * HOUR);
    await world.stored(live({ status: 'ready', liveAt: null, readyAt: days(31), remindedAt: days(7) }));
    world.reached = { kind: 'certificate_wrong', why: 'Another one is served.' };
    await pass(async () => {
      throw new Error('There is nothing to do for a worker.');
    });
    expect(await world.found()).toMatchObject({ status: 'failed', reason: 'not_switched' });
  });

  test('gives up when somebody changes the claim each time', async () => {
    world.attach();
    await world.stored(live());
    onSight(count => change({ restarts: count }));
    expect(await pass()).toBeUndefined();
    expect(await world.found()).toMatchObject({ checkedAt: null });
  });

  test('ends when the claim is gone', async () => {
    world.attach();
    await world.stored(live());
    onSight(async count => {
      if (count === 1) await world.forget(await world.found());
    });
    expect(await pass()).toEqual({ claim: undefined });
  });

  test('looks at nothing more after half a minute, keeps what it has seen, and is due again', async () => {
    world.attach();
    world.certificate = { ...world.certificate, status: 'REVOKED' };
    await world.stored(live());
    onSight(async () => {
      world.nowMs += 31 * SECOND;
    });
    expect(await pass()).toMatchObject({ seconds: 0 });
    const { nextCheckAt, certificate, status } = await world.found();
    expect([nextCheckAt, certificate.status, status]).toEqual([timeOf(world.nowMs), 'REVOKED', 'live']);
    expect(world.calls).toEqual([]);
  });

  test('looks again only at what an act has changed', async () => {
    world.attach();
    world.hostTarget = undefined;
    await world.stored(live());
    let sights = 0;
    onSight(async () => {
      sights += 1;
    });
    await pass();
    expect(world.calls.map(call => call.split(' ')[0])).toEqual(['point', 'reach']);
    // Once for the records, and once for CAA.
    expect(sights).toBe(2);
  });
});

describe('a domain name that API Gateway has lost', () => {
  const attachments = () => world.calls.filter(call => /^(slot|ensure)/.test(call));

  test('is left to a worker, who is woken once that is stored', async () => {
    const { attempt } = await world.stored(live());
    const woken: Domain[] = [];
    await pass(async claim => {
      expect(await world.found()).toMatchObject({ revision: claim.revision });
      woken.push(claim);
    });
    expect(attachments()).toEqual([]);
    expect(woken).toMatchObject([
      {
        status: 'needs_attention',
        reason: 'domain_name_gone',
        attempt: attempt + 1,
        nextCheckAt: timeOf(world.nowMs + LOST_AFTER_MS),
      },
    ]);
  });

  test('is attached by a worker in its slot, with its mapping and its host', async () => {
    world.slotInMs = 31 * SECOND;
    world.hostTarget = 'd-9';
    await world.stored(live());
    expect(await pass()).toMatchObject({ seconds: 31 });
    world.nowMs += MINUTE;
    expect(await pass()).toMatchObject({ claim: { status: 'live', reason: null, slotAt: null } });
    expect(world.calls.filter(call => !call.startsWith('reach'))).toEqual([
      'slot',
      `ensure ${NAME} ${certified().arn}`,
      `map ${NAME} abcdefghij`,
      expect.stringMatching(/^point /),
    ]);
  });

  test('is attached by the next worker, if the first one never came', async () => {
    await world.stored(live());
    const wake = vi.fn(async () => {});
    await pass(wake);
    world.nowMs += HOUR;
    await pass(wake);
    expect(wake.mock.calls).toHaveLength(2);
  });
});
