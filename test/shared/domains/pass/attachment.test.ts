import { beforeEach, describe, expect, test } from 'vitest';
import { AttachedByOthers, FrontFull, FrontRefused, FrontTaken } from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
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
  VALIDATION,
} from '../claimed-domain.ts';
import type { ZoneContent } from '../dns/zone-lookup.ts';
import {
  ATTEMPT,
  type FlowWorld,
  FOREIGN,
  flowWorld,
  GATEWAY,
  GONE_API,
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
beforeEach(() => world.reset());

/** A domain whose certificate is issued, and whose host isn't pointed at its domain name yet. */
const issued = (changes: Partial<Domain> = {}) => {
  world.hostTarget = ENDPOINT;
  return world.stored({ status: 'issuing', issuedAt: AT, certificate: certified(), ...changes });
};

const MONTH = 30 * 24 * HOUR;
const ELSEWHERE: Reached = { kind: 'certificate_wrong', why: 'Another one is served.' };

describe('with a slot', () => {
  test.each<[what: string, gateway: FlowWorld['gateway'], calls: readonly string[]]>([
    ['creates the domain name and the mapping, points the host at it', undefined, ENSURED],
    ['uses a domain name that exists, without booking a slot', GATEWAY, []],
    [
      'replaces an earlier certificate of the domain name',
      { ...GATEWAY, certificateArn: 'earlier' },
      ENSURED,
    ],
  ])('%s, and goes live', async (_, gateway, calls) => {
    await issued();
    Object.assign(world, { gateway, nowMs: world.nowMs + MINUTE });
    expect(await run()).toMatchObject({
      next: 'Done',
      status: 'live',
      reason: null,
      gateway: { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
      pointsAt: HOST,
      liveAt: new Date(world.nowMs).toISOString(),
    });
    expect(world.calls).toEqual([...calls, ...ATTACHED, REACHED]);
  });

  test('keeps an existing mapping until the domain is live', async () => {
    await issued({ route: REDIRECTS });
    world.mapped.set(NAME, 'redirects1');
    Object.assign(world, { zone: {}, reached: ELSEWHERE });
    expect(await run()).toMatchObject({ next: 'WaitForDns' });
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
    Object.assign(world, { zone: RIGHT_RECORDS, reached: { kind: 'reached' } });
    expect(await run()).toMatchObject({ next: 'Done' });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test.each(['EXPIRED', null])(
    'fails where its certificate is lost (%s), and is not mapped',
    async status => {
      await issued();
      world.certificate = { ...world.certificate, status };
      expect(await run()).toMatchObject({
        next: 'Failed',
        reason: 'certificate_lost',
        certificate: { status },
        liveAt: null,
      });
      expect(world.mapped.has(NAME)).toBe(false);
    },
  );

  test('fails where its project is gone, and is mapped no more', async () => {
    await issued({ route: PUBLISHED });
    world.projectFields = undefined;
    const message = 'Project zoo no longer exists.';
    expect(await run()).toMatchObject({ next: 'Failed', reason: 'project_gone', message });
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });
});

describe('slots at API Gateway', () => {
  test('books a later slot, and uses it without booking another', async () => {
    await issued();
    world.slotInMs = 62_000;
    const slotAt = new Date(world.nowMs + 62 * SECOND).toISOString();
    expect(await run()).toMatchObject({
      next: 'WaitForSlot',
      waitSeconds: 62,
      message: 'Waiting for its turn at API Gateway.',
      slotAt,
      nextCheckAt: slotAt,
    });
    expect(world.calls).toEqual(['slot']);
    world.nowMs += 31 * SECOND;
    expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 31, slotAt });
    world.nowMs += 31 * SECOND;
    expect(await run()).toMatchObject({ next: 'Done' });
    expect(world.calls).toEqual([...ENSURED, ...ATTACHED, REACHED]);
  });

  test('a full account is asked again half an hour later, in another slot', async () => {
    await issued();
    world.refusal = new FrontFull('Full.');
    const refused = { reason: 'attachment_refused', message: full };
    expect(await run()).toMatchObject({
      next: 'WaitForRelease',
      waitSeconds: 1800,
      slotAt: null,
      ...refused,
    });
    Object.assign(world, { nowMs: world.nowMs + HOUR / 2, slotInMs: HOUR });
    expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 3600, ...refused });
  });

  test('a domain that was refused says so until its slot has shown something else', async () => {
    const refusal = { reason: 'attachment_refused', message: 'No room.' } as const;
    await issued(refusal);
    world.slotInMs = 62_000;
    expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 62, ...refusal });
  });

  test('books another slot when API Gateway is busy, at least one slot later', async () => {
    await issued();
    world.isBusy = true;
    expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 31 });
    expect(world.calls).toEqual(['slot', 'slot']);
    world.nowMs += 31 * SECOND;
    expect(await run()).toMatchObject({ next: 'Done' });
  });
});

test('throws any other error of API Gateway, and leaves the domain as it was', async () => {
  const before = await issued();
  world.refusal = new Error('socket hang up');
  await expect(run()).rejects.toThrow('socket hang up');
  expect(await world.found()).toEqual(before);
});

const endingAs = (kind: Exclude<Reached['kind'], 'reached'>, why: string) => ({ reached: { kind, why } });
const ALL_BUT_LIVE = [...ENSURED, ...ATTACHED, REACHED];
const foreign = `Another environment or team in this AWS account has ${NAME} at API Gateway. Delete it there first.`;
const full =
  'This AWS account has reached its limit of custom domain names at API Gateway. An operator has to raise the quota "Custom domain ' +
  'names" (L-A93447B8) in Service Quotas, or remove domains that are no longer used.';

type Trouble = readonly [
  reason: string,
  message: string,
  trouble: () => Partial<FlowWorld>,
  calls: readonly string[],
];

/** What keeps a domain from going live, what is said of it, and what was done until it was met. */
const TROUBLES: readonly Trouble[] = [
  [
    'plan_required',
    'Project zoo is on the free plan. Custom domains need the pro plan or above.',
    () => ({ projectFields: { plan: 'free' } }),
    [],
  ],
  ['domain_name_foreign', foreign, () => ({ gateway: FOREIGN }), []],
  [
    'domain_name_being_released',
    `${NAME} is now in this project. It goes live here once its former project has released it, usually within minutes.`,
    () => ({ gateway: FOREIGN, isForeign: false }),
    [],
  ],
  ['domain_name_foreign', foreign, () => ({ refusal: new AttachedByOthers('just created') }), ENSURED],
  [
    'attachment_refused',
    `API Gateway rejects ${NAME}: Not known.`,
    () => ({ refusal: new FrontRefused('Not known.') }),
    ENSURED,
  ],
  [
    'attachment_refused',
    `Another AWS account has ${NAME} at API Gateway in this region. An operator has to get it deleted there, or ask AWS ` +
      "Support if the account can't be found.",
    () => ({ refusal: new FrontTaken('Taken.') }),
    ENSURED,
  ],
  [
    'api_gone',
    "The API or stage of project zoo doesn't exist at API Gateway. Deploy it there again, or move the domain to another project.",
    () => ({ projectFields: { apiId: GONE_API } }),
    [...ENSURED, `map ${NAME} ${GONE_API}`],
  ],
  [
    'https_unreachable',
    `https://${NAME} doesn't respond: It was refused. A new domain can take a few minutes.`,
    () => endingAs('unreachable', 'It was refused.'),
    ALL_BUT_LIVE,
  ],
  [
    'https_certificate_wrong',
    `https://${NAME} serves the wrong certificate: Another. A proxy or another server may be responding.`,
    () => endingAs('certificate_wrong', 'Another.'),
    ALL_BUT_LIVE,
  ],
  [
    'https_answer_foreign',
    `https://${NAME} doesn't lead to the API: A web page.`,
    () => endingAs('answer_foreign', 'A web page.'),
    ALL_BUT_LIVE,
  ],
];

describe.each(TROUBLES)('%s: %s', (reason, message, trouble, calls) => {
  beforeEach(async () => {
    await issued();
    Object.assign(world, trouble());
  });

  test('is waited for, with nothing done beyond it; then the domain goes live', async () => {
    const waiting = { waitSeconds: 15, status: 'issuing', slotAt: null, liveAt: null };
    expect(await run()).toMatchObject({ ...waiting, reason, message });
    expect(world.calls).toEqual(calls);
    world.reset();
    expect(await run()).toMatchObject({ next: 'Done', status: 'live', reason: null });
  });

  test('fails the domain after 30 days, which is mapped no more', async () => {
    world.nowMs += MONTH;
    const failure = { next: 'Failed', reason, message: `${message} Verify again once that's solved.` };
    expect(await run()).toMatchObject({ status: 'failed', ...failure });
    expect(world.mapped.has(NAME)).toBe(false);
  });
});

test.each<[what: string, changes: Partial<Domain>, next: string, isMapped: boolean]>([
  ['removed', { status: 'removing', attempt: 3 }, 'Superseded', false],
  ['given up', { status: 'failed', reason: 'internal_error' }, 'Failed', false],
  ['verified again', { status: 'verifying', attempt: 3 }, 'Superseded', true],
])('a domain that is %s while it is mapped is left as that asks for', async (_, changes, next, isMapped) => {
  await issued();
  world.onMapped = async () => {
    world.onMapped = async () => {};
    await world.save(nextRevision({ ...(await world.found()), ...changes }));
  };
  expect(await run()).toMatchObject({ next, status: changes.status });
  expect(world.mapped.has(NAME)).toBe(isMapped);
  expect(world.calls).not.toContain(`point ${TARGET} ${HOST}`);
});

describe('the record that points the domain here', () => {
  const KEPT = { [`${VALIDATION.name} CNAME`]: [VALIDATION.value] };
  const PROVEN = { ...KEPT, [`_petstore-challenge.${NAME} TXT`]: [CHALLENGE] };
  const OTHER = { [`${NAME} CNAME`]: ['other.example'] };
  const ADDRESS = { [`${NAME} A`]: ['192.0.2.9'] };
  const PROXY = { [`${NAME} A`]: ['104.16.1.1'], 'zoo.example NS': ['amy.ns.cloudflare.com'] };
  const ARRIVED: Reached = { kind: 'reached' };
  const PROXIED: Reached = { kind: 'reached', isProxied: true };
  const UNPROVEN: Reached = { kind: 'unproven', why: "It's another one.", at: '104.16.1.1' };
  const IPV6: Reached = { kind: 'unconfirmed', why: 'It is IPv6.', at: '2600:1f18::7', isPartial: true };
  const SOME: Reached = { ...ELSEWHERE, at: '8.8.9.9', isPartial: true };
  const LOST: Reached = { kind: 'unresolved', why: "Its name servers don't answer." };
  const containing = (text: string) => expect.stringContaining(text);
  const IPV6_MESSAGE = `https://${NAME} can't be checked at 2600:1f18::7: It is IPv6. If ${TARGET} doesn't have it, delete its AAAA record.`;

  type Row = readonly [what: string, zone: ZoneContent, reached: Reached, expected: object];
  const LIVE = { next: 'Done', status: 'live', reason: null };
  const OPEN = { next: 'WaitForDns', status: 'verifying' };

  test.each<Row>([
    [
      'decides nothing where it shows other addresses: a request that meets our certificate does',
      { ...PROVEN, ...ADDRESS },
      ARRIVED,
      LIVE,
    ],
    [
      'may have been cached where it is missing',
      PROVEN,
      ARRIVED,
      { ...OPEN, reason: 'traffic_record_missing' },
    ],
    ['may have been cached where it was the only proof', { ...KEPT, ...ADDRESS }, ARRIVED, OPEN],
    [
      'leads to a proxy, which has a proof',
      { ...PROVEN, ...PROXY },
      PROXIED,
      {
        ...LIVE,
        isProxied: true,
        message: `https://${NAME} is live behind a proxy. Visitors see the proxy's certificate, not ours. Keep the records: the certificate needs them to renew.`,
      },
    ],
    ['leads to a proxy, and nothing else proves the claim', { ...KEPT, ...PROXY }, PROXIED, OPEN],
    [
      'is right, but an address of it can not be requested',
      RIGHT_RECORDS,
      IPV6,
      { next: 'WaitForVisitors', reason: 'https_unconfirmed', message: IPV6_MESSAGE },
    ],
    [
      'is not called wrong where its address can not be requested',
      { ...PROVEN, ...ADDRESS },
      IPV6,
      { next: 'WaitForVisitors', reason: 'https_unconfirmed', message: IPV6_MESSAGE },
    ],
    [
      'is missing, whatever can not be requested',
      PROVEN,
      IPV6,
      { ...OPEN, reason: 'traffic_record_missing' },
    ],
    [
      'leads some visitors elsewhere',
      { ...PROVEN, ...OTHER },
      SOME,
      {
        ...OPEN,
        reason: 'traffic_record_mismatch',
        message: `Verification is failing. Some visitors of ${NAME}, those sent to 8.8.9.9, don't arrive here. Change the value of the CNAME record at ${NAME} from other.example to ${TARGET}.`,
      },
    ],
    [
      'is right, but some visitors get elsewhere',
      RIGHT_RECORDS,
      SOME,
      {
        next: 'WaitForVisitors',
        reason: 'https_certificate_wrong',
        message: containing(`Some visitors of ${NAME} don't arrive here. https://${NAME} serves`),
      },
    ],
    [
      'is found by nobody, although it was right',
      RIGHT_RECORDS,
      LOST,
      { reason: 'traffic_record_unreachable' },
    ],
    ['is found by nobody', 'SERVFAIL', LOST, { reason: 'traffic_record_unreachable' }],
  ])('%s', async (_, zone, reached, expected) => {
    await issued();
    Object.assign(world, { zone, reached });
    expect(await run()).toMatchObject(expected);
  });

  test('leads to a proxy without a proof; what our own edge refuses says nothing of the domain', async () => {
    await issued();
    Object.assign(world, { zone: { ...PROVEN, ...PROXY }, reached: UNPROVEN });
    const message = containing(
      `https://${NAME} serves the wrong certificate at 104.16.1.1: It's another one. Another server is responding, or a proxy that`,
    );
    expect(await run()).toMatchObject({ ...OPEN, message });
    world.reached = { kind: 'unknown', why: "It's another one." };
    expect(await run()).toMatchObject({ status: 'verifying', message });
  });

  describe('is switched later by its owner', () => {
    const AWAY = { zone: { ...PROVEN, ...OTHER }, reached: ELSEWHERE };

    test('who asked for that: ready as soon as everything else is, and mapped', async () => {
      await issued({ switchLater: true });
      Object.assign(world, AWAY);
      expect(await run()).toMatchObject({
        next: 'Done',
        status: 'ready',
        reason: null,
        message: expect.stringMatching(/^Ready\. Point \S+ at \S+ whenever you like before .+ UTC\.$/),
        readyAt: AT,
        lastEvent: { type: 'ready' },
      });
      expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
    });

    test('who did not say so: ready after 12 minutes', async () => {
      await issued({ rounds: 17 });
      Object.assign(world, AWAY);
      expect(await run()).toMatchObject({ next: 'WaitForDns' });
      expect(await run()).toMatchObject({ next: 'Done', status: 'ready' });
    });

    test('without a TXT record: never ready', async () => {
      await issued({ switchLater: true, rounds: 30 });
      Object.assign(world, { ...AWAY, zone: { ...KEPT, ...OTHER } });
      expect(await run()).toMatchObject({ ...OPEN, reason: 'traffic_record_mismatch' });
    });

    test('while our edge refuses the domain: not ready', async () => {
      await issued({ switchLater: true });
      Object.assign(world, { ...AWAY, edge: { kind: 'unreachable', why: 'It was refused.' } });
      expect(await run()).toMatchObject({ next: 'WaitForVisitors', reason: 'https_unreachable' });
    });
  });

  test('of an apex is an alias, which its owner is told once its target is known', async () => {
    const attempt = { ...ATTEMPT, domain: 'zoo.example' };
    await issued({ domain: 'zoo.example', kind: 'apex' });
    const zone = { ...KEPT, '_petstore-challenge.zoo.example TXT': [CHALLENGE] };
    Object.assign(world, { zone, reached: ELSEWHERE });
    expect(await run(attempt)).toMatchObject({
      ...OPEN,
      issuedAt: AT,
      reason: 'traffic_record_missing',
      message:
        `Create an ALIAS or ANAME record at zoo.example with the value ${TARGET}. ` +
        `At Route 53, create an A alias and an AAAA alias to ${HOST} (hosted zone Z1UJRXOUMOOFQ8).`,
      gateway: { host: HOST },
      pointsAt: HOST,
    });
    expect(world.calls).toContain(`point ${TARGET} ${HOST}`);
    world.zone = { ...zone, 'zoo.example A': ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1', '192.0.2.2'] };
    world.reached = ARRIVED;
    expect(await run(attempt)).toMatchObject(LIVE);
  });

  test('is missing for 30 days: the domain fails, and its mapping is deleted, at the latest by the repetition', async () => {
    await issued({ pointsAt: ENDPOINT });
    Object.assign(world, { gateway: GATEWAY, zone: {}, reached: ELSEWHERE });
    world.nowMs += MONTH;
    world.onUnmapped = async () => {
      throw new Error('Too Many Requests');
    };
    await expect(run()).rejects.toThrow('Too Many Requests');
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'traffic_record_missing',
      message: `The domain still doesn't point here after 30 days. Create a CNAME record at ${NAME} with the value ${TARGET}. Then verify again.`,
    });
    world.onUnmapped = async () => {};
    world.calls.length = 0;
    expect(await run()).toMatchObject({ next: 'Failed' });
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });
});
