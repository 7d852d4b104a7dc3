import { describe, expect, test } from 'vitest';
import { FrontFull } from '../../../shared/domains/front.ts';
import type { Domain } from '../../../shared/domains/life/domain.ts';
import { attachmentRefused } from '../../../shared/domains/pass/troubles.ts';
import { type DomainReport, removalNotes, report } from '../../../shared/domains/report.ts';
import { NO_ROUTING, type Routing } from '../../../shared/projects/routing.ts';
import {
  AT,
  AT_MS,
  CHALLENGE,
  certified,
  claimed,
  clockAt,
  HOST,
  live,
  TARGET,
  TRAFFIC,
  VALIDATION,
} from './claimed-domain.ts';

const reported = (changes: Partial<Domain> = {}, routing: Routing = NO_ROUTING) =>
  report(claimed(changes), routing, clockAt(AT_MS));

const CREATE = `Create a CNAME record at www.zoo.example with the value ${TARGET}.`;
const checkedRecord = (state: 'ok' | 'mismatch' | 'spreading', action: string | null) => ({
  ...TRAFFIC,
  state,
  observed: [state === 'ok' ? TARGET : 'seen.example'],
  advice: [],
  action,
});

describe('the records of a report', () => {
  test('are missing and not checked for a new claim', () => {
    expect(reported({ certificate: certified() }).records).toMatchObject([
      { ...TRAFFIC, state: 'missing', isChecked: false, observed: [], action: CREATE },
      { purpose: 'certificate', ...VALIDATION, state: 'missing', isChecked: false },
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
    expect(reported({ records: [checked] }).records).toEqual([
      { ...checked, title: 'Traffic', todo: { kind: 'correct' }, isChecked: true },
    ]);
    expect(reported({ records: [{ ...checked, value: 'before.example' }] }).records).toMatchObject([
      { value: TARGET, state: 'missing', isChecked: false, observed: [] },
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

describe('what is to be done about a record', () => {
  type State = Domain['records'][number]['state'];
  const seen = (state: State) => ({
    ...TRAFFIC,
    state,
    observed: [],
    advice: [],
    action: state === 'ok' || state === 'spreading' ? null : 'Do this.',
  });
  const todoOf = (state: State, changes: Partial<Domain>) => {
    const { domain = TRAFFIC.name, kind } = changes;
    const type = kind === 'apex' ? ('ALIAS' as const) : ('CNAME' as const);
    const records = [{ ...seen(state), type, name: domain, label: kind === 'apex' ? '@' : 'www' }];
    return reported({ records, ...changes }).records.find(({ purpose }) => purpose === 'traffic')?.todo?.kind;
  };
  const later = { switchLater: true } as const;
  const ready = { status: 'ready' } as const;
  const inTrouble = { ...ready, reason: 'domain_name_foreign' } as const;
  const partly = { ...ready, ...later, reason: 'traffic_record_mismatch' } as const;
  const apex = { domain: 'zoo.example', kind: 'apex', status: 'verifying' } as const;
  const stuck = { ...apex, nameServers: ['ns1.domaincontrol.com'] };
  const atRoute53 = { ...apex, nameServers: ['ns-1.awsdns-00.com'] };

  test.each<[string, State, Partial<Domain>, string | undefined]>([
    ['create one that is missing', 'missing', {}, 'create'],
    ['correct one with another value', 'mismatch', { status: 'verifying' }, 'correct'],
    [
      'correct what is in the way, also of a live domain',
      'conflict',
      { status: 'needs_attention' },
      'correct',
    ],
    ['ask, while the name servers do not answer', 'unreachable', { status: 'failed' }, 'ask'],
    ['nothing while it spreads', 'spreading', { status: 'verifying' }, undefined],
    ['nothing if it is right', 'ok', { status: 'verifying' }, undefined],
    ['nothing if the domain is being removed', 'missing', { status: 'removing' }, undefined],
    ['keep it until the domain is ready', 'mismatch', { ...later, status: 'issuing' }, 'keep'],
    ['keep it after a failure', 'mismatch', { ...later, status: 'failed' }, 'keep'],
    ['switch it once the domain is ready', 'mismatch', { ...later, ...ready }, 'switch'],
    ['switch it also if that was not asked for', 'mismatch', ready, 'switch'],
    ['keep it while something else is wrong', 'mismatch', inTrouble, 'keep'],
    ['correct it where some visitors arrive already', 'mismatch', partly, 'correct'],
    ['forward an apex that cannot point here', 'mismatch', stuck, 'forward'],
    ['an alias at Route 53 follows once its value is known', 'missing', atRoute53, 'later'],
  ])('%s', (_, state, changes, todo) => {
    expect(todoOf(state, changes)).toBe(todo);
  });

  test('no other record helps while the apex cannot point here', () => {
    const { records } = reported({ ...stuck, certificate: certified() });
    expect(records.map(({ todo }) => todo?.kind)).toEqual(['forward', undefined, undefined]);
    const prepared = reported({ ...stuck, ...later, certificate: certified() });
    expect(prepared.records.map(({ todo }) => todo?.kind)).toEqual(['create', 'create', 'keep']);
  });
});

describe('the next steps of a report', () => {
  const FRESH_WINDOW = 'If a browser still shows a privacy warning, retry in a fresh window.';
  const PRIVACY_WARNING =
    "Until it's live, browsers show a privacy warning. If one remains afterwards, retry in a fresh window.";
  const missing = { status: 'verifying', reason: 'traffic_record_missing' } as const;
  const mismatch = { status: 'verifying', reason: 'traffic_record_mismatch' } as const;
  const records = [checkedRecord('mismatch', 'Change it.')];
  const TEXT = {
    ...checkedRecord('ok', null),
    purpose: 'ownership' as const,
    type: 'TXT' as const,
    name: '_petstore-challenge.www.zoo.example',
    label: '_petstore-challenge.www',
    value: CHALLENGE,
  };
  const CREATE_VALIDATION = `Create a CNAME record at ${VALIDATION.name} with the value ${VALIDATION.value}.`;

  test.each<[string, Partial<Domain>, string[]]>([
    ['pending_dns: create the records, then verify', {}, [CREATE, 'Then verify www.zoo.example.']],
    [
      'pending_dns: register the domain first that has no name servers',
      { nameServers: [] },
      [
        "zoo.example isn't registered, or its registrar lists no name servers for it. Register it, or enter the name servers of your DNS provider at the registrar. If you've just done that, wait a few minutes.",
        CREATE,
        'Then verify www.zoo.example.',
      ],
    ],
    [
      'verifying: say once what is wrong with the name servers',
      {
        ...mismatch,
        message: 'Register it.',
        records: [
          checkedRecord('mismatch', 'Register it.'),
          { ...checkedRecord('mismatch', 'Register it.'), ...VALIDATION, purpose: 'certificate' },
        ],
        certificate: certified(),
      },
      ['Register it.'],
    ],
    ['verifying: create the missing records, each named once', { ...missing, message: CREATE }, [CREATE]],
    ['verifying: create them, and do not wait', { ...missing, message: `Not yet. ${CREATE}` }, [CREATE]],
    [
      'verifying: change and create several records, of which the message is about one',
      { ...mismatch, message: 'Not yet. Change it.', records, certificate: certified() },
      ['Change it.', CREATE_VALIDATION],
    ],
    [
      'verifying: follow the message first that is about no record',
      { status: 'verifying', reason: 'takeover_pending', message: 'Keep it.', records },
      ['Keep it.', 'Change it.'],
    ],
    [
      'verifying with all records ok: wait',
      { status: 'verifying', records: [checkedRecord('ok', 'Nothing.')] },
      ["Wait. You don't need to do anything."],
    ],
    [
      'verifying with a record that needs no action: wait',
      { status: 'verifying', records: [checkedRecord('spreading', null)] },
      ["Wait. You don't need to do anything."],
    ],
    [
      'issuing: remove the trouble, then create the missing records',
      { status: 'issuing', reason: 'caa_blocked', message: 'Add a CAA record.' },
      ['Add a CAA record.', CREATE, PRIVACY_WARNING],
    ],
    [
      'failed: follow the message, then what else is wrong',
      { status: 'failed', reason: 'certificate_failed', message: 'Re-verify.', records },
      ['Re-verify.', 'Change it.'],
    ],
    [
      'switched later: create the other records, leave the traffic record, verify',
      { switchLater: true, certificate: certified() },
      [
        `Create a TXT record at _petstore-challenge.www.zoo.example with the value ${CHALLENGE}.`,
        CREATE_VALIDATION,
        'Then verify www.zoo.example.',
        'Leave the current record of www.zoo.example as it is: you switch it once the domain is ready.',
      ],
    ],
    [
      'switched later, verifying: nothing is to be done about the traffic record',
      { status: 'issuing', switchLater: true, records: [checkedRecord('mismatch', 'Change it.'), TEXT] },
      ["Wait. You don't need to do anything."],
    ],
    [
      'ready: switch the traffic record',
      { status: 'ready', switchLater: true, records: [checkedRecord('mismatch', 'Change it.'), TEXT] },
      ['Change it.', 'The domain then goes live within minutes. Keep the other records.'],
    ],
    ['removing: nothing', { status: 'removing', message: 'No longer served.' }, []],
    ['live: expect a cached certificate in browsers', { status: 'live' }, [FRESH_WINDOW]],
  ])('%s', (_, changes, next) => {
    expect(reported(changes).next).toEqual(next);
  });

  test.each([
    ['failed', 'certificate_failed'],
    ['stalled', 'certificate_in_use'],
    ['needs_attention', 'traffic_record_missing'],
  ] as const)('%s: follow the message', (status, reason) => {
    expect(reported({ status, reason, message: 'Do this.' }).next).toEqual(['Do this.']);
  });

  describe('for an apex whose DNS provider has no ALIAS records', () => {
    const nameServers = ['ns1.domaincontrol.com', 'ns2.domaincontrol.com'];
    const kind = 'apex' as const;
    const stuck = { domain: 'zoo.example', kind, nameServers, certificate: certified() };

    test('are two ways, and no record that cannot be created or would be of no use', () => {
      expect(reported(stuck)).toMatchObject({
        message: "GoDaddy has no ALIAS records, so zoo.example itself can't point here.",
        detour: { provider: 'GoDaddy', www: 'www.zoo.example', isAdded: false },
        next: [
          'With www: add www.zoo.example here, and at GoDaddy forward zoo.example to https://www.zoo.example. Then remove zoo.example here.',
          'Without www: move the DNS of zoo.example to a provider that has ALIAS records, create the records there, then verify zoo.example.',
        ],
      });
      // A verification has not looked yet.
      expect(reported({ ...stuck, status: 'verifying' }).next).toEqual(reported(stuck).next);
    });

    test('are one way once its www is added, which is verified alone', () => {
      const redirects = [{ from: 'zoo.example', to: 'www.zoo.example', status: 308 as const }];
      const pair = { ...NO_ROUTING, redirects };
      expect(reported(stuck, pair).next).toEqual([
        'At GoDaddy, forward zoo.example to https://www.zoo.example. Then remove zoo.example here.',
      ]);
      expect(reported({ nameServers }, pair).next).toEqual([CREATE, 'Then verify www.zoo.example.']);
    });

    test('are the one trouble of a verification', () => {
      const ALIAS = { ...checkedRecord('mismatch', 'Use www.'), type: 'ALIAS' as const, name: 'zoo.example' };
      const verifying = {
        ...stuck,
        ...mismatch,
        message: 'Use www.',
        records: [ALIAS, { ...TEXT, state: 'missing' as const, action: 'Create it.' }],
      };
      expect(reported(verifying)).toMatchObject({ next: ['Use www.'], troubles: [{ message: 'Use www.' }] });
    });

    test('are the usual ones if it points here by IP addresses', () => {
      const records = [{ ...checkedRecord('ok', null), type: 'ALIAS' as const, name: 'zoo.example' }];
      expect(reported({ ...stuck, records })).toMatchObject({
        detour: null,
        next: [expect.stringContaining('Create a TXT record'), CREATE_VALIDATION, 'Then verify zoo.example.'],
      });
    });
  });

  test.each([
    ['pending_dns', "Its certificate hasn't been requested yet. That happens"],
    ['verifying', "Its verification hasn't started yet. It starts"],
    ['removing', "Its removal hasn't started yet. It starts"],
  ] as const)('%s: what has not begun is named first once it is overdue', (status, delayed) => {
    const stepsAfter = (minutes: number, scale: number) =>
      report(claimed({ status }), NO_ROUTING, clockAt(AT_MS + minutes * 60_000, scale)).next;
    const overdue = `${delayed} automatically within 5 minutes.`;
    expect(stepsAfter(4, 1)[0]).toBe(overdue);
    expect(stepsAfter(3, 1)).not.toContain(overdue);
    expect(stepsAfter(3, 0.1)[0]).toBe(overdue);
  });

  const [WWW, APEX, SHOP] = ['www.zoo.example', 'zoo.example', 'shop.zoo.example'];
  const redirects = [{ from: WWW, to: APEX, status: 308 } as const];
  const PENDING_REDIRECT =
    "It redirects to zoo.example once that's live. Until then it serves the project itself.";
  const BESIDE =
    'It serves the project alongside the primary domain zoo.example. You can redirect it there instead.';
  const LOOK = "Browsers cache redirects. To see what's served now: curl -sI https://www.zoo.example";

  test.each<[string, Routing, Partial<DomainReport>]>([
    [
      'primary: it is the primary domain',
      { liveDomains: [WWW, APEX], primary: WWW, redirects: [] },
      { role: 'primary', primary: true, redirect: null, projectPrimary: WWW, next: [FRESH_WINDOW] },
    ],
    [
      'redirects: look at the headers, since browsers cache redirects',
      { liveDomains: [WWW, APEX], primary: APEX, redirects },
      { role: 'redirects', primary: false, redirect: { to: APEX, status: 308 }, next: [LOOK] },
    ],
    [
      'also_serves: beside the primary domain, which it could redirect to',
      { liveDomains: [APEX, WWW], primary: APEX, redirects: [] },
      { role: 'also_serves', projectPrimary: APEX, next: [BESIDE, FRESH_WINDOW] },
    ],
    [
      'also_serves: while the target of its redirect is not live, which is named instead of the primary',
      { liveDomains: [WWW, SHOP], primary: SHOP, redirects },
      { role: 'also_serves', redirect: { to: APEX, status: 308 }, next: [PENDING_REDIRECT, FRESH_WINDOW] },
    ],
    [
      'also_serves: alone, while the primary domain is not live',
      { liveDomains: [WWW], primary: APEX, redirects: [] },
      { role: 'also_serves', projectPrimary: null, next: [FRESH_WINDOW] },
    ],
  ])('live, %s', (_, routing, expected) => {
    expect(report(live(), routing, clockAt(AT_MS))).toMatchObject(expected);
  });

  test.each<[string, string, Routing, Partial<Domain>]>([
    [
      'an apex and its www are verified together',
      `Then verify ${WWW} and ${APEX}.`,
      { ...NO_ROUTING, redirects },
      {},
    ],
    ['the other one is live', `Then verify ${WWW}.`, { liveDomains: [APEX], primary: APEX, redirects }, {}],
    [
      'a redirect to another domain',
      `Then verify ${SHOP}.`,
      { ...NO_ROUTING, redirects: [{ from: SHOP, to: APEX, status: 301 }] },
      { domain: SHOP },
    ],
  ])('pending_dns with a pending redirect: %s', (_, step, routing, changes) => {
    expect(reported(changes, routing).next.at(-1)).toBe(step);
    expect(reported(changes, routing).redirect).toMatchObject({ to: APEX, isPending: true });
  });

  test('a redirect to a domain whose visitors get elsewhere is suspended, at once and besides other troubles', () => {
    const routing = { liveDomains: [WWW, APEX], primary: APEX, redirects, awayDomains: [APEX] };
    const message = `Visitors of ${APEX} don't arrive here at the moment, so ${WWW} serves project zoo instead of redirecting to it. Check what ${APEX} needs.`;
    const redirect = { to: APEX, status: 308, isSuspended: true };
    const suspension = { reason: 'redirect_suspended', message, todo: { kind: 'message', by: 'owner' } };
    const shown = (changes: Partial<Domain>) => report(live(changes), routing, clockAt(AT_MS));
    expect(shown({})).toMatchObject({
      role: 'also_serves',
      redirect,
      troubles: [suspension],
      next: [message, FRESH_WINDOW],
    });
    expect(shown({}).redirect).not.toHaveProperty('isPending');
    const attention = { status: 'needs_attention', message } as const;
    expect(shown({ ...attention, reason: 'redirect_suspended' }).troubles).toMatchObject([suspension]);
    expect(shown({ ...attention, reason: 'caa_blocked' }).troubles).toMatchObject([
      { reason: 'caa_blocked' },
      suspension,
    ]);
  });

  test('a domain that is not live has no role, and keeps its roles', () => {
    const routing = { liveDomains: [], primary: WWW, redirects: [] };
    expect(reported({ status: 'verifying' }, routing)).toMatchObject({ primary: true, role: null });
  });
});

describe('the troubles of a report', () => {
  const wrong = (purpose: 'traffic' | 'ownership' | 'certificate', changes = {}) => ({
    ...checkedRecord('mismatch', `Mend the ${purpose}.`),
    purpose,
    ...changes,
  });
  const reasonsAndMessages = (changes: Partial<Domain>) =>
    reported(changes).troubles.map(({ reason, message }) => `${reason}: ${message}`);
  const apex = { status: 'needs_attention', kind: 'apex' } as const;

  test.each<[string, Partial<Domain>, string[]]>([
    ['none of a domain that has no reason', { records: [wrong('traffic')] }, []],
    [
      'first the reason, then the other records of a claim by rank, none twice',
      {
        status: 'issuing',
        reason: 'ownership_record_mismatch',
        message: 'Not yet. Mend the ownership.',
        records: [wrong('ownership'), wrong('certificate'), wrong('traffic')],
      },
      [
        'ownership_record_mismatch: Not yet. Mend the ownership.',
        'traffic_record_mismatch: Mend the traffic.',
        'certificate_record_mismatch: Mend the certificate.',
      ],
    ],
    [
      'not a record that the domain can do without, or that is switched later',
      {
        status: 'issuing',
        reason: 'certificate_delayed',
        message: 'Wait.',
        switchLater: true,
        records: [wrong('traffic'), wrong('ownership', { isOptional: true })],
      },
      ['certificate_delayed: Wait.'],
    ],
    [
      'a fault of the name servers once',
      {
        status: 'verifying',
        reason: 'domain_taken',
        message: 'Taken.',
        records: [
          wrong('traffic', { action: 'Register it.' }),
          wrong('certificate', { action: 'Register it.' }),
        ],
      },
      ['domain_taken: Taken.', 'traffic_record_mismatch: Register it.'],
    ],
    [
      'of a live apex its certificate before its proof, which does not say that it points elsewhere',
      {
        ...apex,
        reason: 'certificate_record_mismatch',
        message: "The certificate of www.zoo.example can't be renewed. Mend the certificate.",
        records: [checkedRecord('ok', null), wrong('ownership'), wrong('certificate')],
      },
      [
        "certificate_record_mismatch: The certificate of www.zoo.example can't be renewed. Mend the certificate.",
        "ownership_record_mismatch: www.zoo.example works, but nothing in DNS proves that it's yours. Mend the ownership.",
      ],
    ],
    [
      'of an apex that lost all its records not that it works',
      {
        ...apex,
        reason: 'traffic_record_mismatch',
        message: 'Gone.',
        records: [wrong('traffic'), wrong('ownership')],
      },
      [
        'traffic_record_mismatch: Gone.',
        'ownership_record_mismatch: Nothing in DNS proves that www.zoo.example is yours. Mend the ownership.',
      ],
    ],
    [
      'of a removal only why it cannot go on',
      { status: 'stalled', reason: 'certificate_in_use', message: 'In use.', records: [wrong('traffic')] },
      ['certificate_in_use: In use.'],
    ],
  ])('are %s', (_, changes, expected) => {
    expect(reasonsAndMessages(changes)).toEqual(expected);
  });

  test('have the CAA record that solves one of them', () => {
    const caa = { at: 'zoo.example', record: '0 issue "letsencrypt.org"', lacksAmazon: true };
    const blocked = { status: 'issuing', reason: 'caa_blocked', message: 'Blocked.', caa } as const;
    const fix = { type: 'CAA', name: 'zoo.example', label: '@', value: '0 issue "amazon.com"' };
    expect(reported(blocked).troubles).toMatchObject([{ reason: 'caa_blocked', message: 'Blocked.', fix }]);
    expect(reported({ ...blocked, caa: { ...caa, lacksAmazon: false } }).troubles).toMatchObject([
      { fix: null },
    ]);
    expect(reported({ ...blocked, reason: 'https_unreachable' }).troubles).toMatchObject([{ fix: null }]);
  });

  test.each<[string, Partial<Domain>, [title: string, todo: string | null][]]>([
    [
      'the records say what to do, and have one heading where several are missing',
      {
        reason: 'traffic_record_missing',
        records: [
          wrong('traffic', { state: 'missing' }),
          wrong('certificate', { ...VALIDATION, state: 'missing' }),
        ],
        certificate: certified(),
      },
      [
        ['Traffic and certificate records missing', 'records by owner'],
        ['Traffic and certificate records missing', 'records by owner'],
      ],
    ],
    [
      'the message says what to do',
      { reason: 'domain_taken' },
      [['In use by another project', 'message by owner']],
    ],
    ['operators have to act', { reason: 'api_gone' }, [["The project's API is gone", 'message by operator']]],
    [
      'it passes',
      { reason: 'traffic_record_unreachable', records: [wrong('traffic', { state: 'unreachable' })] },
      [["The name servers don't answer", null]],
    ],
    [
      'the service does it',
      { reason: 'domain_name_being_released' },
      [['Waiting for its former project', null]],
    ],
    [
      'the apex is forwarded instead',
      {
        domain: 'zoo.example',
        kind: 'apex',
        nameServers: ['ns1.domaincontrol.com'],
        reason: 'traffic_record_missing',
      },
      [["zoo.example can't point here", 'forward by owner']],
    ],
  ])('say whose turn it is: %s', (_, changes, expected) => {
    const { troubles } = reported({ status: 'verifying', message: 'Do this.', ...changes });
    expect(troubles.map(({ title, todo }) => [title, todo && `${todo.kind} by ${todo.by}`])).toEqual(
      expected,
    );
  });

  test('have the quota that one of them is about', () => {
    const full = attachmentRefused('zoo.example', new FrontFull());
    expect(reported({ status: 'failed', ...full }).troubles).toEqual([
      {
        ...full,
        title: 'The quota for custom domains is used up',
        fix: null,
        todo: { kind: 'message', by: 'operator' },
      },
    ]);
    expect(full.quota).toBe('L-A93447B8');
  });
});

test('the traffic record of an apex at Route 53 leads to the domain name, once API Gateway has that', () => {
  const traffic = (changes: Partial<Domain> = {}) =>
    reported({ domain: 'zoo.example', kind: 'apex', nameServers: ['ns-1.awsdns-00.com'], ...changes })
      .records[0];
  const gateway = { host: HOST, hostedZoneId: 'Z1' };
  expect(traffic()).toMatchObject({ type: 'ALIAS', value: TARGET, isLater: true });
  expect(traffic({ gateway })).toMatchObject({ type: 'ALIAS', value: HOST });
  expect(traffic({ gateway })).not.toHaveProperty('isLater');
  expect(traffic({ gateway, nameServers: ['a.example'] })).toMatchObject({ value: TARGET });
});

test('the deadline of a claim counts from its start, and from a verification, as long as it is not proven', () => {
  const claim = '2026-03-02T12:00:00.000Z';
  const none = { verification: null, switch: null, claim: null, takeover: null };
  expect(reported().deadlines).toEqual({ ...none, claim });
  expect(reported({ status: 'verifying' }).deadlines).toEqual({ ...none, claim, verification: claim });
  expect(reported({ status: 'issuing' }).deadlines).toEqual({ ...none, verification: claim });
  const verifying = claimed({ status: 'verifying' });
  const scaled = '2026-02-15T12:00:00.000Z';
  expect(report(verifying, NO_ROUTING, clockAt(AT_MS, 0.5)).deadlines).toMatchObject({
    claim: scaled,
    verification: scaled,
  });
});

test('says when a takeover is over, to the project that loses the domain and to the one that gets it', () => {
  const until = '2026-02-01T12:00:00.000Z';
  expect(reported({ takeover: until }).deadlines.takeover).toBe(until);
  expect(reported({ contest: { since: AT } }).deadlines.takeover).toBe('2026-01-31T18:00:00.000Z');
});

test('the milestones say how far the latest verification came, and when', () => {
  const later = { verifiedAt: null, issuedAt: null, attachedAt: null, readyAt: null, liveAt: null };
  expect(reported().milestones).toEqual({ addedAt: AT, ...later });
  const reached = { verifiedAt: '1', issuedAt: '2', attachedAt: '3', readyAt: '4', liveAt: '5' };
  expect(reported(reached).milestones).toEqual({ addedAt: AT, ...reached });
});

describe('the notes of a report', () => {
  const CLAIM_ENDS = 'Reserved for you until 2 Mar 2026, 12:00 UTC. Verify before then.';
  const platform = { domain: 'www.zoo.vercel.app', registrable: 'zoo.vercel.app' };
  const PLATFORM =
    'vercel.app belongs to a platform: you can create records for www.zoo.vercel.app only if that platform lets you.';
  const apex = { domain: 'zoo.example', kind: 'apex', status: 'issuing' } as const;

  test.each<[what: string, changes: Partial<Domain>, notes: string[]]>([
    ['a claim, which ends', {}, [CLAIM_ENDS]],
    ['a verification that failed', { status: 'failed' }, [CLAIM_ENDS]],
    ['a claim that was proven before', { provenAt: AT }, []],
    ['a verification', { status: 'verifying' }, []],
    [
      'a verification that is late',
      { status: 'verifying', lateAt: AT },
      [
        'It has been waiting for over 48 hours. We check hourly until 2 Mar 2026, 12:00 UTC; verify to check now.',
      ],
    ],
    ['a live domain', { status: 'live' }, []],
    ['a removal', { status: 'removing' }, []],
    ['a name below the domain of a platform', { ...platform, status: 'verifying' }, [PLATFORM]],
    ['a live name there', { ...platform, status: 'live' }, []],
    ['a removed name there', { ...platform, status: 'removing' }, []],
    [
      'an apex without a host at API Gateway',
      apex,
      [
        "Not every DNS provider has ALIAS or ANAME records. If yours doesn't, add www.zoo.example instead, with a CNAME record, and have your provider forward zoo.example to it.",
      ],
    ],
    ['an apex of a known provider', { ...apex, nameServers: ['amy.ns.cloudflare.com'] }, []],
    ['an apex with a host', { ...apex, gateway: live().gateway }, []],
  ])('of %s', (_, changes, notes) => {
    expect(reported(changes).notes).toEqual(notes);
  });

  const pasted = {
    ...apex,
    nameServers: ['ns1.domaincontrol.com'],
    records: [{ ...checkedRecord('ok', null), type: 'ALIAS' as const }],
  };
  const CHANGING =
    'zoo.example points here by IP addresses, because GoDaddy has no ALIAS records. The addresses change without notice, and visitors then no longer arrive. To be safe, forward zoo.example to https://www.zoo.example at GoDaddy instead.';
  test.each<[string, Partial<Domain>, string[]]>([
    ['an apex whose provider has no ALIAS', { records: [] }, []],
    ['one that has our addresses', { status: 'verifying' }, [CHANGING]],
    ['one that is live by them', { status: 'live' }, [CHANGING]],
  ])('of %s', (_, changes, notes) => {
    expect(reported({ ...pasted, ...changes }).notes).toEqual(notes);
  });

  test('of an apex that was added with its www', () => {
    const redirects = [{ from: 'www.zoo.example', to: 'zoo.example', status: 301 as const }];
    expect(reported(apex, { ...NO_ROUTING, redirects }).notes).toEqual([
      "Not every DNS provider has ALIAS or ANAME records. If yours doesn't, remove zoo.example here and have your provider forward it to www.zoo.example.",
    ]);
  });
});

test('a report has an international name in both forms', () => {
  expect(reported({ domain: 'xn--bcher-kva.example' })).toMatchObject({
    domain: 'xn--bcher-kva.example',
    unicode: 'bücher.example',
  });
});

test('a report has the name servers and the provider that the last check has seen', () => {
  const nameServers = ['amy.ns.cloudflare.com'];
  expect(reported({ nameServers })).toMatchObject({ nameServers, provider: { name: 'Cloudflare' } });
  expect(reported()).toMatchObject({ nameServers: null, provider: null });
});

test('a report says when a domain was looked at last, in full or by requests', () => {
  const checkedAt = new Date(AT_MS + 60_000).toISOString();
  const lookedAt = new Date(AT_MS + 120_000).toISOString();
  expect(reported()).toMatchObject({ checkedAt: null, lookedAt: null });
  expect(reported({ checkedAt, lookedAt: AT })).toMatchObject({ checkedAt, lookedAt: checkedAt });
  expect(reported({ checkedAt, lookedAt })).toMatchObject({ checkedAt, lookedAt });
});

test('a report has no internal field such as attempt, slot or AWS host', () => {
  const told = report(live(), NO_ROUTING, clockAt(AT_MS));
  const fields = Object.keys(live()).filter(field => field in told);
  expect(fields.join(' ')).toBe(
    'domain project kind status reason message certificate records checkedAt nextCheckAt history',
  );
});

describe('the notes of a removal', () => {
  const [WWW, APEX, SHOP] = ['www.zoo.example', 'zoo.example', 'shop.zoo.example'];
  const DELETE_RECORDS =
    'Then delete the DNS records of www.zoo.example, unless something else uses the name.';

  const LINKS =
    'Links to https://www.zoo.example stop working. If you have shared any, redirect the domain to another one of the project instead of removing it.';

  test('say which links stop working, and name the redirects from and to it that end with the domain', () => {
    const notes = (liveDomains: string[], redirects: Routing['redirects'] = []) =>
      removalNotes(live(), { liveDomains, primary: null, redirects });
    expect(removalNotes(claimed(), NO_ROUTING)).toEqual([]);
    expect(notes([WWW])).toEqual([LINKS, DELETE_RECORDS]);
    expect(notes([WWW, APEX], [{ from: WWW, to: APEX, status: 308 }])).toEqual([
      'https://www.zoo.example no longer redirects to https://zoo.example: links to it stop working.',
      DELETE_RECORDS,
    ]);
    expect(notes([WWW, APEX, SHOP], [{ from: APEX, to: WWW, status: 308 }])).toEqual([
      LINKS,
      'https://zoo.example no longer redirects to https://www.zoo.example, and serves the project itself.',
      DELETE_RECORDS,
    ]);
  });
});
