import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import { ApiUnknown } from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { LEASE_MS } from '../../../../shared/domains/life/lease.ts';
import type { Reached } from '../../../../shared/domains/reach.ts';
import { report } from '../../../../shared/domains/report.ts';
import { NEEDS_ATTENTION, rechecker } from '../../../../shared/domains/steps/recheck.ts';
import { troublesOf } from '../../../../shared/domains/steps/troubles.ts';
import type { Project } from '../../../../shared/projects/project.ts';
import { NO_ROUTING, withLive } from '../../../../shared/projects/routing.ts';
import { CHALLENGE, HOST, live, NAME, removing, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type FlowWorld, FOREIGN, flowWorld, GATEWAY, RIGHT_RECORDS } from './flow-world.ts';

const WELL = `https://${NAME} is live. Keep the records: the certificate needs them to renew.`;

const world = await flowWorld();
const { recheck } = world.parts;
let write: MockInstance<typeof process.stdout.write>;
beforeEach(() => {
  world.reset();
  world.attach();
  write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => write.mockRestore();
});

/** The domain after a check, and the lines that the check logs. */
async function rechecked(domain?: Domain) {
  write.mockClear();
  const after = await recheck(domain ?? (await world.stored(live())));
  const logged = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  return { after, logged };
}

test('a domain that has no trouble stays as it is, and its records are stored as they were seen', async () => {
  const { after, logged } = await rechecked();
  expect(logged).toEqual([]);
  expect(await world.found()).toEqual(after);
  expect(after).toMatchObject({
    status: 'live',
    reason: null,
    message: WELL,
    revision: 2,
    checkedAt: new Date(world.nowMs).toISOString(),
    records: [{ state: 'ok' }, { state: 'ok' }],
  });
});

const UNREACHABLE: Reached = { kind: 'unreachable', why: 'There was no response in time.' };
const UNRESOLVED: Reached = { kind: 'unresolved', why: 'Its name servers fail (SERVFAIL).' };
const FAILING = { zone: 'zoo.example', nameServers: ['ns.zoo.example'], fault: 'SERVFAIL' };
const SERVFAIL_CAUSES =
  'look for CNAME records that point back at themselves and for errors in the zone file. Otherwise ask your DNS provider.';
const UNCONFIRMED: Reached = { kind: 'unconfirmed', why: 'It is IPv6.', at: '2600:1f18::7', isPartial: true };
const UNKNOWN: Reached = { kind: 'unknown', why: "It isn't the one issued for the domain." };
const CREATE_VALIDATION = `Create a CNAME record at ${VALIDATION.name} with the value ${VALIDATION.value}.`;
const CREATE_TEXT = `Create a TXT record at _petstore-challenge.${NAME} with the value ${CHALLENGE}.`;
const CHAINED = { ...RIGHT_RECORDS, 'www.zoo.example CNAME': ['cdn.example'], 'cdn.example CNAME': [TARGET] };
const POINTS_ELSEWHERE = { ...RIGHT_RECORDS, 'www.zoo.example CNAME': ['other.example'] };
const PROXIED = {
  ...RIGHT_RECORDS,
  'www.zoo.example CNAME': [],
  'www.zoo.example A': ['104.16.1.1'],
  'zoo.example NS': ['x.ns.cloudflare.com'],
  [`_petstore-challenge.${NAME} TXT`]: [CHALLENGE],
};
const CAA = { 'zoo.example CAA': ['0 issue "letsencrypt.org"'] };
const NOT_RENEWED = `The certificate of ${NAME} can't be renewed.`;
const CHECK_RENEWAL = 'Check that its DNS records are all there, and that no CAA record blocks Amazon.';
const NOT_PROVEN = `${NAME} works, but nothing in DNS proves that it's yours.`;

test.each<[string, Partial<FlowWorld>, string, string]>([
  [
    'no longer points here',
    { zone: POINTS_ELSEWHERE, reached: UNREACHABLE },
    'traffic_record_mismatch',
    `${NAME} no longer points here. Change the value of the CNAME record at ${NAME} from other.example to ${TARGET}.`,
  ],
  [
    'points elsewhere, which only some resolvers have seen',
    { zone: POINTS_ELSEWHERE, reached: { ...UNREACHABLE, at: '8.8.9.9', isPartial: true } },
    'traffic_record_mismatch',
    `Some visitors of ${NAME}, those sent to 8.8.9.9, don't arrive here. Change the value of the CNAME record at ${NAME} from other.example to ${TARGET}.`,
  ],
  [
    'has no record any more, although a request follows one that resolvers have cached',
    { zone: { [`${VALIDATION.name} CNAME`]: [VALIDATION.value] } },
    'traffic_record_missing',
    `${NAME} no longer points here. Create a CNAME record at ${NAME} with the value ${TARGET}.`,
  ],
  [
    'an HTTPS request does not reach, although DNS is right',
    { reached: UNREACHABLE },
    'https_unreachable',
    `https://${NAME} doesn't respond: There was no response in time.`,
  ],
  [
    'an HTTPS request does not reach at one of its addresses',
    { reached: { ...UNREACHABLE, at: '8.8.9.9', isPartial: true } },
    'https_unreachable',
    `Some visitors of ${NAME} don't arrive here. https://${NAME} doesn't respond at 8.8.9.9: There was no response in time.`,
  ],
  [
    'nobody finds, because its name servers fail',
    { zone: 'SERVFAIL', delegation: FAILING, reached: UNRESOLVED },
    'traffic_record_unreachable',
    `${NAME} can't be looked up. The name servers of zoo.example (ns.zoo.example) answer with SERVFAIL. If this persists, ${SERVFAIL_CAUSES}`,
  ],
  [
    'nobody finds, because its name servers do not have its zone',
    { zone: 'SERVFAIL', delegation: { ...FAILING, fault: 'REFUSED' }, reached: UNRESOLVED },
    'traffic_record_unreachable',
    `${NAME} can't be looked up. The name servers of zoo.example (ns.zoo.example) don't serve this zone (REFUSED). Create the zone there, or correct the name servers at your registrar.`,
  ],
  [
    'nobody found for a moment',
    { reached: UNRESOLVED },
    'traffic_record_unreachable',
    `${NAME} can't be looked up. Its name servers fail (SERVFAIL). This usually passes. If it persists, ask your DNS provider.`,
  ],
  [
    'only those find who have it cached, and whose record leads elsewhere',
    { zone: POINTS_ELSEWHERE, reached: { ...UNRESOLVED, isPartial: true } },
    'traffic_record_mismatch',
    `Some visitors of ${NAME} don't arrive here. Change the value of the CNAME record at ${NAME} from other.example to ${TARGET}.`,
  ],
  [
    'has lost its validation record',
    { zone: { 'www.zoo.example CNAME': [TARGET] } },
    'certificate_record_missing',
    `${NOT_RENEWED} ${CREATE_VALIDATION}`,
  ],
  [
    'an HTTPS request reaches through another name, which proves nothing',
    { zone: CHAINED },
    'ownership_record_missing',
    `${NOT_PROVEN} ${CREATE_TEXT}`,
  ],
  [
    'has a CAA record against its renewal, and no proof either',
    { zone: { ...CHAINED, ...CAA } },
    'caa_blocked',
    `${NOT_RENEWED} Amazon isn't allowed to issue certificates: zoo.example has the CAA record 0 issue "letsencrypt.org". Add CAA: name @, value 0 issue "amazon.com".`,
  ],
])('a domain that %s stays live, says so, and raises the alarm', async (_, changes, reason, message) => {
  Object.assign(world, changes);
  const { after, logged } = await rechecked();
  expect(after).toMatchObject({ status: 'needs_attention', reason, message });
  expect(await world.found()).toEqual(after);
  expect(logged).toMatchObject([
    { level: 'WARN', message: NEEDS_ATTENTION, domain: NAME, project: 'zoo', reason },
  ]);
});

test('the project knows whose visitors do not arrive, until they do; other troubles do not count', async () => {
  const away = async () => (await world.parts.projects.find('zoo'))?.awayDomains;
  const { after } = await rechecked();
  world.zone = POINTS_ELSEWHERE;
  world.reached = UNREACHABLE;
  const elsewhere = (await rechecked(after)).after;
  expect(await away()).toEqual([NAME]);
  Object.assign(world, { zone: CHAINED, reached: { kind: 'reached' } });
  expect((await rechecked(elsewhere)).after).toMatchObject({ reason: 'ownership_record_missing' });
  expect(await away()).toBeUndefined();
  world.gateway = FOREIGN;
  await rechecked(await world.found());
  expect(await away()).toEqual([NAME]);
});

describe('the check of arrivals', () => {
  const noted = async () => ((await world.parts.projects.find('zoo'))?.awayDomains ?? []).includes(NAME);
  const checked = async (isAway = false) => {
    const before = await world.found();
    const after = await world.parts.checkArrival(before, isAway);
    expect(await noted()).toBe(after.reason !== null);
    return after.revision === before.revision ? 'as it was' : after.reason;
  };
  beforeEach(async () => {
    // The project is the same in all tests.
    await rechecked();
    world.calls.length = 0;
  });

  test('costs nothing but requests while all is as the project has it', async () => {
    expect(await checked()).toBe('as it was');
    expect(world.calls).toEqual([`reach ${NAME} aa:01 ${HOST}`]);
  });

  test('notes that nobody finds the domain any more', async () => {
    Object.assign(world, { zone: 'SERVFAIL', reached: UNRESOLVED });
    expect(await checked()).toBe('traffic_record_unreachable');
    Object.assign(world, { zone: RIGHT_RECORDS, reached: { kind: 'reached' } });
    expect(await checked(true)).toBe(null);
  });

  test('notes that visitors have left, and that they are back', async () => {
    Object.assign(world, { zone: POINTS_ELSEWHERE, reached: UNREACHABLE });
    expect(await checked()).toBe('traffic_record_mismatch');
    expect(await checked(true)).toBe('as it was');
    Object.assign(world, { zone: RIGHT_RECORDS, reached: { kind: 'reached' } });
    expect(await checked(true)).toBe(null);
  });

  test('restores a mapping that somebody has deleted', async () => {
    world.mapped.clear();
    Object.assign(world, { edge: UNREACHABLE, reached: UNREACHABLE });
    await checked();
    expect(world.mapped.get(NAME)).toBe('abcdefghij');
  });

  test.each([
    ['not even our edge can be reached', { edge: UNREACHABLE, reached: UNREACHABLE }],
    ['proofs are throttled', { reached: UNKNOWN }],
  ])('says nothing of visitors while %s, unless the domain name is gone', async (_, seen) => {
    Object.assign(world, { zone: PROXIED, reached: { kind: 'reached', isProxied: true } });
    await rechecked();
    Object.assign(world, seen);
    expect(await checked()).toBe('as it was');
    world.gateway = undefined;
    expect(await world.parts.checkArrival(await world.found(), false)).toMatchObject({ status: 'verifying' });
  });
});

describe('behind a proxy', () => {
  const LIVE = `https://${NAME} is live behind a proxy.`;
  const through = async (reached: Reached) => {
    Object.assign(world, { zone: PROXIED, reached });
    const { after } = await rechecked(await world.found());
    expect(troublesOf(after)).toHaveLength(after.reason ? 1 : 0);
    return after.message;
  };
  beforeEach(() => world.stored(live()));

  test('says what is so once the proxy fails', async () => {
    expect(await through({ kind: 'reached', isProxied: true })).toContain(LIVE);
    const at = '104.16.1.1';
    expect(await through({ kind: 'unproven', why: 'No.', at })).toBe(
      `The proxy of ${NAME} no longer passes requests on at ${at}, or another server is responding. A proxy has to send ` +
        `them to ${TARGET} over HTTPS, with the host, path and query unchanged, and without a cache or a bot check.`,
    );
    expect(await through(UNREACHABLE)).toBe(
      `The proxy of ${NAME} doesn't respond: There was no response in time.`,
    );
  });

  test('stays what it was while our edge has no proofs to give; one that was not behind it needs attention', async () => {
    expect(await through(UNKNOWN)).toContain('The record at www.zoo.example is proxied by Cloudflare.');
    expect(await through({ kind: 'reached', isProxied: true })).toContain(LIVE);
    expect(await through(UNKNOWN)).toContain(LIVE);
    const unreachable = await through(UNREACHABLE);
    expect(await through(UNKNOWN)).toBe(unreachable);
  });
});

describe('one of whose addresses one can not be judged', () => {
  const STRAY = { ...RIGHT_RECORDS, 'www.zoo.example CNAME': [], 'www.zoo.example AAAA': ['2600:1f18::7'] };

  test('stays what it was: live, or elsewhere', async () => {
    Object.assign(world, {
      zone: { ...STRAY, [`_petstore-challenge.${NAME} TXT`]: [CHALLENGE] },
      reached: UNCONFIRMED,
    });
    const well = (await rechecked()).after;
    expect(well).toMatchObject({ status: 'live', reason: null, message: WELL });
    const { notes } = report(well, NO_ROUTING, clock());
    expect(notes).toEqual([
      `https://${NAME} can't be checked at 2600:1f18::7: It is IPv6. If ${TARGET} doesn't have it, delete its AAAA record.`,
    ]);
    Object.assign(world, { zone: POINTS_ELSEWHERE, reached: UNREACHABLE });
    const elsewhere = (await rechecked(well)).after;
    Object.assign(world, { zone: STRAY, reached: UNCONFIRMED });
    const { reason, message } = elsewhere;
    expect(reason).toBe('traffic_record_mismatch');
    expect((await rechecked(elsewhere)).after).toMatchObject({
      status: 'needs_attention',
      reason,
      message,
    });
  });

  test('is not named any more once it is judged', async () => {
    world.reached = UNCONFIRMED;
    const doubted = (await rechecked()).after;
    world.reached = { kind: 'reached' };
    const { unconfirmed } = (await rechecked(doubted)).after;
    expect([typeof doubted.unconfirmed, unconfirmed]).toEqual(['string', undefined]);
  });

  test('is live again once what was ours to restore is there', async () => {
    world.mapped.clear();
    const unmapped = (await rechecked()).after;
    expect(unmapped).toMatchObject({ reason: 'mapping_changed' });
    world.attach();
    world.reached = UNCONFIRMED;
    expect((await rechecked(unmapped)).after).toMatchObject({ status: 'live', reason: null });
  });

  test('is not looked at further by the check of arrivals while our edge is there', async () => {
    const before = await world.stored(live());
    world.reached = UNCONFIRMED;
    world.calls.length = 0;
    expect(await world.parts.checkArrival(before, false)).toEqual(before);
    world.edge = UNREACHABLE;
    world.mapped.clear();
    await world.parts.checkArrival(before, false);
    expect(world.mapped.get(NAME)).toBe('abcdefghij');
  });
});

test('one of whose addresses one is foreign says which record to delete', async () => {
  world.attach('zoo.example');
  Object.assign(world, {
    reached: { ...UNREACHABLE, at: '2001:db8::7', isPartial: true },
    zone: {
      'zoo.example A': ['192.0.2.1'],
      'zoo.example AAAA': ['2001:db8::7'],
      [`${TARGET} A`]: ['192.0.2.1'],
    },
  });
  const { after } = await rechecked(await world.stored(live({ domain: 'zoo.example', kind: 'apex' })));
  expect(after.message).toBe(
    "Some visitors of zoo.example, those sent to 2001:db8::7, don't arrive here. Delete the AAAA record at zoo.example that points elsewhere (2001:db8::7).",
  );
  expect(world.calls).toContain(`reach zoo.example aa:01 ${HOST} 192.0.2.1 2001:db8::7`);
});

test('a request that meets our certificate outranks what DNS shows of the traffic record', async () => {
  const text = { [`_petstore-challenge.${NAME} TXT`]: [CHALLENGE] };
  world.zone = { ...CHAINED, ...text };
  const { after } = await rechecked();
  expect(after).toMatchObject({
    reason: null,
    records: [{ purpose: 'traffic', state: 'ok', observed: ['cdn.example'], action: null }, {}, {}],
  });
  world.reached = { kind: 'reached', isProxied: true };
  const proxied = (await rechecked(after)).after;
  expect(proxied).toMatchObject({ reason: null, message: expect.stringContaining('live behind a proxy') });
  Object.assign(world, { zone: RIGHT_RECORDS, reached: { kind: 'reached' } });
  expect((await rechecked(proxied)).after.message).toBe(after.message);
});

test('what a check has seen besides the gravest trouble is stored, and forgotten when it has passed', async () => {
  Object.assign(world, { zone: { ...POINTS_ELSEWHERE, ...CAA }, reached: UNREACHABLE });
  const { after } = await rechecked();
  expect(troublesOf(after).map(({ reason }) => reason)).toEqual(['traffic_record_mismatch', 'caa_blocked']);
  world.zone = POINTS_ELSEWHERE;
  expect((await rechecked(after)).after).not.toHaveProperty('caa.at');
});

test('a CAA record is forgotten once it is gone, and not while it can not be looked up', async () => {
  Object.assign(world, { zone: { ...RIGHT_RECORDS, ...CAA } });
  const blocked = (await rechecked()).after;
  const { reason, caa } = blocked;
  world.zone = { ...RIGHT_RECORDS, 'zoo.example CAA': 'SERVFAIL' };
  const unknown = (await rechecked(blocked)).after;
  expect([reason, unknown.reason, unknown.caa]).toEqual(['caa_blocked', reason, caa]);
  world.zone = RIGHT_RECORDS;
  expect((await rechecked(unknown)).after).toMatchObject({ reason: null });
});

test('a server that does not respond raises no alarm', async () => {
  world.zone = 'SERVFAIL';
  const { after, logged } = await rechecked();
  expect(logged).toEqual([]);
  expect(after).toMatchObject({
    reason: null,
    records: [{ state: 'unreachable' }, { state: 'unreachable' }],
  });
});

test.each([
  ['PENDING_VALIDATION', RIGHT_RECORDS, CHECK_RENEWAL],
  ['PENDING_VALIDATION', { 'www.zoo.example CNAME': [TARGET] }, CREATE_VALIDATION],
  ['FAILED', RIGHT_RECORDS, CHECK_RENEWAL],
])('a renewal that is %s needs action, and the message says which', async (renewal, zone, action) => {
  world.certificate = { ...world.certificate, renewal };
  world.zone = zone;
  const { after, logged } = await rechecked();
  const reason = 'renewal_action_required';
  expect(after).toMatchObject({ status: 'needs_attention', reason, message: `${NOT_RENEWED} ${action}` });
  expect(logged).toHaveLength(1);
});

test.each([
  ['EXPIRED', 'has expired'],
  ['REVOKED', 'was revoked'],
  ['INACTIVE', 'is INACTIVE'],
  [null, 'is gone'],
])('a certificate that is %s counts as lost, whatever the records', async (status, word) => {
  world.certificate = { ...world.certificate, status };
  world.zone = {};
  const { after } = await rechecked();
  expect(after).toMatchObject({
    reason: 'certificate_lost',
    message: `The certificate of ${NAME} ${word}. Verify again to request a new one.`,
  });
});

describe('a check of a domain', () => {
  test('that is removed by then, or that somebody else is at work on, asks AWS nothing', async () => {
    const before = await world.stored(live());
    vi.spyOn(world.store, 'holding').mockResolvedValueOnce(undefined);
    expect((await rechecked(before)).after).toEqual(before);
    const removed = removing({ revision: before.revision + 1 });
    await world.save(removed);
    expect((await rechecked(before)).after).toEqual(removed);
    expect([await world.found(), world.calls]).toEqual([removed, []]);
  });

  test('that is changed meanwhile writes nothing', async () => {
    const before = await world.stored(live());
    const changed = nextRevision({ ...before, message: 'Theirs.' });
    const overtaken = rechecker({
      ...world.parts,
      async reach(...request) {
        await world.save(changed);
        return world.parts.reach(...request);
      },
    });
    await overtaken(before);
    expect(await world.found()).toEqual(changed);
  });
});

describe('the re-check of a live domain', () => {
  test.each<[what: string, reason: string, drift: Partial<FlowWorld>]>([
    ['whose domain name belongs to others', 'domain_name_foreign', { gateway: FOREIGN }],
    ['that is unmapped', 'mapping_changed', { mapped: new Map() }],
    ['that is mapped to another API', 'mapping_changed', { mapped: new Map([[NAME, 'theirs']]) }],
    ['whose platform record is gone', 'host_record_changed', { hostTarget: undefined }],
  ])('detects a domain %s, and changes nothing at AWS', async (_, reason, drift) => {
    const before = await world.stored(live());
    Object.assign(world, drift);
    const after = await recheck(before);
    expect(after).toMatchObject({ status: 'needs_attention', reason });
    expect(await world.found()).toEqual(after);
    expect(world.calls.filter(call => !call.startsWith('reach'))).toEqual([]);
  });

  test.each<[string, Partial<FlowWorld>]>([
    ['is gone from API Gateway', { gateway: undefined }],
    ['has the wrong certificate', { gateway: { ...GATEWAY, certificateArn: 'x' } }],
  ])('says that the domain name %s, and verifies the domain again', async (what, drift) => {
    const { projects } = world.parts;
    const project = (await projects.find('zoo')) as Project;
    await transact([projects.routingChange(project, withLive(project, NAME))]);
    const before = await world.stored(live());
    Object.assign(world, drift);
    expect((await rechecked(before)).logged).toMatchObject([{ message: NEEDS_ATTENTION }]);
    const after = await world.found();
    expect(after).toMatchObject({ status: 'verifying', attempt: before.attempt + 1, rounds: 0 });
    expect(after.history.at(-2)?.what).toContain(`${NAME} ${what}`);
    expect(after.lastEvent).toMatchObject({ type: 'needs attention' });
    expect(await projects.find('zoo')).toMatchObject({ liveDomains: [], primary: NAME });
  });

  test('compares the served certificate with its own and, once that is renewed, with the one before', async () => {
    const before = await recheck(await world.stored(live()));
    world.certificate = { ...world.certificate, renewal: 'SUCCESS', serial: 'aa:02' };
    const renewed = await recheck(before);
    await recheck(renewed);
    const both = `reach ${NAME} aa:02 aa:01 ${HOST}`;
    expect(world.calls).toEqual([`reach ${NAME} aa:01 ${HOST}`, both, both]);
  });
});

describe('the repair of a live domain', () => {
  const repaired = async () => world.parts.repair(await world.stored(live()));

  test('says that the API of its project is gone, to which it cannot be mapped', async () => {
    world.mapped.delete(NAME);
    world.onMapped = async () => {
      throw new ApiUnknown('Invalid API identifier specified');
    };
    expect(await repaired()).toMatchObject({
      reason: 'api_gone',
      message:
        "The API or stage of project zoo doesn't exist at API Gateway. Deploy it there again, or move the domain to another project.",
    });
  });

  test('maps it again, and restores the platform record', async () => {
    world.mapped.set(NAME, 'theirs');
    world.hostTarget = undefined;
    expect(await repaired()).toMatchObject({ status: 'live', reason: null });
    expect(world.calls.slice(0, 2)).toEqual([`map ${NAME} abcdefghij`, `point ${TARGET} ${HOST}`]);
  });

  test('restores nothing by a call that could outlast its lease', async () => {
    const before = await world.stored(live());
    world.hostTarget = undefined;
    const { routeOf } = world.parts.front;
    vi.spyOn(world.parts.front, 'routeOf').mockImplementationOnce(async claim => {
      world.nowMs += LEASE_MS;
      return routeOf(claim);
    });
    expect([await world.parts.repair(before), world.calls]).toEqual([before, []]);
  });

  test('creates managed records that are missing', async () => {
    const create = vi.spyOn(world.parts.managedRecords, 'create');
    world.zone = {};
    await repaired();
    expect(create).toHaveBeenCalledOnce();
  });

  test('changes nothing of a domain that is as it should be, or whose domain name belongs to others', async () => {
    expect(await repaired()).toMatchObject({ reason: null });
    world.gateway = FOREIGN;
    world.mapped.set(NAME, 'theirs');
    expect(await repaired()).toMatchObject({ reason: 'domain_name_foreign' });
    expect(world.calls).toEqual([`reach ${NAME} aa:01 ${HOST}`, `reach ${NAME} aa:01 ${HOST}`]);
  });
});
