import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { nextSteps } from '../../../../shared/domains/report.ts';
import { NO_ROUTING } from '../../../../shared/projects/routing.ts';
import { AT_MS, certified, claimed, clockAt, live } from '../claimed-domain.ts';

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
  const RECORDS = [OPEN, { state: 'ok', action: 'Nothing.' }, { state: 'spreading', action: null }] as const;
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
    expect(stepsOf({ status: 'verifying', reason, message: 'Not yet. Create it.' })).toEqual(['Create it.']);
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
