import { expect, test } from 'vitest';
import {
  DOMAIN_STATUSES,
  type DomainStatus,
  explicitStatus,
  isBeingRemoved,
  isInFlow,
  isServed,
  STATUSES,
} from '../../../../shared/domains/life/domain-status.ts';

test('a status is that of the report, or two share one and the reason distinguishes them', () => {
  const REASONS: Record<string, string> = {
    needs_attention: 'mapping_changed',
    failed: 'caa_blocked',
    stalled: 'gateway_busy',
  };
  for (const status of DOMAIN_STATUSES) {
    const reason = REASONS[status] ?? null;
    expect(explicitStatus({ status: STATUSES[status].reported, reason })).toBe(status);
  }
  expect(explicitStatus({ status: 'verifying', reason: 'traffic_record_missing' })).toBe('verifying');
});

test('a live domain that needs attention is served, and a stalled removal, which no execution works on, is still one', () => {
  const statusesThat = (is: (domain: { status: DomainStatus }) => boolean) =>
    DOMAIN_STATUSES.filter(status => is({ status }));
  expect(statusesThat(isServed)).toEqual(['live', 'needs_attention']);
  expect(statusesThat(isBeingRemoved)).toEqual(['removing', 'stalled']);
  expect(statusesThat(isInFlow)).toEqual(['verifying', 'issuing', 'removing']);
});
