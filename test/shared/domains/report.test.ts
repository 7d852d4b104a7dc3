import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../shared/domains/life/domain.ts';
import { claimNotes, nextSteps, removalNotes, report } from '../../../shared/domains/report.ts';
import { NO_ROUTING, type Routing } from '../../../shared/projects/routing.ts';
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
} from './claimed-domain.ts';

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

  test('is to redirect; the advice is to look at the headers, since browsers cache redirects', () => {
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

describe('nextSteps', () => {
  const MINUTE_MS = 60_000;
  const OPEN = { state: 'missing', action: 'Create it.' } as const;
  const FRESH_SESSION =
    'If a browser warns about the connection, it may remember an old certificate: try again in a few minutes in a fresh session.';
  const NOT_PRIVATE =
    'Until the domain is live, browsers warn that the connection is not private. Afterwards they may remember an old certificate: try again in a few minutes in a fresh session.';

  describe('what has not begun', () => {
    test.each([
      ['pending_dns', 'The request of its certificate'],
      ['verifying', 'Its verification'],
      ['removing', 'Its removal'],
    ] as const)('of a domain that is %s is named first once it is overdue', (status, subject) => {
      const domain = claimed({ status });
      const steps = (minutes: number, scale: number) =>
        nextSteps(domain, [], NO_ROUTING, clockAt(AT_MS + minutes * MINUTE_MS, scale));
      const overdue = `${subject} has not begun yet. It begins by itself within 5 minutes.`;
      expect(steps(4, 1)[0]).toBe(overdue);
      expect(steps(3, 1)).not.toContain(overdue);
      expect(steps(3, 0.1)[0]).toBe(overdue);
    });
  });

  describe('the steps about records', () => {
    const RECORDS = [
      OPEN,
      { state: 'ok', action: 'Nothing.' },
      { state: 'spreading', action: null },
    ] as const;
    const stepsOf = (changes: Partial<Domain>, records: Parameters<typeof nextSteps>[1] = RECORDS) =>
      nextSteps(
        claimed({ certificate: certified(), rounds: 1, ...changes }),
        records,
        NO_ROUTING,
        clockAt(AT_MS),
      );

    test('are those of the records that are not ok, and have an action', () => {
      expect(stepsOf({})).toEqual(['Create it.', 'Then verify www.zoo.example.']);
      expect(stepsOf({ status: 'verifying' })).toEqual(['Create it.']);
      expect(stepsOf({ status: 'issuing' })).toEqual(['Create it.', NOT_PRIVATE]);
    });

    test('come after the message, unless that ends with one of them', () => {
      const reason = 'traffic_record_missing';
      expect(stepsOf({ status: 'verifying', reason, message: 'Not yet. Create it.' })).toEqual([
        'Create it.',
      ]);
      expect(stepsOf({ status: 'verifying', reason, message: 'Wait.' })).toEqual(['Wait.', 'Create it.']);
      const two = [OPEN, { ...OPEN, action: 'Change that.' }];
      expect(stepsOf({ status: 'verifying', reason, message: 'Not yet. Create it.' }, two)).toEqual([
        'Create it.',
        'Change that.',
      ]);
    });
  });

  describe('the hints about a live domain', () => {
    const [WWW, APEX] = ['www.zoo.example', 'zoo.example'];
    const hints = (liveDomains: string[], primary: string | null, isRedirected = false) => {
      const redirects = isRedirected ? [{ from: WWW, to: APEX, status: 308 } as const] : [];
      return nextSteps(live(), [], { liveDomains, primary, redirects }, clockAt(AT_MS));
    };

    test('are about browsers alone where it is primary or there is no other', () => {
      expect(hints([WWW], null)).toEqual([FRESH_SESSION]);
      expect(hints([WWW, APEX], WWW)).toEqual([FRESH_SESSION]);
    });

    test('are where to look at a redirect', () => {
      expect(hints([WWW, APEX], APEX, true)).toEqual([
        'Browsers remember redirects. See what is really served with: curl -sI https://www.zoo.example',
      ]);
    });

    test('name the redirect that waits for its target, and not the primary domain', () => {
      expect(hints([WWW, 'shop.zoo.example'], 'shop.zoo.example', true)).toEqual([
        'It redirects to zoo.example again when that is live; until then it serves the project itself.',
        FRESH_SESSION,
      ]);
    });

    test('name the primary domain that it serves beside', () => {
      expect(hints([WWW, APEX], APEX)).toEqual([
        'It also serves the project, beside the primary domain zoo.example. It can redirect there instead.',
        FRESH_SESSION,
      ]);
    });
  });
});

describe('notes', () => {
  const CLAIM_ENDS = 'The claim ends by itself if it is not verified within 7 days.';

  describe('the notes of a claim', () => {
    test.each([
      ['pending_dns', null, [CLAIM_ENDS]],
      ['failed', null, [CLAIM_ENDS]],
      ['pending_dns', AT, []],
      ['verifying', null, []],
      ['issuing', null, []],
      ['live', null, []],
      ['removing', null, []],
    ] as const)('say of one that is %s, proven at %s: %j', (status, provenAt, notes) => {
      expect(claimNotes(claimed({ status, provenAt }))).toEqual(notes);
    });

    test('are none for a live or removed name below the domain of a platform', () => {
      const domain = 'www.zoo.vercel.app';
      expect(claimNotes(claimed({ domain, status: 'verifying' }))).toHaveLength(1);
      expect(claimNotes(live({ domain }))).toEqual([]);
      expect(claimNotes(claimed({ domain, status: 'removing' }))).toEqual([]);
    });

    test('say how an apex points here, until API Gateway has its host', () => {
      const apex = claimed({ domain: 'zoo.example', kind: 'apex', status: 'issuing' });
      expect(claimNotes(apex)).toEqual([
        'Not every DNS provider has ALIAS or ANAME records. If yours has neither, add www.zoo.example instead, with a CNAME record, and have your provider redirect zoo.example to it.',
        'In a Route 53 zone, create the TXT record and the CNAME record of the certificate now, and an alias record of type A at zoo.example later: its target is the domain name at API Gateway, which is shown here once the certificate is issued.',
      ]);
      expect(claimNotes({ ...apex, gateway: live().gateway })).toEqual([]);
    });
  });

  describe('the notes of a removal', () => {
    const [WWW, APEX, SHOP] = ['www.zoo.example', 'zoo.example', 'shop.zoo.example'];
    const DELETE_RECORDS =
      'Delete the DNS records of www.zoo.example, unless another project or environment uses the name: a record that points at nothing can be abused by others.';

    test('are none for a domain that is not live', () => {
      expect(removalNotes(claimed(), NO_ROUTING)).toEqual([]);
    });

    test('say that links stop working, and that a redirect would keep them', () => {
      expect(removalNotes(live(), { ...NO_ROUTING, liveDomains: [WWW] })).toEqual([
        'Links to https://www.zoo.example stop working. Where a URL was shared, redirect the domain to another one of the project instead of removing it.',
        DELETE_RECORDS,
      ]);
    });

    test('name the redirect that ends with the domain', () => {
      const redirects = [{ from: WWW, to: APEX, status: 308 } as const];
      expect(removalNotes(live(), { liveDomains: [WWW, APEX], primary: APEX, redirects })).toEqual([
        'https://www.zoo.example no longer redirects to https://zoo.example: links to it stop working.',
        DELETE_RECORDS,
      ]);
    });

    test('name the domains that redirected to it, and no others', () => {
      const redirects = [{ from: APEX, to: WWW, status: 308 } as const];
      expect(
        removalNotes(live(), { liveDomains: [WWW, APEX, SHOP], primary: WWW, redirects }).slice(1),
      ).toEqual([
        'https://zoo.example no longer redirects to https://www.zoo.example, and serves the project itself.',
        DELETE_RECORDS,
      ]);
    });
  });
});
