import { describe, expect, test } from 'vitest';
import {
  DOMAIN_STATUSES,
  factsOf,
  STATUSES,
  statusOf,
} from '../../../../shared/domains/life/domain-status.ts';

describe('the status of a report', () => {
  test.each([
    ['live', null, 'live'],
    ['live', 'mapping_changed', 'needs_attention'],
    ['removing', null, 'removing'],
    ['removing', 'gateway_busy', 'stalled'],
    ['verifying', 'traffic_record_missing', 'verifying'],
  ] as const)('that says %s with the reason %s is %s', (status, reason, expected) => {
    expect(statusOf({ status, reason })).toBe(expected);
  });

  test.each(DOMAIN_STATUSES)('is told by its word and its reason: %s', status => {
    const { reported } = STATUSES[status];
    const found = [null, 'internal_error'].map(reason => statusOf({ status: reported, reason }));
    expect(found).toContain(status);
  });

  test('that this version does not know is refused', () => {
    const report = { status: 'parked' as 'live', reason: null };
    expect(() => factsOf(report)).toThrow('has the status "parked"');
  });
});
