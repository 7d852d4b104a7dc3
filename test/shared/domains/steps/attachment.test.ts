import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GatewayBusy, GatewayRefused } from '../../../../shared/domains/aws/gateway-domains.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { DomainChanged } from '../../../../shared/domains/life/domain-store.ts';
import { attachment } from '../../../../shared/domains/steps/attachment.ts';
import { CHALLENGE, certified, ENDPOINT, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE, RIGHT_RECORDS, SECOND } from './flow-world.ts';

const NAME = 'www.zoo.example';
const ATTEMPT = { domain: NAME, attempt: 2 };
const ARN = certified().arn as string;
const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';
const GATEWAY = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8', certificateArn: ARN };
const ATTACHED = [`map first ${NAME} abcdefghij`, `point ${TARGET} ${HOST}`];
const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };
/** A live domain is mapped to what is noted of it. */
const GONE_LIVE = [`live ${NAME}`, `map ${NAME} abcdefghij`];

let world: FlowWorld;
let attach: ReturnType<typeof attachment>['attach'];
beforeAll(async () => {
  world = await flowWorld();
  ({ attach } = attachment(world.parts));
});
beforeEach(() => world.reset());

/** A domain whose certificate is issued. */
const issued = (news: Partial<Domain> = {}) =>
  world.stored({ status: 'issuing', phase: 'attachment', certificate: certified(), ...news });

describe('a domain whose turn it is', () => {
  test('done: domain name, mapping, host, and then it is live', async () => {
    await issued();
    world.nowMs += MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toEqual(['turn', `ensure ${NAME} ${ARN}`, ...ATTACHED, ...GONE_LIVE]);
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

  test('done: what was made before is taken as it is, without a turn', async () => {
    await issued();
    world.gateway = GATEWAY;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toEqual([...ATTACHED, ...GONE_LIVE]);
  });

  test('done: a domain name with an earlier certificate is given this one', async () => {
    await issued();
    world.gateway = { ...GATEWAY, certificateArn: 'earlier' };
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toContain(`ensure ${NAME} ${ARN}`);
  });

  test('done: a step that comes again when the domain is live makes sure of its mapping and changes nothing else', async () => {
    await issued();
    await attach(ATTEMPT);
    const before = await world.found();
    world.calls.length = 0;
    world.zone = {};
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect([await world.found(), world.calls]).toEqual([before, [`map ${NAME} abcdefghij`]]);
  });

  test('done: a step that comes again maps a live domain to what it redirects by since', async () => {
    await issued();
    await attach(ATTEMPT);
    world.apiStage = REDIRECTS;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
  });

  test('what it was mapped to before stays until it is live', async () => {
    await issued();
    world.mapped.set(NAME, 'redirects1');
    world.zone = {};
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
    world.zone = RIGHT_RECORDS;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test.each(['EXPIRED', null])('ended: its certificate was lost on the way (%s)', async status => {
    await issued();
    world.certificate = { ...world.certificate, status };
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'ended' });
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
  });

  test('ended: its project is gone', async () => {
    await issued();
    world.apiStage = undefined;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'project_gone',
      message: 'There is no project zoo any more.',
    });
    expect(world.calls).toEqual([]);
  });
});

describe('slots', () => {
  test('waiting: its turn comes later, and then it goes on without taking another', async () => {
    await issued();
    world.slotInMs = 62_000;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 62 });
    expect(world.calls).toEqual(['turn']);
    const slotAt = new Date(world.nowMs + 62 * SECOND).toISOString();
    expect(await world.found()).toMatchObject({
      message: 'Waiting for its turn at API Gateway.',
      slotAt,
      nextCheckAt: slotAt,
    });
    world.nowMs += 62 * SECOND;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.calls).toEqual(['turn', `ensure ${NAME} ${ARN}`, ...ATTACHED, ...GONE_LIVE]);
  });

  test('waiting: API Gateway is busy at its turn, so it takes another, not before a turn has passed', async () => {
    await issued();
    world.refusal = new GatewayBusy('Too Many Requests');
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 31 });
    expect(world.calls).toEqual(['turn', `ensure ${NAME} ${ARN}`, 'turn']);
    world.nowMs += 31 * SECOND;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });
});

describe('what API Gateway refuses', () => {
  const refused = () => new GatewayRefused('The certificate is not known.');

  test('waiting: for a minute, since it may be accepted later; and it is', async () => {
    await issued();
    world.refusal = refused();
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 60 });
    expect(await world.found()).toMatchObject({
      status: 'issuing',
      reason: 'attachment_refused',
      message: 'API Gateway does not take it: The certificate is not known.',
      slotAt: null,
    });
    world.nowMs += MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });

  test('ended: after 48 hours', async () => {
    await issued();
    world.refusal = refused();
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'attachment_refused',
      message:
        'API Gateway does not take it: The certificate is not known. Verify again once that is settled.',
    });
  });

  test('fails, to be repeated, where the failure is none of these', async () => {
    const before = await issued();
    world.refusal = new Error('socket hang up');
    await expect(attach(ATTEMPT)).rejects.toThrow('socket hang up');
    expect(await world.found()).toEqual(before);
  });
});

describe('a domain that is overtaken', () => {
  test('ended: by a removal, and what was just mapped is taken back', async () => {
    const before = await issued();
    world.onMapped = () => world.store.save(nextRevision(before, { status: 'removing', attempt: 3 }));
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(world.calls.slice(-2)).toEqual([`map first ${NAME} abcdefghij`, `unmap ${NAME}`]);
    expect(await world.found()).toMatchObject({ status: 'removing', attempt: 3 });
  });

  test('ended: by a removal that is over already, and what was just mapped is taken back', async () => {
    const before = await issued();
    world.onMapped = () => world.store.forget(before);
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(world.calls.slice(-2)).toEqual([`map first ${NAME} abcdefghij`, `unmap ${NAME}`]);
    expect(await world.store.find(NAME)).toBeUndefined();
  });

  test('ended: by another verify, which needs the mapping itself', async () => {
    const before = await issued();
    world.onMapped = () => world.store.save(nextRevision(before, { status: 'verifying', attempt: 3 }));
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(world.calls.at(-1)).toBe(`map first ${NAME} abcdefghij`);
  });
});

describe('traffic', () => {
  test('waiting: the record of a subdomain was changed meanwhile', async () => {
    await issued();
    world.zone = { 'www.zoo.example CNAME': ['other.example'] };
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({ status: 'verifying', reason: 'traffic_record_mismatch' });
  });

  const APEX_ATTEMPT = { domain: 'zoo.example', attempt: 2 };
  const apex = () => issued({ domain: 'zoo.example', kind: 'apex' });
  const PROVEN = { '_petstore-challenge.zoo.example TXT': [CHALLENGE] };

  test('waiting: an apex leads here after its attachment, with the alias that Route 53 wants', async () => {
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

  test('the alias of an apex is made where it may be, of a domain name that is known by then', async () => {
    await apex();
    world.zone = PROVEN;
    const managedRecords = {
      ...world.parts.managedRecords,
      async makeAlias(domain: Domain) {
        world.calls.push(`alias ${domain.gateway?.host}`);
        return domain;
      },
    };
    await attachment({ ...world.parts, managedRecords }).attach(APEX_ATTEMPT);
    expect(world.calls).toContain(`alias ${HOST}`);
  });

  test('ended: it does not lead here after 48 hours, and nothing is served', async () => {
    await issued({ pointsAt: ENDPOINT });
    world.gateway = GATEWAY;
    world.zone = {};
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect(world.calls.at(-1)).toBe(`unmap ${NAME}`);
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'traffic_record_missing',
      message: `The domain does not point here after 48 hours. Create a CNAME record at ${NAME} with the value ${TARGET}. Then verify again.`,
    });
  });

  test('fails, to be repeated, where another run has found it live at the deadline, and it stays served', async () => {
    const before = await issued();
    world.zone = {};
    world.nowMs += 48 * HOUR + MINUTE;
    world.onMapped = () => world.store.save(nextRevision(before, { status: 'live', phase: 'live' }));
    await expect(attach(ATTEMPT)).rejects.toThrow(DomainChanged);
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
    expect(await world.found()).toMatchObject({ status: 'live' });
  });
});
