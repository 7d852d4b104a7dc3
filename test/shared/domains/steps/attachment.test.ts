import { beforeEach, describe, expect, test } from 'vitest';
import {
  AttachedByOthers,
  FrontBusy,
  FrontFull,
  FrontRefused,
  FrontTaken,
} from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { tender } from '../../../../shared/domains/pass/tend.ts';
import { attachment } from '../../../../shared/domains/steps/attachment.ts';
import {
  AT,
  CHALLENGE,
  certified,
  ENDPOINT,
  HOST,
  NAME,
  PUBLISHED,
  REDIRECTS,
  TARGET,
} from '../claimed-domain.ts';
import {
  ATTEMPT,
  type FlowWorld,
  FOREIGN,
  flowWorld,
  GATEWAY,
  HOUR,
  MINUTE,
  RIGHT_RECORDS,
  SECOND,
} from './flow-world.ts';

const ENSURED = ['slot', `ensure ${NAME} ${GATEWAY.certificateArn}`];
const ATTACHED = [`map ${NAME} abcdefghij`, `point ${TARGET} ${HOST}`];
const REACHED = `reach ${NAME} aa:01 ${HOST}`;

const world = await flowWorld();
const { run } = world;
const { attach } = world.parts.attachment;
beforeEach(() => world.reset());

/** A domain whose certificate is issued. */
const issued = (changes: Partial<Domain> = {}) =>
  world.stored({ status: 'issuing', phase: 'attachment', certificate: certified(), ...changes });

describe('a domain with a slot', () => {
  test.each<[what: string, gateway: FlowWorld['gateway'], calls: readonly string[]]>([
    ['creates the domain name and the mapping, points the host at it', undefined, ENSURED],
    ['uses a domain name that exists, without booking a slot', GATEWAY, []],
    [
      'replaces an earlier certificate of the domain name',
      { ...GATEWAY, certificateArn: 'earlier' },
      ENSURED,
    ],
  ])('done: %s, and goes live', async (_, gateway, calls) => {
    await issued();
    Object.assign(world, { gateway, nowMs: world.nowMs + MINUTE });
    expect(await run(attach)).toMatchObject({
      outcome: 'done',
      status: 'live',
      gateway: { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
      pointsAt: HOST,
      liveAt: new Date(world.nowMs).toISOString(),
    });
    expect(world.calls).toEqual([...calls, ...ATTACHED, REACHED]);
  });

  test('done: when it runs again for a live domain, maps it as the project asks for by then, and does nothing else', async () => {
    await issued();
    const before = await run(attach);
    world.calls.length = 0;
    world.zone = {};
    expect([await run(attach), world.calls]).toEqual([before, []]);
    world.projectFields = REDIRECTS;
    expect(await run(attach)).toMatchObject({ outcome: 'done', status: 'live', route: REDIRECTS });
    expect(world.calls).toEqual([`map ${NAME} redirects1`]);
  });

  test('keeps an existing mapping until the domain is live', async () => {
    await issued({ route: REDIRECTS });
    world.mapped.set(NAME, 'redirects1');
    Object.assign(world, { zone: {}, reached: ELSEWHERE });
    expect(await run(attach)).toMatchObject({ outcome: 'waiting' });
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
    Object.assign(world, { zone: RIGHT_RECORDS, reached: { kind: 'reached' } });
    expect(await run(attach)).toMatchObject({ outcome: 'done' });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test.each(['EXPIRED', null])(
    'failed: its certificate is lost (%s); the mapping is deleted',
    async status => {
      await issued();
      world.certificate = { ...world.certificate, status };
      expect(await run(attach)).toMatchObject({
        outcome: 'failed',
        reason: 'certificate_lost',
        certificate: { status },
        liveAt: null,
      });
      expect(world.mapped.has(NAME)).toBe(false);
    },
  );

  test('failed: its project is gone; a mapping of an earlier round is deleted', async () => {
    await issued({ route: PUBLISHED });
    world.projectFields = undefined;
    const message = 'Project zoo no longer exists.';
    expect(await run(attach)).toMatchObject({ outcome: 'failed', reason: 'project_gone', message });
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });
});

describe('slots at API Gateway', () => {
  test('waiting: books a later slot, and uses it without booking another', async () => {
    await issued();
    world.slotInMs = 62_000;
    const slotAt = new Date(world.nowMs + 62 * SECOND).toISOString();
    expect(await run(attach)).toMatchObject({
      outcome: 'waiting',
      waitSeconds: 62,
      message: 'Waiting for its turn at API Gateway.',
      slotAt,
      nextCheckAt: slotAt,
    });
    expect(world.calls).toEqual(['slot']);
    // Removals were booked ahead of it.
    Object.assign(world, { nowMs: world.nowMs + 62 * SECOND, bookedAheadMs: 31_000 });
    expect(await run(attach)).toMatchObject({ outcome: 'waiting', waitSeconds: 31, slotAt });
    world.nowMs += 31 * SECOND;
    expect(await run(attach)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toEqual([...ENSURED, ...ATTACHED, REACHED]);
  });

  test('waiting: in a long queue it looks every ten minutes whether the account is full by now', async () => {
    await issued();
    world.slotInMs = HOUR;
    expect(await run(attach)).toMatchObject({ outcome: 'waiting', waitSeconds: 600 });
    world.nowMs += 10 * MINUTE;
    expect(await run(attach)).toMatchObject({ waitSeconds: 600, reason: null, rounds: 0 });
    expect(world.calls).toEqual(['slot']);
    Object.assign(world, { nowMs: world.nowMs + 10 * MINUTE, isFull: true });
    expect(await run(attach)).toMatchObject({ reason: 'attachment_refused', message: full });
  });

  test('waiting: a domain that was refused says so until its slot has shown something else', async () => {
    const refusal = { reason: 'attachment_refused', message: 'No room.' } as const;
    await issued(refusal);
    world.slotInMs = 62_000;
    expect(await run(attach)).toMatchObject({ outcome: 'waiting', waitSeconds: 62, ...refusal });
  });

  test('waiting: books another slot when API Gateway is busy, at least one slot later', async () => {
    await issued();
    world.refusal = new FrontBusy('Too Many Requests');
    expect(await run(attach)).toMatchObject({ outcome: 'waiting', waitSeconds: 31 });
    expect(world.calls).toEqual([...ENSURED, 'slot']);
    world.nowMs += 31 * SECOND;
    expect(await run(attach)).toMatchObject({ outcome: 'done' });
  });
});

test('throws any other error of API Gateway, and leaves the domain as it was', async () => {
  const before = await issued();
  world.refusal = new Error('socket hang up');
  await expect(attach(ATTEMPT)).rejects.toThrow('socket hang up');
  expect(await world.found()).toEqual(before);
});

type Reached = FlowWorld['reached'];
const foreign = `Another environment or team in this AWS account has ${NAME} at API Gateway. Delete it there first.`;
const refused = `API Gateway rejects ${NAME}: Not known.`;
const full =
  'This AWS account has reached its limit of custom domain names at API Gateway. An operator has to raise the quota "Custom domain ' +
  'names" (L-A93447B8) in Service Quotas, or remove domains that are no longer used.';
const taken =
  `Another AWS account has ${NAME} at API Gateway in this region. An operator has to get it deleted there, or ask AWS ` +
  "Support if the account can't be found.";
const plan = 'Project zoo is on the free plan. Custom domains need the pro plan or above.';
const silent = `https://${NAME} doesn't respond: It was refused. A new domain can take a few minutes.`;
const theirs = `https://${NAME} serves the wrong certificate: Another. A proxy or another server may be responding.`;
const page = `https://${NAME} doesn't lead to the API: A web page.`;
const endingAs = (kind: Exclude<Reached['kind'], 'reached'>, why: string) => ({ reached: { kind, why } });
const ELSEWHERE: Reached = { kind: 'certificate_wrong', why: 'Another one is served.' };
const OTHERS: Reached = { kind: 'unproven', why: "It's another one.", at: '104.16.1.1' };
const released = `${NAME} is now in this project. It goes live here once its former project has released it, usually within minutes.`;
const ALL_BUT_LIVE = [...ENSURED, ...ATTACHED, REACHED];

describe.each<[reason: string, message: string, trouble: () => Partial<FlowWorld>, calls: readonly string[]]>(
  [
    ['plan_required', plan, () => ({ projectFields: { plan: 'free' } }), []],
    ['domain_name_foreign', foreign, () => ({ gateway: FOREIGN }), []],
    ['domain_name_being_released', released, () => ({ gateway: FOREIGN, isForeign: false }), []],
    ['domain_name_foreign', foreign, () => ({ refusal: new AttachedByOthers('just created') }), ENSURED],
    ['attachment_refused', refused, () => ({ refusal: new FrontRefused('Not known.') }), ENSURED],
    ['attachment_refused', full, () => ({ refusal: new FrontFull('Full.') }), ENSURED],
    ['attachment_refused', full, () => ({ isFull: true }), []],
    ['attachment_refused', taken, () => ({ refusal: new FrontTaken('Taken.') }), ENSURED],
    ['https_unreachable', silent, () => endingAs('unreachable', 'It was refused.'), ALL_BUT_LIVE],
    ['https_certificate_wrong', theirs, () => endingAs('certificate_wrong', 'Another.'), ALL_BUT_LIVE],
    ['https_answer_foreign', page, () => endingAs('answer_foreign', 'A web page.'), ALL_BUT_LIVE],
  ],
)('%s: %s', (reason, message, trouble, calls) => {
  beforeEach(async () => {
    await issued();
    Object.assign(world, trouble());
  });

  test('waiting: does nothing further, and goes live once the trouble is gone', async () => {
    const waiting = { outcome: 'waiting', waitSeconds: 15, status: 'issuing' };
    expect(await run(attach)).toMatchObject({ ...waiting, reason, message, slotAt: null, liveAt: null });
    expect(world.calls).toEqual(calls);
    world.reset();
    expect(await run(attach)).toMatchObject({ outcome: 'done', status: 'live', reason: null });
  });

  test('failed: the trouble is there after 48 hours; the mapping is deleted', async () => {
    world.nowMs += 48 * HOUR + MINUTE;
    const failure = { outcome: 'failed', reason, message: `${message} Verify again once that's solved.` };
    expect(await run(attach)).toMatchObject({ status: 'failed', ...failure });
    expect(world.mapped.has(NAME)).toBe(false);
  });
});

test.each<[what: string, then: string, changes: Partial<Domain>, isMapped: boolean]>([
  ['removed', 'superseded', { status: 'removing', phase: 'removal', attempt: 3 }, false],
  ['given up', 'failed', { status: 'failed', reason: 'internal_error' }, false],
  ['verified again', 'superseded', { status: 'verifying', attempt: 3 }, true],
])('waiting: the domain is %s while it is mapped; then %s', async (_, outcome, changes, isMapped) => {
  await issued();
  world.onMapped = async () => {
    world.onMapped = async () => {};
    await world.save(nextRevision({ ...(await world.found()), ...changes }));
  };
  expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 0 });
  expect(world.mapped.has(NAME)).toBe(isMapped);
  expect(world.calls).not.toContain(`point ${TARGET} ${HOST}`);
  expect(await attach(ATTEMPT)).toMatchObject({ outcome });
});

describe('the record that points the domain here', () => {
  const POINTS_ELSEWHERE = { 'www.zoo.example CNAME': ['other.example'] };
  const PROVEN_SUBDOMAIN = { '_petstore-challenge.www.zoo.example TXT': [CHALLENGE] };

  test('done, live: a request that meets our certificate decides, whatever DNS shows', async () => {
    await issued();
    world.zone = { 'www.zoo.example A': ['192.0.2.9'] };
    // Without a TXT record it may have followed an old answer.
    expect(await run(attach)).toMatchObject({ outcome: 'waiting' });
    world.zone = { ...world.zone, ...PROVEN_SUBDOMAIN };
    const { status, records = [] } = await run(attach);
    const traffic = records.find(({ purpose }) => purpose === 'traffic');
    expect([status, traffic]).toMatchObject(['live', { state: 'ok', action: null }]);
  });

  test('done, live behind a proxy: the TXT record proves it, and requests prove that they arrive here', async () => {
    const proxied = { [`${NAME} A`]: ['104.16.1.1'], 'zoo.example NS': ['amy.ns.cloudflare.com'] };
    await issued();
    Object.assign(world, { zone: proxied, reached: { kind: 'reached', isProxied: true } });
    expect(await run(attach)).toMatchObject({ outcome: 'waiting' });
    Object.assign(world, { zone: { ...proxied, ...PROVEN_SUBDOMAIN }, reached: OTHERS });
    const unproven = expect.stringContaining(
      `https://${NAME} serves the wrong certificate at 104.16.1.1: It's another one. Another server is responding, or a proxy that`,
    );
    expect(await run(attach)).toMatchObject({ outcome: 'waiting', message: unproven });
    // What our own edge refuses says nothing of the domain.
    world.reached = { kind: 'unknown', why: "It's another one." };
    expect(await run(attach)).toMatchObject({
      outcome: 'waiting',
      status: 'verifying',
      message: unproven,
    });
    world.reached = { kind: 'reached', isProxied: true };
    expect(await run(attach)).toMatchObject({
      status: 'live',
      isProxied: true,
      message: `https://${NAME} is live behind a proxy. Visitors see the proxy's certificate, not ours. Keep the records: the certificate needs them to renew.`,
    });
  });

  test('waiting: requests can not judge an address, so nothing calls it wrong; live once it is known', async () => {
    await issued({ rounds: 10 });
    const open = { kind: 'unconfirmed', why: 'It is IPv6.', at: '2600:1f18::7', isPartial: true } as const;
    const foreign = { 'www.zoo.example A': ['192.0.2.9'], ...PROVEN_SUBDOMAIN };
    const message = `https://${NAME} can't be checked at 2600:1f18::7: It is IPv6. If ${TARGET} doesn't have it, delete its AAAA record.`;
    for (const zone of [RIGHT_RECORDS, foreign]) {
      Object.assign(world, { zone, reached: open });
      expect(await run(attach)).toMatchObject({ outcome: 'waiting', reason: 'https_unconfirmed', message });
    }
    world.zone = PROVEN_SUBDOMAIN;
    expect(await run(attach)).toMatchObject({ outcome: 'waiting', reason: 'traffic_record_missing' });
    Object.assign(world, { zone: RIGHT_RECORDS, reached: { kind: 'reached' } });
    expect(await run(attach)).toMatchObject({ status: 'live' });
  });

  test('waiting: some visitors arrive, and others do not', async () => {
    await issued();
    const reached = { ...ELSEWHERE, at: '8.8.9.9', isPartial: true };
    Object.assign(world, { zone: { ...POINTS_ELSEWHERE, ...PROVEN_SUBDOMAIN }, reached });
    const change = `Change the value of the CNAME record at ${NAME} from other.example to ${TARGET}.`;
    expect(await run(attach)).toMatchObject({
      reason: 'traffic_record_mismatch',
      message: `Verification is failing. Some visitors of ${NAME}, those sent to 8.8.9.9, don't arrive here. ${change}`,
    });
    world.zone = RIGHT_RECORDS;
    expect(await run(attach)).toMatchObject({
      reason: 'https_certificate_wrong',
      message: expect.stringContaining(`Some visitors of ${NAME} don't arrive here. https://${NAME} serves`),
    });
  });

  test('waiting: nobody finds the domain, because its name servers fail', async () => {
    await issued();
    world.reached = { kind: 'unresolved', why: "Its name servers don't answer." };
    for (const zone of [RIGHT_RECORDS, 'SERVFAIL' as const]) {
      world.zone = zone;
      expect(await run(attach)).toMatchObject({ outcome: 'waiting', reason: 'traffic_record_unreachable' });
    }
  });

  test('done, ready: the TXT record proves it, and its owner switches the traffic later', async () => {
    await issued({ switchLater: true });
    Object.assign(world, { zone: { ...POINTS_ELSEWHERE, ...PROVEN_SUBDOMAIN }, reached: ELSEWHERE });
    const ready = await run(attach);
    expect(ready).toMatchObject({
      outcome: 'done',
      status: 'ready',
      reason: null,
      message: expect.stringMatching(/^Ready\. Point \S+ at \S+ whenever you like before .+ UTC\.$/),
      readyAt: AT,
      lastEvent: { type: 'ready' },
    });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
    // A late delivery changes nothing, and leaves the mapping.
    expect([await run(attach), [...world.mapped]]).toEqual([ready, [[NAME, 'abcdefghij']]]);
  });

  test('done, ready: a domain with a TXT record is looked for during 12 minutes before', async () => {
    Object.assign(world, { zone: { ...POINTS_ELSEWHERE, ...PROVEN_SUBDOMAIN }, reached: ELSEWHERE });
    await issued({ rounds: 17 });
    expect(await run(attach)).toMatchObject({ outcome: 'waiting' });
    expect(await run(attach)).toMatchObject({ outcome: 'done', status: 'ready' });
  });

  test('waiting: without a TXT record it is never ready', async () => {
    await issued({ switchLater: true, rounds: 30 });
    Object.assign(world, { zone: POINTS_ELSEWHERE, reached: ELSEWHERE });
    const reason = 'traffic_record_mismatch';
    expect(await run(attach)).toMatchObject({ outcome: 'waiting', status: 'verifying', reason });
  });

  const APEX_ATTEMPT = { ...ATTEMPT, domain: 'zoo.example' };
  const apex = () => issued({ domain: 'zoo.example', kind: 'apex' });
  const PROVEN = { '_petstore-challenge.zoo.example TXT': [CHALLENGE] };

  test('waiting: an apex does not point here yet; says which alias Route 53 wants, and goes live with it', async () => {
    await apex();
    Object.assign(world, { zone: PROVEN, reached: ELSEWHERE });
    expect(await run(attach, APEX_ATTEMPT)).toMatchObject({
      outcome: 'waiting',
      status: 'verifying',
      phase: 'attachment',
      reason: 'traffic_record_missing',
      message:
        `Create an ALIAS or ANAME record at zoo.example with the value ${TARGET}. ` +
        `At Route 53, create an A alias and an AAAA alias to ${HOST} (hosted zone Z1UJRXOUMOOFQ8).`,
      gateway: { host: HOST },
      pointsAt: HOST,
    });
    expect(world.calls).toContain(`point ${TARGET} ${HOST}`);
    world.zone = { ...PROVEN, 'zoo.example A': ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1', '192.0.2.2'] };
    world.reached = { kind: 'reached' };
    expect(await run(attach, APEX_ATTEMPT)).toMatchObject({ outcome: 'done', status: 'live' });
  });

  test('creates the managed alias of an apex, to the domain name that is known by then', async () => {
    await apex();
    world.zone = PROVEN;
    const managedRecords = {
      ...world.parts.managedRecords,
      async createAlias(domain: Domain) {
        world.calls.push(`alias ${domain.gateway?.host}`);
        return domain;
      },
    };
    await attachment({ ...world.parts, managedRecords, tendAsWorker: tender(world.parts) }).attach(
      APEX_ATTEMPT,
    );
    expect(world.calls).toContain(`alias ${HOST}`);
  });

  test('failed: the domain does not point here after 48 hours; the mapping is deleted, at the latest when the step is repeated', async () => {
    await issued({ pointsAt: ENDPOINT });
    Object.assign(world, { gateway: GATEWAY, zone: {}, reached: ELSEWHERE });
    world.nowMs += 48 * HOUR + MINUTE;
    world.onUnmapped = async () => {
      throw new Error('Too Many Requests');
    };
    await expect(attach(ATTEMPT)).rejects.toThrow('Too Many Requests');
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'traffic_record_missing',
      message: `The domain still doesn't point here after 48 hours. Create a CNAME record at ${NAME} with the value ${TARGET}. Then verify again.`,
    });
    world.onUnmapped = async () => {};
    world.calls.length = 0;
    expect(await run(attach)).toMatchObject({ outcome: 'failed' });
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });
});
