import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { NEEDS_ATTENTION } from '../../../../shared/domains/steps/recheck.ts';
import { live, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, RIGHT_RECORDS } from './flow-world.ts';

const NAME = 'www.zoo.example';
const WELL = `https://${NAME} is live. Keep the records: the certificate is renewed by them.`;

let world: FlowWorld;
let recheck: FlowWorld['parts']['recheck'];
beforeAll(async () => {
  world = await flowWorld();
  ({ recheck } = world.parts);
});
beforeEach(() => {
  world.reset();
  world.attach();
});

/** The domain after a check, and the lines that the check logs. */
async function rechecked(domain?: Domain) {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
  });
  const after = await recheck(domain ?? (await world.stored(live())));
  const logged = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  write.mockRestore();
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
  const removed = nextRevision({ ...before, status: 'removing', phase: 'removal', attempt: 3 });
  await world.store.save(removed);
  await rechecked(before);
  expect(await world.found()).toEqual(removed);
  const changed = await world.stored(live({ revision: 5 }));
  await rechecked(before);
  expect(await world.found()).toEqual(changed);
});
