import { expect, test } from 'vitest';
import { CALM, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../infra/local/simulation.ts';
import { loseCertificate } from '../people/incidents.ts';
import { calmRun } from './calm-run.ts';

test.each([
  [
    'that ACM has refused',
    'certificate_failed',
    { failure: () => 'ADDITIONAL_VERIFICATION_REQUIRED' as const },
  ],
  ['whose validation timed out again and again', 'certificate_failed', { issueDelayMs: () => 100 * HOUR_MS }],
])('a verify after a certificate %s requests another one', async (_, reason, weather) => {
  const run = calmRun(weather);
  await run.verify();
  await run.pass(31 * DAY_MS);
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

test('visitors who meet the certificate of another name are said to meet the wrong one', async () => {
  const run = calmRun();
  await run.goLive();
  const { certificates } = run.world;
  for (const { arn } of certificates.list()) certificates.change(arn, { names: ['another.example'] });
  await run.until(run.world.staging.tendAll());
  expect(run.domain()).toMatchObject({ status: 'live', reason: 'https_certificate_wrong' });
});

test('a domain whose certificate is lost and not issued again fails, and is unmapped once', async () => {
  const run = calmRun();
  await run.goLive();
  for (const { arn } of run.world.certificates.list()) loseCertificate(run.world, arn, 'REVOKED');
  run.change({ failure: () => 'ADDITIONAL_VERIFICATION_REQUIRED' });
  let count = 0;
  run.world.watch(({ operation }, when) => {
    if (operation === 'DeleteBasePathMapping' && when === 'before') count += 1;
  });
  await run.ask('verify');
  await run.untilStatus('failed');
  for (let minutes = 0; minutes < 60; minutes += 5) {
    await run.until(run.world.staging.run('ReconcileDomains'));
    await run.pass(5 * MINUTE_MS);
  }
  expect([count, run.apiOf()]).toEqual([1, undefined]);
});
