import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { type DomainCounts, domainCounts } from '../../../../shared/domains/life/domain-counts.ts';
import { certified, claimed, HOUR, live, removing } from '../claimed-domain.ts';

const NOW = Date.parse('2026-07-01T12:00:00.000Z');
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString();
const inDays = (days: number) => ago(-24 * days);

const failed = (hours: number) =>
  claimed({ status: 'failed', history: [{ at: ago(hours), status: 'failed', what: 'No records.' }] });

describe('the counts of domains', () => {
  const expiring = (days: number, changes: Partial<Domain['certificate']> = {}) =>
    live({ certificate: certified({ expiresAt: inDays(days), ...changes }) });

  test.each<[count: keyof DomainCounts, expected: number, title: string, ...domains: Domain[]]>([
    ['domains', 2, 'all', claimed(), live()],
    ['live', 2, 'live ones', claimed(), live({ status: 'needs_attention' }), live()],
    [
      'needAttention',
      2,
      'a live and a ready one with a reason',
      live({ status: 'needs_attention', reason: 'traffic_record_missing' }),
      live(),
      claimed({ status: 'ready', reason: 'certificate_lost' }),
      claimed({ status: 'ready' }),
    ],
    ['needAttention', 1, 'a removal that stalled', claimed({ status: 'stalled', reason: 'internal_error' })],
    ['needAttention', 0, 'no pending one with a reason', claimed({ reason: 'traffic_record_missing' })],
    ['failedWithinADay', 2, 'failures of the last 24 hours', failed(23), failed(24), failed(25)],
    [
      'failedWithinADay',
      1,
      'a failure whose history was lost, by its start',
      claimed({ status: 'failed', history: [], verifyStartedAt: ago(1) }),
    ],
    ['failedWithinADay', 0, 'no change of another kind', live({ history: failed(1).history })],
    [
      'waitingLongerThanADay',
      2,
      'verifications that were started more than a day ago, and do not wait for their owner',
      claimed({ status: 'verifying', verifyStartedAt: ago(25) }),
      claimed({ status: 'issuing', verifyStartedAt: ago(25), verifiedAt: ago(1) }),
      claimed({ status: 'issuing', verifyStartedAt: ago(25), reason: 'ownership_record_missing' }),
      claimed({ status: 'verifying', verifyStartedAt: ago(24) }),
    ],
    [
      'waitingLongerThanADay',
      1,
      'removals that were started more than a day ago',
      claimed({ status: 'removing', removalStartedAt: ago(25) }),
      claimed({ status: 'removing', removalStartedAt: ago(1), verifyStartedAt: ago(100) }),
    ],
    ['waitingLongerThanADay', 0, 'no claim that nobody verifies', claimed({ createdAt: ago(100) })],
    [
      'certificatesExpiringSoon',
      2,
      'live ones with less than 30 days left',
      ...[29, -1, 30].map(days => expiring(days)),
    ],
    [
      'certificatesExpiringSoon',
      1,
      'live ones of 47 days with less than seven left',
      ...[7, 8].map(days => expiring(days, { validFrom: inDays(days - 47) })),
    ],
    [
      'certificatesExpiringSoon',
      0,
      'none of a domain that is not live',
      removing({ certificate: expiring(1).certificate }),
    ],
    [
      'certificatesExpiringSoon',
      0,
      'none whose expiry is not known',
      live(),
      expiring(1, { expiresAt: null }),
    ],
  ])('%s is %i: %s', (count, expected, _, ...domains) => {
    expect(domainCounts(domains, NOW)[count]).toBe(expected);
  });
});
