import { expect, test } from 'vitest';
import type { Call } from '../calls.ts';
import { calmLife, fateAt, WWW } from '../calm-life.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../virtual-time.ts';

test('the validation record is named 30 s after the request', async () => {
  const life = calmLife({ recordDelayMs: () => 30 * SECOND_MS });
  await life.ask('add');
  expect(life.world.domain(WWW)?.certificate.validations).toEqual([]);
  await life.ask('verify');
  await life.pass(MINUTE_MS);
  expect(life.world.domain(WWW)?.certificate.validations).toHaveLength(1);
  life.people.setRecords(WWW);
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test('the answer to the request is lost, and it is asked for again two hours later: one certificate', async () => {
  const isRequest = ({ operation }: Call) => operation === 'RequestCertificate';
  const life = calmLife({ fateOf: fateAt(1, 'crash after', isRequest).fateOf });
  const adding = { command: 'domains.add', requestId: 'lost', project: 'alpha', domain: WWW };
  await expect(life.until(life.world.operate(adding))).rejects.toThrow('crashed after RequestCertificate');
  await life.pass(2 * HOUR_MS);
  await life.ask('add');
  expect(life.world.acm.certificates.size).toBe(1);
  await life.removeEverything();
});

test('the certificate fails: the domain fails, and another verification requests another certificate', async () => {
  let failures = 1;
  const life = calmLife({ failure: () => (failures-- > 0 ? 'ADDITIONAL_VERIFICATION_REQUIRED' : undefined) });
  await life.claim();
  await life.ask('verify');
  await life.untilRest();
  expect(life.world.domain(WWW)).toMatchObject({ status: 'failed', reason: 'certificate_failed' });
  await life.ask('verify');
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test('ACM gives up after 72 hours: the domain fails, and another verification succeeds', async () => {
  const delays = [100 * HOUR_MS, 0];
  const life = calmLife({ issueDelayMs: () => delays.shift() ?? 0 });
  await life.claim();
  await life.ask('verify');
  await life.untilRest();
  expect(life.status()).toBe('failed');
  await life.ask('verify');
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test.each([true, false])(
  'a CAA record forbids it, and is put right (the certificate fails: %s)',
  async fails => {
    const life = calmLife({ isFailedByCaa: () => fails });
    life.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"');
    await life.claim();
    await life.ask('verify');
    await life.pass(HOUR_MS);
    expect(life.world.domain(WWW)).toMatchObject({ status: 'issuing', reason: 'caa_blocked' });
    life.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"', '0 issue "amazon.com"');
    await life.untilRest();
    expect(life.status()).toBe('live');
    await life.removeEverything();
  },
);

test('CreateDomainName is refused for 10 minutes', async () => {
  const life = calmLife({ spreadMs: () => 10 * MINUTE_MS });
  await life.goLive();
  await life.removeEverything();
});

test('the certificate is revoked before the domain is live: it does not go live with it', async () => {
  const life = calmLife({ spreadMs: () => 10 * MINUTE_MS });
  await life.claim();
  life.world.dns.set(WWW, 'CNAME');
  await life.ask('verify');
  life.people.setRecords(WWW);
  await life.pass(10 * MINUTE_MS);
  expect(life.world.domain(WWW)).toMatchObject({ phase: 'attachment' });
  life.people.leadElsewhere(WWW);
  await life.pass(HOUR_MS);
  for (const certificate of life.world.acm.certificates.values()) life.world.acm.lose(certificate, 'REVOKED');
  life.people.setRecords(WWW);
  await life.untilRest();
  expect(life.world.domain(WWW)).toMatchObject({ status: 'failed', reason: 'certificate_lost' });
  await life.ask('verify');
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});
