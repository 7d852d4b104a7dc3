import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { NEEDS_ATTENTION } from '../../../../shared/domains/steps/recheck.ts';
import { HOST, live, NAME, removing, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type FlowWorld, FOREIGN, flowWorld, GATEWAY, RIGHT_RECORDS } from './flow-world.ts';

const WELL = `https://${NAME} is live. Keep the records: the certificate is renewed by them.`;

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

test('a domain that has no obstacle stays as it is, and its records are stored as they were seen', async () => {
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

test.each([
  [
    'no longer points here',
    { ...RIGHT_RECORDS, 'www.zoo.example CNAME': ['other.example'] },
    'traffic_record_mismatch',
    `${NAME} is served, but it no longer points here. Change the value of the CNAME record at ${NAME} from other.example to ${TARGET}.`,
  ],
  [
    'has lost its validation record',
    { 'www.zoo.example CNAME': [TARGET] },
    'certificate_record_missing',
    `${NAME} is served, but its certificate cannot be renewed. Create a CNAME record at ${VALIDATION.name} with the value ${VALIDATION.value}.`,
  ],
])('a domain that %s stays live, says so, and raises the alarm', async (_, zone, reason, message) => {
  world.zone = zone;
  const { after, logged } = await rechecked();
  expect(after).toMatchObject({ status: 'needs_attention', reason, message });
  expect(await world.found()).toEqual(after);
  expect(logged).toMatchObject([
    { level: 'WARN', message: NEEDS_ATTENTION, domain: NAME, project: 'zoo', reason },
  ]);
});

test('a server that does not answer raises no alarm', async () => {
  world.zone = 'SERVFAIL';
  const { after, logged } = await rechecked();
  expect(logged).toEqual([]);
  expect(after).toMatchObject({
    reason: null,
    records: [{ state: 'unreachable' }, { state: 'unreachable' }],
  });
});

test.each([
  ['PENDING_VALIDATION', RIGHT_RECORDS, 'Check its records and its CAA records.'],
  [
    'PENDING_VALIDATION',
    { 'www.zoo.example CNAME': [TARGET] },
    `Create a CNAME record at ${VALIDATION.name} with the value ${VALIDATION.value}.`,
  ],
  ['FAILED', RIGHT_RECORDS, 'Check its records and its CAA records.'],
])('a renewal that is %s needs action, and the message says which', async (renewal, zone, action) => {
  world.certificate = { ...world.certificate, renewal };
  world.zone = zone;
  const { after, logged } = await rechecked();
  expect(after).toMatchObject({
    status: 'needs_attention',
    reason: 'renewal_action_required',
    message: `The certificate of ${NAME} cannot be renewed. ${action}`,
  });
  expect(logged).toHaveLength(1);
});

test.each([
  ['EXPIRED', 'EXPIRED'],
  ['REVOKED', 'REVOKED'],
  [null, 'gone'],
])('a certificate that is %s counts as lost, whatever the records', async (status, word) => {
  world.certificate = { ...world.certificate, status };
  world.zone = {};
  const { after } = await rechecked();
  expect(after).toMatchObject({
    reason: 'certificate_lost',
    message: `The certificate of ${NAME} is ${word}. Verify again to request a new one.`,
  });
});

test('a domain that has no obstacle any more says so, and its history has the obstacle once', async () => {
  world.zone = {};
  const { after: first } = await rechecked();
  const { after: same } = await rechecked(first);
  expect(same.history).toEqual(first.history);
  world.zone = RIGHT_RECORDS;
  const { after, logged } = await rechecked(same);
  expect(logged).toEqual([]);
  expect(after).toMatchObject({ reason: null, message: WELL });
  expect(after.history.slice(-2).map(({ what }) => what)).toEqual([
    expect.stringContaining('no longer points here'),
    `live: ${WELL}`,
  ]);
});

test('a domain that was changed or removed in the meantime is not written', async () => {
  const before = await world.stored(live());
  const removed = removing({ revision: before.revision + 1 });
  await world.store.save(removed);
  await rechecked(before);
  expect(await world.found()).toEqual(removed);
  const changed = await world.stored(live({ revision: 5 }));
  await rechecked(before);
  expect(await world.found()).toEqual(changed);
});

const DRIFTS: [what: string, reason: string, drift: Partial<FlowWorld>][] = [
  ['whose domain name is gone', 'domain_name_gone', { gateway: undefined }],
  ['whose domain name belongs to others', 'domain_name_foreign', { gateway: FOREIGN }],
  [
    'whose domain name has another certificate',
    'domain_name_recertified',
    { gateway: { ...GATEWAY, certificateArn: 'other' } },
  ],
  ['that is unmapped', 'mapping_changed', { mapped: new Map() }],
  ['that is mapped to another API', 'mapping_changed', { mapped: new Map([[NAME, 'theirs']]) }],
  ['whose platform record is gone', 'host_record_changed', { hostTarget: undefined }],
  [
    'whose CAA records forbid the renewal',
    'caa_blocked',
    { zone: { ...RIGHT_RECORDS, 'zoo.example CAA': ['0 issue "letsencrypt.org"'] } },
  ],
  [
    'that an HTTPS request does not reach',
    'https_unreachable',
    { reached: { kind: 'unreachable', why: 'connect ETIMEDOUT.' } },
  ],
];

describe('the re-check of a live domain', () => {
  test.each(DRIFTS)('detects a domain %s, and changes nothing at AWS', async (_, reason, drift) => {
    const before = await world.stored(live());
    Object.assign(world, drift);
    const after = await recheck(before);
    expect(after).toMatchObject({ status: 'needs_attention', reason });
    expect(await world.found()).toEqual(after);
    expect(world.calls.filter(call => !call.startsWith('reach'))).toEqual([]);
  });

  test('compares the served certificate with its own, but for one that was renewed', async () => {
    await recheck(await world.stored(live()));
    world.certificate = { ...world.certificate, renewal: 'SUCCESS' };
    await recheck(await world.stored(live()));
    expect(world.calls).toEqual([`reach ${NAME} aa:01`, `reach ${NAME} null`]);
  });
});

describe('the repair of a live domain', () => {
  const repaired = async () => world.parts.repair(await world.stored(live()));

  test('maps it again', async () => {
    world.mapped.set(NAME, 'theirs');
    expect(await repaired()).toMatchObject({ status: 'live', reason: null });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test('restores the platform record, also beside the mapping', async () => {
    world.mapped.delete(NAME);
    world.hostTarget = undefined;
    expect(await repaired()).toMatchObject({ reason: null });
    expect(world.calls.slice(0, 2)).toEqual([`map ${NAME} abcdefghij`, `point ${TARGET} ${HOST}`]);
  });

  test('creates managed records that are missing', async () => {
    const create = vi.spyOn(world.parts.managedRecords, 'create');
    world.zone = {};
    await repaired();
    expect(create).toHaveBeenCalledOnce();
  });

  test('changes nothing of a domain name that belongs to others', async () => {
    world.gateway = FOREIGN;
    world.mapped.set(NAME, 'theirs');
    expect(await repaired()).toMatchObject({ reason: 'domain_name_foreign' });
    expect(world.calls).toEqual([]);
  });

  test('changes nothing of a domain that is as it should be', async () => {
    expect(await repaired()).toMatchObject({ reason: null });
    expect(world.calls).toEqual([`reach ${NAME} aa:01`]);
  });
});
