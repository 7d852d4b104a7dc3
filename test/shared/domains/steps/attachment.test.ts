import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  DomainNameForeign,
  GatewayBusy,
  GatewayRefused,
} from '../../../../shared/domains/aws/gateway-domains.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { DomainChanged } from '../../../../shared/domains/life/domain-store.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
import { attachment } from '../../../../shared/domains/steps/attachment.ts';
import { CHALLENGE, certified, ENDPOINT, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE, RIGHT_RECORDS, SECOND } from './flow-world.ts';

const NAME = 'www.zoo.example';
const ATTEMPT = { domain: NAME, project: 'zoo', attempt: 2 };
const ARN = certified().arn as string;
const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';
const GATEWAY = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8', certificateArn: ARN, isOurs: true };
const ATTACHED = [`map first ${NAME} abcdefghij`, `point ${TARGET} ${HOST}`];
const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };
/** The calls that take a domain live. */
const GONE_LIVE = [`reach ${NAME} aa:01`, `live ${NAME}`, `map ${NAME} abcdefghij`];

let world: FlowWorld;
let attach: ReturnType<typeof attachment>['attach'];
beforeAll(async () => {
  world = await flowWorld();
  ({ attach } = world.parts.attachment);
});
beforeEach(() => world.reset());

/** A domain whose certificate is issued. */
const issued = (changes: Partial<Domain> = {}) =>
  world.stored({ status: 'issuing', phase: 'attachment', certificate: certified(), ...changes });

describe('a domain with a slot', () => {
  test('done: creates the domain name and the mapping, points the host at it, and goes live', async () => {
    await issued();
    world.nowMs += MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toEqual(['slot', `ensure ${NAME} ${ARN}`, ...ATTACHED, ...GONE_LIVE]);
    expect(await world.found()).toMatchObject({
      status: 'live',
      phase: 'live',
      reason: null,
      message: `https://${NAME} is live. Keep the records: the certificate is renewed by them.`,
      gateway: { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
      pointsAt: HOST,
      slotAt: null,
      liveAt: new Date(world.nowMs).toISOString(),
    });
  });

  test('done: uses a domain name that exists, without booking a slot', async () => {
    await issued();
    world.gateway = GATEWAY;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toEqual([...ATTACHED, ...GONE_LIVE]);
  });

  test('done: replaces an earlier certificate of the domain name', async () => {
    await issued();
    world.gateway = { ...GATEWAY, certificateArn: 'earlier' };
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toContain(`ensure ${NAME} ${ARN}`);
  });

  test('done: when it runs again for a live domain, writes its mapping and nothing else', async () => {
    await issued();
    await attach(ATTEMPT);
    const before = await world.found();
    world.calls.length = 0;
    world.zone = {};
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect([await world.found(), world.calls]).toEqual([before, [`map ${NAME} abcdefghij`]]);
  });

  test('done: when it runs again for a live domain that redirects since, maps it to the redirect API', async () => {
    await issued();
    await attach(ATTEMPT);
    world.apiStage = REDIRECTS;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
  });

  test('keeps an existing mapping until the domain is live', async () => {
    await issued();
    world.mapped.set(NAME, 'redirects1');
    world.zone = {};
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
    world.zone = RIGHT_RECORDS;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test.each(['EXPIRED', null])(
    'failed: its certificate is lost (%s); the mapping is deleted',
    async status => {
      await issued();
      world.certificate = { ...world.certificate, status };
      expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
      expect(world.calls).not.toContain(`live ${NAME}`);
      expect(await world.found()).toMatchObject({
        status: 'failed',
        phase: 'attachment',
        reason: 'certificate_lost',
        message: `The certificate of ${NAME} is ${status ?? 'gone'}. Verify again to request a new one.`,
        certificate: { status },
        liveAt: null,
      });
      expect(world.mapped.has(NAME)).toBe(false);
    },
  );

  test('failed: its project is gone; a mapping of an earlier round is deleted', async () => {
    await issued();
    world.apiStage = undefined;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'project_gone',
      message: 'There is no project zoo any more.',
    });
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });
});

describe('slots at API Gateway', () => {
  test('waiting: books a later slot, and uses it without booking another', async () => {
    await issued();
    world.slotInMs = 62_000;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 62 });
    expect(world.calls).toEqual(['slot']);
    const slotAt = new Date(world.nowMs + 62 * SECOND).toISOString();
    expect(await world.found()).toMatchObject({
      message: 'Waiting for a slot at API Gateway.',
      slotAt,
      nextCheckAt: slotAt,
    });
    world.nowMs += 62 * SECOND;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toEqual(['slot', `ensure ${NAME} ${ARN}`, ...ATTACHED, ...GONE_LIVE]);
  });

  test('waiting: books another slot when API Gateway is busy, at least one slot later', async () => {
    await issued();
    world.refusal = new GatewayBusy('Too Many Requests');
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 31 });
    expect(world.calls).toEqual(['slot', `ensure ${NAME} ${ARN}`, 'slot']);
    world.nowMs += 31 * SECOND;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });
});

describe('a refusal by API Gateway', () => {
  const refused = () => new GatewayRefused('The certificate is not known.');

  test('waiting: retries with the backoff, and is accepted then', async () => {
    await issued();
    world.refusal = refused();
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({
      status: 'issuing',
      reason: 'attachment_refused',
      message: 'API Gateway rejects the domain name: The certificate is not known.',
      slotAt: null,
    });
    world.nowMs += MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });

  test('failed: still refused after 48 hours', async () => {
    await issued();
    world.refusal = refused();
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'attachment_refused',
      message:
        'API Gateway rejects the domain name: The certificate is not known. Verify again once that is solved.',
    });
  });

  test('throws any other error, and leaves the domain as it was', async () => {
    const before = await issued();
    world.refusal = new Error('socket hang up');
    await expect(attach(ATTEMPT)).rejects.toThrow('socket hang up');
    expect(await world.found()).toEqual(before);
  });
});

describe('a superseded attempt', () => {
  test('superseded: a removal has begun; the new mapping is deleted', async () => {
    const before = await issued();
    world.onMapped = () =>
      world.store.save(nextRevision({ ...before, status: 'removing', phase: 'removal', attempt: 3 }));
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'superseded' });
    expect(world.calls.slice(-2)).toEqual([`map first ${NAME} abcdefghij`, `unmap ${NAME}`]);
    expect(await world.found()).toMatchObject({ status: 'removing', phase: 'removal', attempt: 3 });
  });

  test('superseded: a removal is over; the new mapping is deleted', async () => {
    const before = await issued();
    world.onMapped = () => world.store.forget(before, world.nowMs);
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'superseded' });
    expect(world.calls.slice(-2)).toEqual([`map first ${NAME} abcdefghij`, `unmap ${NAME}`]);
    expect(await world.store.find(NAME, 'zoo')).toBeUndefined();
  });

  test('superseded: another verification has begun; the mapping stays for it', async () => {
    const before = await issued();
    world.onMapped = () => world.store.save(nextRevision({ ...before, status: 'verifying', attempt: 3 }));
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'superseded' });
    expect(world.calls.at(-1)).toBe(`map first ${NAME} abcdefghij`);
  });
});

describe('the record that points the domain here', () => {
  test('waiting: the record of a subdomain points elsewhere', async () => {
    await issued();
    world.zone = { 'www.zoo.example CNAME': ['other.example'] };
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({ status: 'verifying', reason: 'traffic_record_mismatch' });
  });

  const APEX_ATTEMPT = { domain: 'zoo.example', project: 'zoo', attempt: 2 };
  const apex = () => issued({ domain: 'zoo.example', kind: 'apex' });
  const PROVEN = { '_petstore-challenge.zoo.example TXT': [CHALLENGE] };

  test('waiting: an apex does not point here yet; says which alias Route 53 wants, and goes live with it', async () => {
    await apex();
    world.zone = PROVEN;
    expect(await attach(APEX_ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    expect(world.calls).toContain(`point ${TARGET} ${HOST}`);
    expect(await world.found('zoo.example')).toMatchObject({
      status: 'verifying',
      phase: 'attachment',
      reason: 'traffic_record_missing',
      message:
        `Create an ALIAS or ANAME record at zoo.example with the value ${TARGET}. ` +
        `At Route 53 create an A alias to ${HOST} (hosted zone Z1UJRXOUMOOFQ8).`,
      gateway: { host: HOST },
      pointsAt: HOST,
    });
    world.zone = { ...PROVEN, 'zoo.example A': ['192.0.2.1'], [`${TARGET} A`]: ['192.0.2.1', '192.0.2.2'] };
    expect(await attach(APEX_ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(await world.found('zoo.example')).toMatchObject({ status: 'live' });
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
    await attachment({ ...world.parts, managedRecords }).attach(APEX_ATTEMPT);
    expect(world.calls).toContain(`alias ${HOST}`);
  });

  test('failed: the domain does not point here after 48 hours; the mapping is deleted', async () => {
    await issued({ pointsAt: ENDPOINT });
    world.gateway = GATEWAY;
    world.zone = {};
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(world.calls.at(-1)).toBe(`unmap ${NAME}`);
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'traffic_record_missing',
      message: `The domain does not point here after 48 hours. Create a CNAME record at ${NAME} with the value ${TARGET}. Then verify again.`,
    });
  });

  test('failed: a mapping that could not be deleted at first is deleted when the step is repeated', async () => {
    await issued({ pointsAt: ENDPOINT });
    world.gateway = GATEWAY;
    world.zone = {};
    world.nowMs += 48 * HOUR + MINUTE;
    world.onUnmapped = async () => {
      throw new Error('Too Many Requests');
    };
    await expect(attach(ATTEMPT)).rejects.toThrow('Too Many Requests');
    expect(await world.found()).toMatchObject({ status: 'failed' });
    world.onUnmapped = async () => {};
    world.calls.length = 0;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });

  test('throws at the deadline when another delivery has taken the domain live, which keeps its mapping', async () => {
    const before = await issued();
    world.zone = {};
    world.nowMs += 48 * HOUR + MINUTE;
    world.onMapped = () => world.store.save(nextRevision({ ...before, status: 'live', phase: 'live' }));
    await expect(attach(ATTEMPT)).rejects.toThrow(DomainChanged);
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
    expect(await world.found()).toMatchObject({ status: 'live' });
  });
});

describe('the requirements of the project', () => {
  const MESSAGE = 'The project zoo is on the plan free. Custom domains need pro or above.';

  beforeEach(async () => {
    world.unmet = { reason: 'plan_required', message: MESSAGE };
    await issued();
  });

  test('waiting: the project lacks what custom domains need; nothing is created at AWS', async () => {
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({ reason: 'plan_required', message: MESSAGE, liveAt: null });
    expect(world.calls).toEqual([]);
  });

  test('done: goes live once the project has it', async () => {
    await attach(ATTEMPT);
    world.unmet = undefined;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });

  test('failed: the project still lacks it after 48 hours', async () => {
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'plan_required',
      message: `${MESSAGE} Verify again once that is solved.`,
    });
  });
});

describe('the HTTPS request', () => {
  const UNREACHABLE: Reached = { kind: 'unreachable', why: 'connect ECONNREFUSED.' };

  beforeEach(() => issued());

  test.each([
    [UNREACHABLE, 'https_unreachable', `https://${NAME} does not respond: connect ECONNREFUSED.`],
    [
      { kind: 'certificate_wrong', why: 'Another certificate than its own is served.' },
      'https_certificate_wrong',
      `https://${NAME} does not serve its own certificate: Another certificate than its own is served.`,
    ],
    [
      { kind: 'answer_foreign', why: 'The response (200) is not from the API.' },
      'https_answer_foreign',
      `https://${NAME} does not lead to the API: The response (200) is not from the API.`,
    ],
  ] as const)(
    'waiting: the records are right, but the request ends as %o',
    async (reached, reason, message) => {
      world.reached = reached;
      expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
      expect(world.calls).not.toContain(`live ${NAME}`);
      expect(await world.found()).toMatchObject({
        status: 'issuing',
        reason,
        message: expect.stringContaining(message),
        liveAt: null,
      });
    },
  );

  test('done: goes live once it is reached', async () => {
    world.reached = UNREACHABLE;
    await attach(ATTEMPT);
    world.reached = { kind: 'reached' };
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(await world.found()).toMatchObject({ status: 'live', reason: null });
  });

  test('failed: it is not reached within 48 hours; the mapping is deleted', async () => {
    world.reached = UNREACHABLE;
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(world.mapped.has(NAME)).toBe(false);
    expect(await world.found()).toMatchObject({ status: 'failed', reason: 'https_unreachable' });
  });

  test('sends no request while the records are wrong', async () => {
    world.zone = {};
    await attach(ATTEMPT);
    expect(world.calls.filter(call => call.startsWith('reach'))).toEqual([]);
  });
});

describe('a domain name that others have', () => {
  const MESSAGE =
    `${NAME} exists at API Gateway and is not ours: another environment or team of the account has created it. ` +
    'It has to be deleted there first.';
  const FOREIGN = { host: 'd-9', hostedZoneId: 'Z9', certificateArn: 'theirs', isOurs: false };

  test('waits, says whose it is, and changes nothing at AWS', async () => {
    await issued();
    world.gateway = FOREIGN;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({
      reason: 'domain_name_foreign',
      message: MESSAGE,
    });
    expect(world.calls).toEqual([]);
  });

  test('waits when they create it at the last moment', async () => {
    await issued();
    world.refusal = new DomainNameForeign('theirs');
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    expect(await world.found()).toMatchObject({ reason: 'domain_name_foreign' });
  });

  test('goes on once they have deleted it', async () => {
    await issued();
    world.gateway = FOREIGN;
    await attach(ATTEMPT);
    world.gateway = undefined;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(await world.found()).toMatchObject({ status: 'live', reason: null });
  });

  test('fails after 48 hours', async () => {
    await issued();
    world.gateway = FOREIGN;
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(await world.found()).toMatchObject({ status: 'failed', reason: 'domain_name_foreign' });
  });
});
