import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { report } from '../../../../shared/domains/life/report.ts';
import { AT, AT_MS, CHALLENGE, certified, claimed, live, TARGET, VALIDATION } from '../claimed-domain.ts';

const NO_ROLES = { primary: null, redirects: [] };
const reported = (changes: Partial<Domain> = {}, roles: Parameters<typeof report>[1] = NO_ROLES) =>
  report(claimed(changes), roles, AT_MS);

const TRAFFIC = {
  purpose: 'traffic',
  type: 'CNAME',
  name: 'www.zoo.example',
  label: 'www',
  value: TARGET,
  ttl: 3600,
} as const;
const CREATE = `Create a CNAME record at www.zoo.example with the value ${TARGET}.`;
const checkedRecord = (state: 'ok' | 'mismatch', action: string | null) => ({
  ...TRAFFIC,
  state,
  observed: ['seen.example'],
  action,
});

describe('the records of a report', () => {
  test('are missing for a new claim', () => {
    expect(reported({ certificate: certified() }).records).toMatchObject([
      { ...TRAFFIC, state: 'missing', observed: [], action: CREATE },
      { purpose: 'certificate', ...VALIDATION, state: 'missing' },
    ]);
  });

  test('include a TXT record for an apex', () => {
    expect(reported({ domain: 'zoo.example', kind: 'apex' }).records).toMatchObject([
      { type: 'ALIAS', name: 'zoo.example', label: '@', value: TARGET, ttl: 3600 },
      {
        type: 'TXT',
        name: '_petstore-challenge.zoo.example',
        label: '_petstore-challenge',
        value: CHALLENGE,
        ttl: 3600,
      },
    ]);
  });

  test('have labels relative to the closest zone', () => {
    const inSubZone = { domain: 'shop.dev.zoo.example', zone: 'dev.zoo.example' };
    expect(reported(inSubZone).records).toMatchObject([{ type: 'CNAME', label: 'shop' }]);
    const apex = { ...inSubZone, domain: 'dev.zoo.example', kind: 'apex' as const };
    expect(reported(apex).records).toMatchObject([
      { type: 'ALIAS', label: '@' },
      { type: 'TXT', label: '_petstore-challenge' },
    ]);
  });

  test('have the state of the last check, unless another value is required since', () => {
    const checked = checkedRecord('mismatch', 'Change it.');
    expect(reported({ records: [checked] }).records).toEqual([checked]);
    expect(reported({ records: [{ ...checked, value: 'before.example' }] }).records).toMatchObject([
      { value: TARGET, state: 'missing', observed: [] },
    ]);
  });
});

describe('the next steps of a report', () => {
  const ALL_OK = [checkedRecord('ok', null)];

  test.each<[string, Partial<Domain>, string[]]>([
    ['pending_dns: create the records, then verify', {}, [CREATE, 'Then verify www.zoo.example.']],
    [
      'verifying: create the missing records, each named once',
      { status: 'verifying', reason: 'traffic_record_missing', message: CREATE },
      [CREATE],
    ],
    [
      'verifying with all records ok: wait',
      { status: 'verifying', records: ALL_OK },
      ['Wait. Nothing is needed from you.'],
    ],
    [
      'issuing: remove the obstacle, then create the missing records',
      { status: 'issuing', reason: 'caa_blocked', message: 'Add a CAA record.' },
      ['Add a CAA record.', CREATE],
    ],
    [
      'failed: follow the message',
      { status: 'failed', reason: 'certificate_failed', message: 'Verify again.' },
      ['Verify again.'],
    ],
    ['removing: nothing', { status: 'removing', message: 'No longer served.' }, []],
    [
      'removing with an obstacle: follow the message',
      { status: 'removing', reason: 'certificate_in_use', message: 'Remove it again.' },
      ['Remove it again.'],
    ],
    [
      'live: expect a cached certificate in browsers',
      { status: 'live' },
      [expect.stringContaining('a fresh session')],
    ],
    [
      'live with a drifted record: follow the message',
      { status: 'live', reason: 'traffic_record_missing', message: 'It no longer points here.' },
      ['It no longer points here.'],
    ],
  ])('%s', (_, changes, next) => {
    expect(reported(changes).next).toEqual(next);
  });
});

test('the deadline of DNS counts from verify, that of the certificate from the verification', () => {
  expect(reported().deadlines).toEqual({ dns: null, certificate: null });
  expect(reported({ verifyStartedAt: AT, verifiedAt: AT }).deadlines).toEqual({
    dns: '2026-02-02T12:00:00.000Z',
    certificate: '2026-02-03T12:00:00.000Z',
  });
});

test('a report has the role of the domain in its project', () => {
  const redirect = { from: 'www.zoo.example', to: 'zoo.example', status: 308 };
  expect(report(live(), { primary: 'www.zoo.example', redirects: [] }, AT_MS)).toMatchObject({
    primary: true,
    redirect: null,
  });
  expect(report(live(), { primary: 'zoo.example', redirects: [redirect] }, AT_MS)).toMatchObject({
    primary: false,
    redirect: { to: 'zoo.example', status: 308 },
  });
});

test('a report has no internal field such as attempt, slot or AWS host', () => {
  expect(Object.keys(report(live(), NO_ROLES, AT_MS)).toSorted()).toEqual(
    [
      ...['project', 'domain', 'kind', 'status', 'reason', 'message', 'records', 'certificate', 'primary'],
      ...['redirect', 'checkedAt', 'nextCheckAt', 'deadlines', 'next', 'history'],
    ].toSorted(),
  );
});
