import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { START_INTERVAL_MS } from '../infra/cli/domains/several-domains.ts';
import { SAME_FAULTS } from '../infra/cli/domains/verify-domain.ts';
import { DEFAULT_CONCURRENCY_QUOTA, HIGHEST_SHARE } from '../infra/cli/environment/doctor/account-checks.ts';
import {
  KEY_SPREAD_MS,
  MOST_THROTTLED,
  REVOCATION_MS,
} from '../infra/cli/environment/smoke/smoke-command.ts';
import { DOMAIN_LIMITS } from '../infra/cost/prices.ts';
import { environmentNamed } from '../infra/stack/environments.ts';
import { generateKey } from '../shared/api-keys/api-key.ts';
import { SLOT_MS } from '../shared/domains/aws/gateway-slots.ts';
import { BUDGET_MS } from '../shared/domains/dns/vantage-points.ts';
import { RECONCILE_MINUTES } from '../shared/domains/life/reconciliation.ts';
import * as waits from '../shared/domains/life/waits.ts';
import { CHECK_PACE } from '../shared/domains/steps/scheduled-work.ts';

const GUIDE = 'shared/domains/guide.md';
const INTERNALS = 'shared/domains/README.md';
const COMMAND = 'infra/cli/README.md';

/** What documents promise in figures: their words, the figure, and the constant that keeps the promise. */
const PROMISES: readonly [document: string, words: string, figure: number, constant: number][] = [
  [GUIDE, 'checks the records for up to 48 hours', 48, waits.DNS_DEADLINE_HOURS],
  [GUIDE, 'ends after seven days', 7, waits.UNVERIFIED_CLAIM_DAYS],
  [GUIDE, 'a project has at most 20 of them', 20, waits.MAX_UNVERIFIED_CLAIMS],
  [GUIDE, 'the name is yours after six hours', 6, waits.TAKEOVER_HOURS],
  [GUIDE, 'within 30 days gets the same host', 30, waits.SAME_RECORDS_DAYS],
  [GUIDE, 'The domain was ready for 30 days', 30, waits.READY_DAYS],
  [GUIDE, 'again seven days before that ends', 7, waits.REMINDER_DAYS],
  [GUIDE, "It wasn't issued within 30 minutes", 30, waits.CERTIFICATE_EXPLANATION_MINUTES],
  [GUIDE, 'follows within five minutes', 5, RECONCILE_MINUTES],
  [INTERNALS, 'one change of a domain name per 30 seconds', 31_000, SLOT_MS],
  [INTERNALS, 'all look-ups of a check together take at most 10 seconds', 10_000, BUDGET_MS],
  [COMMAND, 'At most four are begun per second', 250, START_INTERVAL_MS],
  [COMMAND, 'three checks in a row find the same wrong records', 3, SAME_FAULTS],
  [COMMAND, 'fails when there are more than ten of them', 10, MOST_THROTTLED],
];

test.each(PROMISES)('%s: “%s”', (document, words, figure, constant) => {
  expect(readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ')).toContain(words);
  expect(constant).toBe(figure);
});

test('limits that no document states', () => {
  expect(waits.CERTIFICATE_DEADLINE_HOURS).toBe(72);
  expect(waits.ATTACHMENT_DEADLINE_HOURS).toBe(48);
  expect(waits.REMOVAL_DEADLINE_HOURS).toBe(168);
  expect(waits.MAX_CERTIFICATE_REQUESTS).toBe(8);
  expect(CHECK_PACE).toEqual({ concurrency: 32, everyMs: 250 });
  expect(DOMAIN_LIMITS).toMatchObject({
    slotSeconds: SLOT_MS / 1000,
    attachmentHours: waits.ATTACHMENT_DEADLINE_HOURS,
    checksAtATime: CHECK_PACE.concurrency,
    checksPerSecond: 1000 / CHECK_PACE.everyMs,
  });
  expect([KEY_SPREAD_MS, REVOCATION_MS, HIGHEST_SHARE]).toEqual([120_000, 60_000, 0.8]);
});

test('the command and the stack have the same default of concurrencyQuota', () => {
  expect(DEFAULT_CONCURRENCY_QUOTA).toBe(environmentNamed('staging').concurrencyQuota);
});

test('keys come from the system’s random numbers, not from Math.random', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  expect(generateKey('pet_test_')).not.toBe(generateKey('pet_test_'));
  expect(random).not.toHaveBeenCalled();
  random.mockRestore();
});
