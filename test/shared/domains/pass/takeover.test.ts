import { beforeEach, describe, expect, test, vi } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import type { FindVantagePoints } from '../../../../shared/domains/dns/vantage-points.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { STATUSES } from '../../../../shared/domains/life/domain-status.ts';
import { reconcileAll } from '../../../../shared/domains/pass/scheduled-work.ts';
import { supportOf } from '../../../../shared/domains/pass/takeover.ts';
import { troublesOf } from '../../../../shared/domains/pass/troubles.ts';
import type { Project } from '../../../../shared/projects/project.ts';
import { AT, AT_MS, CHALLENGE, claimed, HOUR, live, MINUTE, NAME, TARGET } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';
import { storeClaim } from '../stored-claims.ts';
import { flowWorld } from './flow-world.ts';

const world = await flowWorld();
const BUYER = { domain: NAME, project: 'farm', attempt: 7 };
const BUYERS_TEXT = 'petstore-0000';
const TEXT = `_petstore-challenge.${NAME} TXT`;
const GONE = { [TEXT]: [BUYERS_TEXT] };
const THERE = { [TEXT]: [BUYERS_TEXT], [`${NAME} CNAME`]: [TARGET] };

const CONTENDER = claimed({
  project: 'farm',
  target: 'fed.apps.petstore.example',
  challenge: BUYERS_TEXT,
  status: 'verifying',
  attempt: BUYER.attempt,
  contest: { since: null },
});

const check = (others = {}) => world.run(BUYER, others);
const owner = () => world.found(NAME, 'zoo');
const buyer = () => world.found(NAME, 'farm');

beforeEach(async () => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  for (const claim of (await world.store.all()).filter(({ domain }) => domain === NAME)) {
    await world.forget(claim);
  }
  await world.parts.projects.recordDeploy({ id: 'farm', plan: 'pro', apiId: 'a', stage: 's' }, AT);
  const { projects } = world.parts;
  const attached = live({ revision: 5 });
  await storeClaim(world.store, attached);
  await world.store.holding(NAME, holder => world.parts.commitLive(nextRevision(attached), holder));
  const zoo = (await projects.find('zoo')) as Project;
  const routing = { liveDomains: [NAME], primary: NAME, redirects: [] };
  await transact([projects.routingChange(zoo, routing)]);
  await storeClaim(world.store, CONTENDER);
  return () => vi.restoreAllMocks();
});

test('the name goes over when DNS supports the new claim alone for six hours; the owner is told before and then', async () => {
  world.zone = GONE;
  const pending = { next: 'WaitForDns', reason: 'takeover_pending', contest: { since: AT } };
  expect(await check()).toMatchObject(pending);
  const notice = await owner();
  expect(notice).toMatchObject({ status: 'needs_attention', reason: null, takeover: expect.any(String) });
  expect(notice.lastEvent).toMatchObject({ type: 'needs attention', revision: notice.revision });

  world.nowMs += 6 * HOUR - MINUTE;
  expect(await check()).toMatchObject({ next: 'WaitForDns' });
  // It is announced once.
  expect(await owner()).toEqual(notice);
  expect(await world.store.ownerOf(NAME)).toBe('zoo');

  world.nowMs += MINUTE;
  const passed = await check();
  expect(passed).toMatchObject({ next: 'WaitForCertificate', status: 'issuing' });
  expect(passed.contest).toBeUndefined();
  expect(await owner()).toMatchObject({ status: 'removing', lastEvent: { type: 'taken over' } });
  expect(await world.store.ownerOf(NAME)).toBe('farm');
  expect(await world.parts.projects.find('zoo')).toMatchObject({ liveDomains: [], primary: null });
});

describe('the notice to the owner', () => {
  const LIVE = { status: 'live', reason: null } as const;
  const READY = {
    status: 'ready',
    issuedAt: AT,
    reason: null,
    message: `Ready. Point ${NAME} at ${TARGET} whenever you like before 2 Mar 2026, 12:00 UTC.`,
    readyAt: AT,
    liveAt: null,
  } as const;
  const FAILED = { status: 'failed', reason: 'not_switched', message: 'Never.', failedAt: AT } as const;
  const ISSUING = {
    status: 'issuing',
    reason: null,
    message: 'Issued soon.',
    issuedAt: null,
    liveAt: null,
    nextCheckAt: new Date(AT_MS + 7 * HOUR).toISOString(),
  } as const;

  test.each([LIVE, READY, FAILED, ISSUING])(
    'is one event, until a reconcile finds no rival; then its owner is told that: $status',
    async before => {
      await world.save(nextRevision({ ...(await owner()), ...before }));
      world.zone = GONE;
      await check();
      const { lastEvent } = await owner();
      expect(lastEvent).toMatchObject({ type: 'needs attention' });
      world.attach();
      world.reached = { kind: 'unreachable', why: 'no answer' };
      world.nowMs += HOUR;
      await check();
      await reconcileAll(world.parts);
      expect(await owner()).toMatchObject({ takeover: expect.any(String), lastEvent });
      await world.forget(await buyer());
      await reconcileAll(world.parts);
      const after = await owner();
      // The look has found what is wrong with a live one.
      expect(after).toMatchObject(before.status === 'live' ? { reason: 'traffic_record_missing' } : before);
      expect(after.takeover).toBeUndefined();
      expect(after.lastEvent?.message).toMatch(`No other project is about to take over ${NAME} any more. `);
      expect(after.lastEvent?.type).toBe(STATUSES[after.status].event ?? 'needs attention');
    },
  );

  test('is shown besides what else is wrong, and ends when the record is back', async () => {
    const before = await owner();
    world.zone = GONE;
    await check();
    await world.save(nextRevision({ ...(await owner()), reason: 'https_unreachable' }));
    const reasons = troublesOf(await owner()).map(({ reason }) => reason);
    expect(reasons).toEqual(expect.arrayContaining(['takeover_announced', 'https_unreachable']));
    world.zone = THERE;
    expect(await check()).toMatchObject({ next: 'Failed', reason: 'domain_taken' });
    expect(await owner()).toMatchObject({ liveAt: before.liveAt, reason: 'https_unreachable' });
    expect(await owner()).not.toHaveProperty('takeover');
  });
});

test('the owner is not told of a contest that is not stored', async () => {
  const before = await owner();
  world.zone = GONE;
  const vantagePoints: FindVantagePoints = async name => {
    await world.save(nextRevision(await buyer()));
    return world.parts.vantagePoints(name);
  };
  expect(await check({ vantagePoints })).toMatchObject({ next: 'WaitForOthers' });
  expect(await owner()).toEqual(before);
});

test('a name whose owner is being removed, even if that has stalled, goes over at once, whatever DNS shows of it', async () => {
  const before = await owner();
  await world.save(nextRevision({ ...before, status: 'stalled', reason: 'gateway_busy' }));
  world.zone = THERE;
  expect(await check()).toMatchObject({ next: 'WaitForCertificate' });
  expect(await world.store.ownerOf(NAME)).toBe('farm');
  expect(await owner()).toMatchObject({ status: 'stalled' });
});

describe('the support of a claim in DNS', () => {
  const support = (changes: Partial<Domain> = {}) => supportOf(live(changes), world.parts.vantagePoints);

  test.each([
    ['there: its CNAME record', { [`${NAME} CNAME`]: [TARGET] }, {}, 'there'],
    ['there: its TXT record, beside others', { [TEXT]: ['other', CHALLENGE] }, {}, 'there'],
    ['gone: nothing', {}, {}, 'gone'],
    [
      'gone: another TXT and CNAME record',
      { [TEXT]: ['other'], [`${NAME} CNAME`]: ['x.example'] },
      {},
      'gone',
    ],
    [
      'gone: an apex that its addresses alone speak for, which all domains may share',
      { [`${NAME} A`]: ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1'] },
      { kind: 'apex' as const },
      'gone',
    ],
  ])('%s', async (_, zone, changes, expected) => {
    world.zone = zone;
    expect(await support(changes)).toBe(expected);
  });

  test('there: one name server has it, and the others do not', async () => {
    const points = await world.parts.vantagePoints(NAME);
    const supportAt = (...zones: ZoneContent[]) => {
      const servers = zones.map(zone => zoneLookup(() => zone));
      return supportOf(live(), async () => ({ ...points, authoritative: servers[0], servers }));
    };
    expect(await supportAt({}, { [TEXT]: [CHALLENGE] }, {})).toBe('there');
    expect(await supportAt({}, {})).toBe('gone');
  });

  test('unknown: the name servers of the zone are not found, or do not answer', async () => {
    const silent = async () => ({ kind: 'unknown', why: 'no answer' }) as const;
    const points = { zone: 'zoo.example', isApex: false, resolvers: [silent] };
    expect(await supportOf(live(), async () => ({ ...points, authoritative: undefined }))).toBe('unknown');
    expect(await supportOf(live(), async () => ({ ...points, authoritative: silent }))).toBe('unknown');
  });
});
