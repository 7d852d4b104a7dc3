import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { DomainChanged } from '../../../../shared/domains/life/domain-store.ts';
import { attachment } from '../../../../shared/domains/steps/attachment.ts';
import { CHALLENGE, certified, ENDPOINT, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE } from './flow-world.ts';

const NAME = 'www.zoo.example';
const ATTEMPT = { domain: NAME, project: 'zoo', attempt: 2 };
const ARN = certified().arn as string;
const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';
const GATEWAY = { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8', certificateArn: ARN, isOurs: true };

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
