import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { validationRecord } from '../../acm/dns-validation.ts';
import { DAY_MS, issue, serveAcm } from '../../testing/served-acm.ts';

const NAME = 'www.zoo.example';

describe('validation', () => {
  test('issues a certificate of the local authority once the record is in DNS', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME);
    acm.publish(NAME);
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    acm.nowMs += 5000;
    await acm.issuance.checkAll();
    const detail = await acm.described(arn);
    expect(detail).toMatchObject({
      Status: 'ISSUED',
      IssuedAt: new Date(acm.nowMs),
      Serial: expect.stringMatching(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
    });
    expect(detail.NotAfter?.getTime()).toBeGreaterThan(acm.nowMs + 197 * DAY_MS);
    expect(detail.DomainValidationOptions?.[0]?.ValidationStatus).toBe('SUCCESS');
    const certificate = new X509Certificate(acm.certificates.find(arn)?.issued?.certificate ?? '');
    expect(certificate.checkHost(NAME)).toBe(NAME);
    expect(certificate.checkIssued(new X509Certificate(acm.authority.certificate))).toBe(true);
  });

  test('stays pending while the record has another value or the lookup fails', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME);
    const recordName = validationRecord(NAME).Name.slice(0, -1);
    acm.nowMs += 5000;
    acm.dns.cnames.set(recordName, '_other.acm-validations.aws');
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    acm.publish(NAME);
    acm.dns.failing.add(recordName);
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    acm.dns.failing.clear();
    expect((await acm.described(arn)).Status).toBe('ISSUED');
  });

  test('follows five chained records, not six', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME);
    acm.nowMs += 5000;
    const { Name, Value } = validationRecord(NAME);
    const chain = [Name.slice(0, -1), 'a.example', 'b.example', 'c.example', 'd.example', 'e.example', Value];
    const link = (names: readonly string[]) => {
      for (const [index, target] of names.slice(1).entries()) acm.dns.cnames.set(names[index] ?? '', target);
    };
    link(chain);
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    link(chain.toSpliced(5, 1));
    expect((await acm.described(arn)).Status).toBe('ISSUED');
  });

  test('waits until every name is validated', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME, { SubjectAlternativeNames: ['zoo.example'] });
    acm.nowMs += 5000;
    acm.publish(NAME);
    const pending = await acm.described(arn);
    expect(pending.Status).toBe('PENDING_VALIDATION');
    expect(pending.DomainValidationOptions?.map(option => option.ValidationStatus)).toEqual([
      'SUCCESS',
      'PENDING_VALIDATION',
    ]);
    acm.publish('zoo.example');
    expect((await acm.described(arn)).Status).toBe('ISSUED');
  });

  test('fails by CAA once the name is validated; the next request has the same record', async () => {
    const acm = await serveAcm();
    acm.dns.caas.set('zoo.example', [issue('other.example')]);
    const arn = await acm.requested(NAME);
    acm.nowMs += 5000;
    const pending = await acm.described(arn);
    expect(pending.Status).toBe('PENDING_VALIDATION');
    acm.publish(NAME);
    const failed = await acm.described(arn);
    expect(failed).toMatchObject({ Status: 'FAILED', FailureReason: 'CAA_ERROR' });
    expect(failed.DomainValidationOptions?.[0]?.ValidationStatus).toBe('FAILED');
    acm.dns.caas.clear();
    expect((await acm.described(arn)).Status).toBe('FAILED');
    const again = await acm.requested(NAME);
    acm.nowMs += 5000;
    const issued = await acm.described(again);
    expect(issued.Status).toBe('ISSUED');
    expect(issued.DomainValidationOptions?.[0]?.ResourceRecord).toEqual(
      pending.DomainValidationOptions?.[0]?.ResourceRecord,
    );
  });

  test('fails by CAA of another of its names', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME, { SubjectAlternativeNames: ['shop.example'] });
    acm.dns.caas.set('shop.example', [issue('other.example')]);
    for (const name of [NAME, 'shop.example']) acm.publish(name);
    acm.nowMs += 5000;
    expect(await acm.described(arn)).toMatchObject({ Status: 'FAILED', FailureReason: 'CAA_ERROR' });
  });

  test('stays pending while CAA cannot be looked up', async () => {
    const acm = await serveAcm();
    acm.dns.failing.add('zoo.example');
    const arn = await acm.issued(NAME);
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    acm.dns.failing.clear();
    expect((await acm.described(arn)).Status).toBe('ISSUED');
  });

  test('times out after 72 hours and stays timed out', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME);
    acm.nowMs += 3 * DAY_MS - 1;
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    acm.nowMs += 1;
    expect((await acm.described(arn)).Status).toBe('VALIDATION_TIMED_OUT');
    acm.publish(NAME);
    expect((await acm.described(arn)).Status).toBe('VALIDATION_TIMED_OUT');
  });

  test('does not restore a certificate that is deleted during a check', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME);
    acm.publish(NAME);
    acm.nowMs += 5000;
    const checked = acm.issuance.check(arn);
    acm.certificates.remove(arn);
    await checked;
    expect(acm.certificates.list()).toEqual([]);
  });
});

describe('renewal', () => {
  test('renews a certificate in use 45 days before it expires', async () => {
    const acm = await serveAcm();
    const arn = await acm.issued(NAME);
    acm.users.set(arn, ['arn:aws:elasticloadbalancing:…']);
    const { NotAfter, RenewalEligibility, Serial } = await acm.described(arn);
    expect(RenewalEligibility).toBe('ELIGIBLE');
    acm.nowMs = Number(NotAfter) - 45 * DAY_MS;
    const renewed = await acm.described(arn);
    expect(renewed.RenewalSummary).toMatchObject({
      RenewalStatus: 'SUCCESS',
      UpdatedAt: new Date(acm.nowMs),
    });
    expect(renewed.Serial).not.toBe(Serial);
    expect(Number(renewed.NotAfter)).toBeGreaterThan(Number(NotAfter));
  });

  test('stays issued without its record until it expires', async () => {
    const acm = await serveAcm();
    const arn = await acm.issued(NAME);
    acm.users.set(arn, ['arn:aws:elasticloadbalancing:…']);
    const { NotAfter } = await acm.described(arn);
    acm.dns.cnames.clear();
    acm.nowMs = Number(NotAfter) - 45 * DAY_MS;
    const waiting = await acm.described(arn);
    expect(waiting.Status).toBe('ISSUED');
    expect(waiting.RenewalSummary?.RenewalStatus).toBe('PENDING_VALIDATION');
    expect(waiting.RenewalSummary?.DomainValidationOptions?.[0]).toMatchObject({
      ValidationStatus: 'PENDING_VALIDATION',
      ResourceRecord: { Type: 'CNAME' },
    });
    acm.nowMs = Number(NotAfter);
    expect((await acm.described(arn)).Status).toBe('EXPIRED');
  });

  test('announces once that the owner must act, and again when the reason changes', async () => {
    const acm = await serveAcm();
    const arn = await acm.issued(NAME);
    acm.users.set(arn, ['arn:aws:elasticloadbalancing:…']);
    const { NotAfter = new Date() } = await acm.described(arn);
    acm.dns.cnames.clear();
    acm.nowMs = Number(NotAfter) - 45 * DAY_MS;
    await acm.issuance.check(arn);
    await acm.issuance.check(arn);
    const event = {
      source: 'aws.acm',
      'detail-type': 'ACM Certificate Renewal Action Required',
      resources: [arn],
      detail: {
        CertificateType: 'AMAZON_ISSUED',
        CommonName: NAME,
        DomainValidationMethod: 'DNS',
        RenewalStatusReason: 'PENDING_DOMAIN_VALIDATION',
        DaysToExpiry: 45,
        CertificateExpirationDate: NotAfter.toISOString().replace('.000Z', 'Z'),
        InUse: true,
        Exported: false,
      },
    };
    expect(acm.announced).toEqual([event]);

    acm.publish(NAME);
    acm.dns.caas.set('zoo.example', [issue('other.example')]);
    acm.nowMs += DAY_MS;
    await acm.issuance.check(arn);
    const detail = { ...event.detail, RenewalStatusReason: 'CAA_ERROR', DaysToExpiry: 44 };
    expect(acm.announced).toEqual([event, { ...event, detail }]);

    acm.dns.caas.clear();
    await acm.issuance.check(arn);
    expect((await acm.described(arn)).RenewalSummary?.RenewalStatus).toBe('SUCCESS');
    expect(acm.announced).toHaveLength(2);
  });
});
