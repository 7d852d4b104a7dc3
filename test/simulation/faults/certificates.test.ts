import { expect, test } from 'vitest';
import type { Call } from '../models/calls.ts';
import { HOUR_MS, MINUTE_MS } from '../virtual-time.ts';
import { CALM } from '../weather.ts';
import { calmRun, fateAt, WWW } from './calm-run.ts';

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

test.each([
  [
    'that ACM has refused',
    'certificate_failed',
    { failure: () => 'ADDITIONAL_VERIFICATION_REQUIRED' as const },
  ],
  ['whose validation timed out after 72 hours', 'certificate_delayed', { issueDelayMs: () => 100 * HOUR_MS }],
])('a verify after a certificate %s requests another one', async (_, reason, weather) => {
  const run = calmRun(weather);
  await run.verify();
  await run.untilIdle();
  expect(run.domain()).toMatchObject({ status: 'failed', reason });
  run.change({ failure: CALM.failure, issueDelayMs: CALM.issueDelayMs });
  await run.ask('verify');
  await run.endsAs('live');
});

test.each([true, false])(
  'a domain goes live once its CAA record allows Amazon (ACM fails the certificate: %s)',
  async isFailed => {
    const run = calmRun({ isFailedByCaa: () => isFailed });
    run.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"');
    await run.verify();
    await run.pass(HOUR_MS);
    expect(run.domain()).toMatchObject({ status: 'issuing', reason: 'caa_blocked' });
    run.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"', '0 issue "amazon.com"');
    await run.endsAs('live');
  },
);

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
