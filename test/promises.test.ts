import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, test, vi } from 'vitest';
import { DEFAULT_CONCURRENCY_QUOTA, HIGHEST_SHARE } from '../infra/cli/checks/account/account-checks.ts';
import { MOST_THROTTLED } from '../infra/cli/checks/http/http-checks.ts';
import { EXPIRY_MS } from '../infra/cli/checks/http/temporary-keys.ts';
import { KEY_SPREAD_MS, REVOCATION_MS } from '../infra/cli/checks/smoke-command.ts';
import { START_INTERVAL_MS } from '../infra/cli/domains/several-domains.ts';
import { SAME_TROUBLES } from '../infra/cli/domains/verify-domain.ts';
import { CLOSED_STATUS } from '../infra/cli/keys/try-new-key.ts';
import { DOMAIN_LIMITS } from '../infra/cost/prices.ts';
import { Access, IDLE_MS } from '../infra/dashboard/server/access.ts';
import { MOST_ENTRIES, MOST_ORDERS } from '../infra/dashboard/server/list-kinds.ts';
import { environmentNamed } from '../infra/stack/environments.ts';
import { generateKey } from '../shared/api-keys/api-key.ts';
import { AUTHORIZER_DEADLINE_MS, OPERATION_DEADLINE_MS } from '../shared/aws/retries.ts';
import { SLOT_MS } from '../shared/domains/aws/gateway-slots.ts';
import { MAX_SERVERS } from '../shared/domains/dns/closest-zone.ts';
import { BUDGET_MS } from '../shared/domains/dns/vantage-points.ts';
import { EXPIRES_SOON_MS, EXPIRES_SOON_SHARE } from '../shared/domains/life/domain-counts.ts';
import { FULL_AFTER_MS, PUBLISH_MINUTES, RECONCILE_MINUTES } from '../shared/domains/life/due.ts';
import * as waits from '../shared/domains/life/waits.ts';
import { LOOK_AFTER_MS } from '../shared/domains/pass/look.ts';
import * as sweep from '../shared/domains/pass/sweep.ts';
import { MAXIMUM_BODY_BYTES } from '../shared/errors.ts';
import { MINIMUM_COMPRESSED_BYTES } from '../shared/http/compression.ts';
import { cursors } from '../shared/http/cursor.ts';
import { TIMEOUT_MS, VALID_SECONDS } from '../shared/operator/caller-proof.ts';
import { Limit } from '../shared/paging.ts';
import { RETENTION_SECONDS } from '../shared/pets/idempotent-creation.ts';
import { MAXIMUM_IDEMPOTENCY_KEY_LENGTH } from '../shared/pets/operations.ts';
import { MAXIMUM_SHARDS } from '../shared/time-id.ts';

const GUIDE = 'shared/domains/guide.md';
const OWNERS = 'shared/domains/owners.md';
const INTERNALS = 'shared/domains/README.md';
const COMMAND = 'infra/cli/README.md';
const LIMITS = 'infra/openapi/pages/limits.md';
const HTTP = 'shared/http/README.md';
const AUTHENTICATION = 'infra/openapi/pages/authentication.md';
const SECURITY = '.github/SECURITY.md';
const HOUR_MS = 60 * 60 * 1000;

/** What documents promise in figures: their words, the figure, and the constant that keeps the promise. */
const PROMISES: readonly [document: string, words: string, figure: unknown, constant: unknown][] = [
  [GUIDE, "after 48 hours an event says once that it's late", 48, waits.LATE_HOURS],
  [GUIDE, 'an hour apart at last, for 30 days', 3600, waits.waitSeconds(100)],
  [GUIDE, 'ends 30 days after it was added or last verified', 30, waits.VERIFICATION_DAYS],
  [GUIDE, 'a project has at most 20 of them', 20, waits.MAX_UNVERIFIED_CLAIMS],
  [OWNERS, 'the name is yours after six hours', 6, waits.TAKEOVER_HOURS],
  [GUIDE, 'within 30 days gets the same host', 30, waits.SAME_RECORDS_DAYS],
  [OWNERS, 'The domain was ready for 30 days', 30, waits.READY_DAYS],
  [GUIDE, 'again seven days before that ends', 7, waits.REMINDER_DAYS],
  [OWNERS, "It wasn't issued within 30 minutes", 30, waits.CERTIFICATE_EXPLANATION_MINUTES],
  [GUIDE, 'follows within five minutes', 5, RECONCILE_MINUTES],
  [GUIDE, 'looks at ready and primary domains every five minutes by HTTPS requests', 5, RECONCILE_MINUTES],
  [GUIDE, 'at the other live ones every hour', HOUR_MS, LOOK_AFTER_MS.others + RECONCILE_MINUTES * 60_000],
  [GUIDE, 'at all in full every day', 24 * HOUR_MS, FULL_AFTER_MS],
  [INTERNALS, 'one deletion of a domain name per 30 seconds', 31_000, SLOT_MS],
  [INTERNALS, 'all look-ups of a check together take at most 10 seconds', 10_000, BUDGET_MS],
  [COMMAND, 'At most four are begun per second', 250, START_INTERVAL_MS],
  [COMMAND, 'three checks in a row find the same wrong ones', 3, SAME_TROUBLES],
  [COMMAND, 'fails when there are more than ten of them', 10, MOST_THROTTLED],
  [COMMAND, 'have disjoint scopes and expire after ten minutes', HOUR_MS / 6, EXPIRY_MS],
  [COMMAND, 'It is valid for five minutes, once', 300, VALID_SECONDS],
  [GUIDE, '| `closed` | responds with 403 |', 403, CLOSED_STATUS],
  [GUIDE, "traffic hasn't arrived 12 minutes after the attachment", 18, waits.READY_AFTER_ROUNDS],
  [GUIDE, 'At least once, usually within three minutes.', 2, PUBLISH_MINUTES],
  [COMMAND, "STS doesn't confirm within three seconds", 3000, TIMEOUT_MS],
  ['infra/dashboard/README.md', 'up to 10,000 orders', 10_000, MOST_ORDERS],
  ['infra/dashboard/README.md', 'and 5,000 audit entries', 5000, MOST_ENTRIES],
  [
    'infra/openapi/pages/idempotency.md',
    'A key has 1 to 255 characters',
    255,
    MAXIMUM_IDEMPOTENCY_KEY_LENGTH,
  ],
  [INTERNALS, 'At most four servers per zone', 4, MAX_SERVERS],
  ['infra/runbook.md', 'its certificate expires within 30 days', 30 * 24 * HOUR_MS, EXPIRES_SOON_MS],
  ['infra/runbook.md', 'under 200 days within 15 % of that', 0.15, EXPIRES_SOON_SHARE],
  ['infra/dashboard/README.md', 'after 12 hours without a request', 12 * HOUR_MS, IDLE_MS],
  ['infra/client/README.md', 'for 24 hours and also after a restart', 86_400, RETENTION_SECONDS],
  [HTTP, 'kept for 24 hours per API key', 86_400, RETENTION_SECONDS],
  [HTTP, 'responses above 1,024 bytes in gzip', 1024, MINIMUM_COMPRESSED_BYTES],
  [HTTP, 'the authorizer waits for DynamoDB up to 1.7 s', 1700, AUTHORIZER_DEADLINE_MS],
  [HTTP, 'and the operation up to 2.3 s', 2300, OPERATION_DEADLINE_MS],
  [LIMITS, '| request body | 16 KiB |', 16_384, MAXIMUM_BODY_BYTES],
  [SECURITY, 'bodies of at most 16 KiB', 16_384, MAXIMUM_BODY_BYTES],
  [LIMITS, '| 1 to 100, 20 by default |', 20, Limit.parse(undefined)],
  [LIMITS, '| 1 to 100, 20 by default |', 100, [99, 100, 101].findLast(isLimit) ?? 0],
  [SECURITY, '90 days in production', 90, environmentNamed('production').logRetention],
  ['README.md', '`limit` 1–100 (default 20)', 20, Limit.parse(undefined)],
  ['infra/settings/README.md', '1 to 16 partitions', 16, MAXIMUM_SHARDS],
  [AUTHENTICATION, 'keys start with `pet_live_`', 'pet_live_', environmentNamed('production').apiKeyPrefix],
  [AUTHENTICATION, 'staging keys with `pet_test_`', 'pet_test_', environmentNamed('staging').apiKeyPrefix],
];

function isLimit(count: number): boolean {
  return Limit.safeParse(String(count)).success;
}

test.each(PROMISES)('%s: “%s”', (document, words, figure, constant) => {
  expect(readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ')).toContain(words);
  expect(constant).toBe(figure);
});

test('limits that no document states', () => {
  expect(waits.REMOVAL_DEADLINE_HOURS).toBe(168);
  expect(waits.MAX_CERTIFICATE_REQUESTS).toBe(8);
  expect(DOMAIN_LIMITS).toMatchObject({
    slotSeconds: SLOT_MS / 1000,
    sweepMinutes: RECONCILE_MINUTES,
    looksAtATime: sweep.LOOKS_AT_A_TIME,
    looksSeconds: sweep.LOOKS_MS / 1000,
    passes: sweep.MOST_PASSES,
    passesAtATime: sweep.PASSES_AT_A_TIME,
    passesSeconds: sweep.PASSES_MS / 1000,
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

test('signatures and secrets are compared in constant time', () => {
  const compare = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  cursors('secret', 'pets').open(`1.${'x'.repeat(43)}`);
  expect(compare).toHaveBeenCalledOnce();
  const access = new Access(3000);
  access.link({ host: '127.0.0.1' });
  access.openSession({ host: '127.0.0.1:3000', 'x-petstore-dashboard': 'guessed' });
  expect(compare).toHaveBeenCalledTimes(2);
  compare.mockRestore();
  syncBuiltinESMExports();
});
