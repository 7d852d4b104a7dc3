import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { report } from '../../../../shared/domains/life/report.ts';
import { AT, AT_MS, CHALLENGE, certified, claimed, live, TARGET, VALIDATION } from '../claimed-domain.ts';

const NO_ROLES = { primary: null, redirects: [] };
const reported = (news: Partial<Domain> = {}, roles: Parameters<typeof report>[1] = NO_ROLES) =>
  report(claimed(news), roles, AT_MS);

const TRAFFIC = {
  purpose: 'traffic',
  type: 'CNAME',
  name: 'www.zoo.example',
  value: TARGET,
  ttl: 3600,
} as const;
const CREATE = `Create a CNAME record at www.zoo.example with the value ${TARGET}.`;
const seen = (state: 'ok' | 'mismatch', action: string | null) => ({
  ...TRAFFIC,
  state,
  observed: ['seen.example'],
  action,
});

describe('the records', () => {
  test('of a claim are all to be created', () => {
    expect(reported({ certificate: certified() }).records).toMatchObject([
      { ...TRAFFIC, state: 'missing', observed: [], action: CREATE },
      { purpose: 'certificate', ...VALIDATION, state: 'missing' },
    ]);
  });

  test('of an apex have a text too', () => {
    expect(reported({ domain: 'zoo.example', kind: 'apex' }).records).toMatchObject([
      { type: 'ALIAS', name: 'zoo.example', value: TARGET },
      { type: 'TXT', name: '_petstore-challenge.zoo.example', value: CHALLENGE },
    ]);
  });

  test('are shown as they were seen, unless another value is wanted since', () => {
    const wrong = seen('mismatch', 'Change it.');
    expect(reported({ records: [wrong] }).records).toEqual([wrong]);
    expect(reported({ records: [{ ...wrong, value: 'before.example' }] }).records).toMatchObject([
      { value: TARGET, state: 'missing', observed: [] },
    ]);
  });
});

describe('what is next', () => {
  const RIGHT = [seen('ok', null)];

  test.each<[string, Partial<Domain>, string[]]>([
    ['a claim: its records, then verify', {}, [CREATE, 'Then verify www.zoo.example.']],
    [
      'verifying: the records that are open, once',
      { status: 'verifying', reason: 'traffic_record_missing', message: CREATE },
      [CREATE],
    ],
    [
      'verifying, all seen: nothing',
      { status: 'verifying', records: RIGHT },
      ['Wait. Nothing is needed from you.'],
    ],
    [
      'issuing: what is in the way, then the records that are open',
      { status: 'issuing', reason: 'caa_blocked', message: 'Add a CAA record.' },
      ['Add a CAA record.', CREATE],
    ],
    [
      'failed: why',
      { status: 'failed', reason: 'certificate_failed', message: 'Verify again.' },
      ['Verify again.'],
    ],
    ['removing: nothing', { status: 'removing', message: 'No longer served.' }, []],
    [
      'removing, unfinished: what to do',
      { status: 'removing', reason: 'certificate_in_use', message: 'Remove it again.' },
      ['Remove it again.'],
    ],
    ['live: what browsers may remember', { status: 'live' }, [expect.stringContaining('a fresh session')]],
    [
      'live, but drifting: what to do',
      { status: 'live', reason: 'traffic_record_missing', message: 'It no longer points here.' },
      ['It no longer points here.'],
    ],
  ])('%s', (_, news, next) => {
    expect(reported(news).next).toEqual(next);
  });
});

test('the deadlines run from verify and from the proof', () => {
  expect(reported().deadlines).toEqual({ dns: null, certificate: null });
  expect(reported({ verifyStartedAt: AT, verifiedAt: AT }).deadlines).toEqual({
    dns: '2026-02-02T12:00:00.000Z',
    certificate: '2026-02-03T12:00:00.000Z',
  });
});

test('what the project does with it is told', () => {
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

test('nothing of it is internal: neither attempts nor turns nor hosts of AWS', () => {
  expect(Object.keys(report(live(), NO_ROLES, AT_MS)).toSorted()).toEqual(
    [
      ...['project', 'domain', 'kind', 'status', 'reason', 'message', 'records', 'certificate', 'primary'],
      ...['redirect', 'checkedAt', 'nextCheckAt', 'deadlines', 'next', 'history'],
    ].toSorted(),
  );
});
