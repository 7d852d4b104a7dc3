import { expect, test } from 'vitest';
import {
  DOMAIN_STATUSES,
  explicitStatus,
  isBeingRemoved,
  isInFlow,
  isServed,
  STATUSES,
} from '../../../../shared/domains/life/domain-status.ts';

const withStatus = (status: (typeof DOMAIN_STATUSES)[number]) => ({ status });

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

test('a live domain that needs attention is served, and a stalled removal is still one', () => {
  expect(
    DOMAIN_STATUSES.map(withStatus)
      .filter(isServed)
      .map(({ status }) => status),
  ).toEqual(['live', 'needs_attention']);
  expect(
    DOMAIN_STATUSES.map(withStatus)
      .filter(isBeingRemoved)
      .map(({ status }) => status),
  ).toEqual(['removing', 'stalled']);
});

test('an execution works on domains that are verified or removed, and not on a stalled removal', () => {
  expect(
    DOMAIN_STATUSES.map(withStatus)
      .filter(isInFlow)
      .map(({ status }) => status),
  ).toEqual(['verifying', 'issuing', 'removing']);
});
