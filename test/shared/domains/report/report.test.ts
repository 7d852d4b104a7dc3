import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { report } from '../../../../shared/domains/report.ts';
import { NO_ROUTING, type Routing } from '../../../../shared/projects/routing.ts';
import {
  AT,
  AT_MS,
  CHALLENGE,
  certified,
  claimed,
  clockAt,
  live,
  TARGET,
  TRAFFIC,
  VALIDATION,
} from '../claimed-domain.ts';

const NO_ROLES = NO_ROUTING;
const reported = (changes: Partial<Domain> = {}, roles: Parameters<typeof report>[1] = NO_ROLES) =>
  report(claimed(changes), roles, clockAt(AT_MS));

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

  test.each([
    ['at another name', { name: 'shop.zoo.example' }],
    ['for another purpose', { purpose: 'certificate' as const }],
  ])('have no state of a record that was checked %s', (_, other) => {
    const records = [{ ...checkedRecord('ok', null), ...other }];
    expect(reported({ records }).records).toMatchObject([{ ...TRAFFIC, state: 'missing' }]);
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
      ['Add a CAA record.', CREATE, expect.stringContaining('not private')],
    ],
    [
      'failed: follow the message',
      { status: 'failed', reason: 'certificate_failed', message: 'Verify again.' },
      ['Verify again.'],
    ],
    ['removing: nothing', { status: 'removing', message: 'No longer served.' }, []],
    [
      'stalled: follow the message',
      { status: 'stalled', reason: 'certificate_in_use', message: 'Remove it again.' },
      ['Remove it again.'],
    ],
    [
      'live: expect a cached certificate in browsers',
      { status: 'live' },
      [expect.stringContaining('a fresh session')],
    ],
    [
      'needs_attention: follow the message',
      { status: 'needs_attention', reason: 'traffic_record_missing', message: 'It no longer points here.' },
      ['It no longer points here.'],
    ],
  ])('%s', (_, changes, next) => {
    expect(reported(changes).next).toEqual(next);
  });
});

test('the deadline of DNS counts from verify, that of the certificate from the verification', () => {
  expect(reported().deadlines).toMatchObject({ dns: null, certificate: null });
  expect(reported({ verifyStartedAt: AT, verifiedAt: AT }).deadlines).toMatchObject({
    dns: '2026-02-02T12:00:00.000Z',
    certificate: '2026-02-03T12:00:00.000Z',
  });
});

test('the milestones say how far the latest verification came, and when', () => {
  const later = { verifiedAt: null, issuedAt: null, attachedAt: null, liveAt: null };
  expect(reported().milestones).toEqual({ addedAt: AT, ...later });
  const reached = { verifiedAt: '1', issuedAt: '2', attachedAt: '3', liveAt: '4' };
  expect(reported(reached).milestones).toEqual({ addedAt: AT, ...reached });
  const { issuedAt, attachedAt, ...older } = claimed();
  expect(report(older, NO_ROLES, clockAt(AT_MS)).milestones).toEqual({ addedAt: AT, ...later });
});

test('the deadlines are multiplied by the scale of waits', () => {
  const domain = claimed({ verifyStartedAt: AT, verifiedAt: AT });
  expect(report(domain, NO_ROLES, clockAt(AT_MS, 0.5)).deadlines).toMatchObject({
    dns: '2026-02-01T12:00:00.000Z',
    certificate: '2026-02-02T00:00:00.000Z',
  });
});

describe('the role of a domain in its project', () => {
  const [WWW, APEX] = ['www.zoo.example', 'zoo.example'];
  const redirect = { from: WWW, to: APEX, status: 308 } as const;
  const roles = (routing: Routing, changes: Partial<Domain> = {}) => {
    const { next, ...fields } = report(live(changes), routing, clockAt(AT_MS));
    return { ...fields, next: next.join('\n') };
  };

  test('is primary', () => {
    expect(roles({ liveDomains: [WWW], primary: WWW, redirects: [] })).toMatchObject({
      primary: true,
      redirect: null,
      role: 'primary',
    });
  });

  test('is to redirect; a reader is told to look at the headers, since browsers remember redirects', () => {
    expect(roles({ liveDomains: [WWW, APEX], primary: APEX, redirects: [redirect] })).toMatchObject({
      primary: false,
      redirect: { to: APEX, status: 308 },
      role: 'redirects',
      next: expect.stringContaining('curl -sI https://www.zoo.example'),
    });
  });

  test('is to serve beside the primary domain, which it could redirect to', () => {
    expect(roles({ liveDomains: [APEX, WWW], primary: APEX, redirects: [] })).toMatchObject({
      role: 'also_serves',
      projectPrimary: APEX,
      next: expect.stringContaining('beside the primary domain zoo.example. It can redirect there instead.'),
    });
  });

  test('is to serve while the target of its redirect is not live', () => {
    expect(roles({ liveDomains: [WWW], primary: APEX, redirects: [redirect] })).toMatchObject({
      redirect: { to: APEX, status: 308 },
      role: 'also_serves',
      next: expect.stringContaining('It redirects to zoo.example again when that is live'),
    });
  });

  test('is none while the domain is not live, which keeps its roles', () => {
    const routing = { liveDomains: [], primary: WWW, redirects: [] };
    expect(roles(routing, { status: 'verifying' })).toMatchObject({ primary: true, role: null });
  });
});

describe('the notes of a report', () => {
  test('say what to do where a DNS provider has no ALIAS, and what to create in a Route 53 zone', () => {
    const notes = reported({ domain: 'zoo.com', kind: 'apex' }).notes.join('\n');
    expect(notes).toContain('Not every DNS provider has ALIAS or ANAME records.');
    expect(notes).toContain('add www.zoo.com instead, with a CNAME record');
    expect(notes).toContain('In a Route 53 zone');
  });

  test('say that the platform must allow a name below its domain', () => {
    const name = { domain: 'www.zoo.vercel.app', registrable: 'zoo.vercel.app' };
    expect(reported(name).notes[0]).toContain('is below vercel.app, the domain of a platform');
  });

  test('say that an unverified claim ends, whose time is among the deadlines', () => {
    expect(reported().notes).toEqual(['The claim ends by itself if it is not verified within 7 days.']);
    expect(reported().deadlines.claim).toBe('2026-02-07T12:00:00.000Z');
    expect(report(live(), NO_ROLES, clockAt(AT_MS))).toMatchObject({ notes: [], deadlines: { claim: null } });
  });
});

test('a report has an international name in both forms', () => {
  expect(reported({ domain: 'xn--bcher-kva.example' })).toMatchObject({
    domain: 'xn--bcher-kva.example',
    unicode: 'bücher.example',
  });
});

test('a report has no internal field such as attempt, slot or AWS host', () => {
  expect(Object.keys(report(live(), NO_ROLES, clockAt(AT_MS))).toSorted()).toEqual(
    [
      ...['project', 'projectPrimary', 'domain', 'unicode', 'kind', 'status', 'reason', 'message', 'records'],
      ...['certificate', 'primary', 'redirect', 'role', 'checkedAt', 'nextCheckAt', 'deadlines'],
      ...['milestones', 'next', 'notes', 'history'],
    ].toSorted(),
  );
});
