import { expect, test } from 'vitest';
import type { Call } from '../models/calls.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../virtual-time.ts';
import { calmRun, fateAt, WWW } from './calm-run.ts';

test('a domain goes live although ACM names the validation record 30 s after the request', async () => {
  const run = calmRun({ recordDelayMs: () => 30 * SECOND_MS });
  await run.ask('add');
  expect(run.domain()?.certificate.validations).toEqual([]);
  await run.ask('verify');
  await run.pass(MINUTE_MS);
  expect(run.domain()?.certificate.validations).toHaveLength(1);
  run.people.setRecords(WWW);
  await run.endsAs('live');
});

test('an add that is repeated two hours after a crash finds the certificate that was requested', async () => {
  const isRequest = ({ operation }: Call) => operation === 'RequestCertificate';
  const run = calmRun({ fateOf: fateAt(1, 'crash after', isRequest).fateOf });
  const payload = { command: 'domains.add', requestId: 'lost', project: 'alpha', domain: WWW };
  await expect(run.until(run.world.staging.operate(payload))).rejects.toThrow(
    'crashed after RequestCertificate',
  );
  await run.pass(2 * HOUR_MS);
  await run.ask('add');
  expect(run.world.acm.certificates.size).toBe(1);
  await run.removeEverything();
});

test('a verify after a failed certificate requests another one', async () => {
  let failures = 1;
  const run = calmRun({ failure: () => (failures-- > 0 ? 'ADDITIONAL_VERIFICATION_REQUIRED' : undefined) });
  await run.claim();
  await run.ask('verify');
  await run.untilIdle();
  expect(run.domain()).toMatchObject({ status: 'failed', reason: 'certificate_failed' });
  await run.ask('verify');
  await run.endsAs('live');
});

test('a verify after a validation that timed out after 72 hours succeeds', async () => {
  const delays = [100 * HOUR_MS, 0];
  const run = calmRun({ issueDelayMs: () => delays.shift() ?? 0 });
  await run.claim();
  await run.ask('verify');
  await run.untilIdle();
  expect(run.status()).toBe('failed');
  await run.ask('verify');
  await run.endsAs('live');
});

test.each([true, false])(
  'a domain goes live once its CAA record allows Amazon (ACM fails the certificate: %s)',
  async isFailed => {
    const run = calmRun({ isFailedByCaa: () => isFailed });
    run.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"');
    await run.claim();
    await run.ask('verify');
    await run.pass(HOUR_MS);
    expect(run.domain()).toMatchObject({ status: 'issuing', reason: 'caa_blocked' });
    run.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"', '0 issue "amazon.com"');
    await run.endsAs('live');
  },
);

test('a domain goes live although API Gateway rejects its new certificate for 10 minutes', async () => {
  const run = calmRun({ spreadMs: () => 10 * MINUTE_MS });
  await run.goLive();
  await run.removeEverything();
});

test('a domain does not go live with a certificate that was revoked during the attachment', async () => {
  const run = calmRun({ spreadMs: () => 10 * MINUTE_MS });
  await run.claim();
  run.world.dns.set(WWW, 'CNAME');
  await run.ask('verify');
  run.people.setRecords(WWW);
  await run.pass(10 * MINUTE_MS);
  expect(run.domain()).toMatchObject({ phase: 'attachment' });
  run.people.pointElsewhere(WWW);
  await run.pass(HOUR_MS);
  for (const certificate of run.world.acm.certificates.values()) run.world.acm.lose(certificate, 'REVOKED');
  run.people.setRecords(WWW);
  await run.untilIdle();
  expect(run.domain()).toMatchObject({ status: 'failed', reason: 'certificate_lost' });
  await run.ask('verify');
  await run.endsAs('live');
});
