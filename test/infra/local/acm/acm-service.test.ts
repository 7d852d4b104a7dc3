import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import {
  AddTagsToCertificateCommand,
  DeleteCertificateCommand,
  GetCertificateCommand,
  ListCertificatesCommand,
  ListTagsForCertificateCommand,
  paginateListCertificates,
  RenewCertificateCommand,
} from '@aws-sdk/client-acm';
import { describe, expect, test } from 'vitest';
import { Certificates } from '../../../../infra/local/acm/certificates.ts';
import { validationRecord } from '../../../../infra/local/acm/validation-record.ts';
import { DeclaredRole } from '../../../../infra/local/iam/roles.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { issue } from './fake-lookup.ts';
import { DAY_MS, serveAcm } from './served-acm.ts';

const NAME = 'www.zoo.example';

describe('RequestCertificate', () => {
  test('200: an ARN, pending, without the validation record for five seconds', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested('WWW.zoo.example');
    expect(arn).toMatch(/^arn:aws:acm:us-east-1:000000000000:certificate\/[0-9a-f-]{36}$/);
    const detail = await acm.described(arn);
    expect(detail).toMatchObject({
      CertificateArn: arn,
      DomainName: NAME,
      SubjectAlternativeNames: [NAME],
      Status: 'PENDING_VALIDATION',
      CreatedAt: new Date(acm.nowMs),
      InUseBy: [],
      RenewalEligibility: 'INELIGIBLE',
      Type: 'AMAZON_ISSUED',
    });
    expect(detail.NotAfter).toBeUndefined();
    expect(detail.DomainValidationOptions?.[0]?.ResourceRecord).toBeUndefined();
    acm.nowMs += 4999;
    expect((await acm.described(arn)).DomainValidationOptions?.[0]?.ResourceRecord).toBeUndefined();
    acm.nowMs += 1;
    expect((await acm.described(arn)).DomainValidationOptions).toEqual([
      {
        DomainName: NAME,
        ValidationDomain: NAME,
        ValidationStatus: 'PENDING_VALIDATION',
        ValidationMethod: 'DNS',
        ResourceRecord: {
          Name: expect.stringMatching(/^_[0-9a-f]{32}\.www\.zoo\.example\.$/),
          Type: 'CNAME',
          Value: expect.stringMatching(/^_[0-9a-f]{32}\.[a-z]{10}\.acm-validations\.aws\.$/),
        },
      },
    ]);
  });

  test('200: waits are scaled', async () => {
    const acm = await serveAcm({ waitScale: 0.01 });
    const arn = await acm.requested(NAME);
    acm.nowMs += 50;
    expect((await acm.described(arn)).DomainValidationOptions?.[0]?.ResourceRecord).toBeDefined();
  });

  test('200: the same token and names within the hour are the same certificate', async () => {
    const acm = await serveAcm();
    const first = await acm.requested(NAME, { IdempotencyToken: 'one' });
    acm.nowMs += 3_599_000;
    expect(await acm.requested(NAME, { IdempotencyToken: 'one' })).toBe(first);
    expect(await acm.requested(NAME, { IdempotencyToken: 'two' })).not.toBe(first);
    expect(await acm.requested('zoo.example', { IdempotencyToken: 'one' })).not.toBe(first);
    acm.nowMs += 1000;
    expect(await acm.requested(NAME, { IdempotencyToken: 'one' })).not.toBe(first);
  });

  test.each([
    ['a name of 65 octets', { DomainName: `${'a'.repeat(57)}.example` }, /'domainName'.*64/],
    ['no domain name', { DomainName: 'zoo' }, /'domainName'/],
    ['a token with a dash', { IdempotencyToken: 'a-b' }, /'idempotencyToken'/],
    ['a token of 33 characters', { IdempotencyToken: 'x'.repeat(33) }, /'idempotencyToken'/],
    ['validation by e-mail', { ValidationMethod: 'EMAIL' }, /only the validation method DNS/],
  ])('400: %s', async (_, input, message) => {
    const acm = await serveAcm();
    await expect(acm.requested(NAME, input)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message),
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('200: a longer name as an alternative name', async () => {
    const acm = await serveAcm();
    const long = `${'a'.repeat(63)}.zoo.example`;
    const arn = await acm.requested('zoo.example', { SubjectAlternativeNames: [long, 'zoo.example'] });
    expect((await acm.described(arn)).SubjectAlternativeNames).toEqual(['zoo.example', long]);
  });

  test('400: an eleventh name', async () => {
    const acm = await serveAcm();
    const SubjectAlternativeNames = Array.from({ length: 10 }, (_, n) => `n${n}.zoo.example`);
    await expect(acm.requested(NAME, { SubjectAlternativeNames })).rejects.toMatchObject({
      name: 'LimitExceededException',
    });
  });

  test('501: a parameter that is not known is named', async () => {
    const acm = await serveAcm();
    await expect(acm.requested(NAME, { ManagedBy: 'CLOUDFRONT' })).rejects.toMatchObject({
      name: 'NotImplemented',
      message: 'The parameter ManagedBy of the ACM API is not supported by the local runtime.',
    });
  });
});

describe('validation', () => {
  test('issued once the record is in DNS, with a certificate of the local authority', async () => {
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
    const answer = await acm.client.send(new GetCertificateCommand({ CertificateArn: arn }));
    const certificate = new X509Certificate(answer.Certificate ?? '');
    const authority = new X509Certificate(answer.CertificateChain ?? '');
    expect(certificate.checkHost(NAME)).toBe(NAME);
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkIssued(authority)).toBe(true);
  });

  test('pending while the value is another one, or the look-up fails', async () => {
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

  test('five chained records are followed, not six', async () => {
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

  test('every name has to be validated', async () => {
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

  test('failed by CAA, once the name is validated; the record stays the same for the next request', async () => {
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

  test('pending while CAA cannot be looked up', async () => {
    const acm = await serveAcm();
    acm.dns.failing.add('zoo.example');
    const arn = await acm.issued(NAME);
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    acm.dns.failing.clear();
    expect((await acm.described(arn)).Status).toBe('ISSUED');
  });

  test('timed out after 72 hours, for good', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested(NAME);
    acm.nowMs += 3 * DAY_MS - 1;
    expect((await acm.described(arn)).Status).toBe('PENDING_VALIDATION');
    acm.nowMs += 1;
    expect((await acm.described(arn)).Status).toBe('VALIDATION_TIMED_OUT');
    acm.publish(NAME);
    expect((await acm.described(arn)).Status).toBe('VALIDATION_TIMED_OUT');
  });
});

describe('renewal', () => {
  test('what is in use is renewed 45 days before its end', async () => {
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

  test('without its record it waits for its owner, goes on, and expires in the end', async () => {
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

  test('that its owner must act is announced once, and again when the reason is another', async () => {
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

describe('DeleteCertificate', () => {
  test('200: it is gone', async () => {
    const acm = await serveAcm();
    const CertificateArn = await acm.requested(NAME);
    await acm.client.send(new DeleteCertificateCommand({ CertificateArn }));
    await expect(acm.described(CertificateArn)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test('400: in use', async () => {
    const acm = await serveAcm();
    const CertificateArn = await acm.requested(NAME);
    acm.users.set(CertificateArn, ['arn:aws:elasticloadbalancing:…']);
    await expect(acm.client.send(new DeleteCertificateCommand({ CertificateArn }))).rejects.toMatchObject({
      name: 'ResourceInUseException',
    });
    expect((await acm.described(CertificateArn)).InUseBy).toHaveLength(1);
  });

  test('a certificate that is deleted while it is checked stays away', async () => {
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

test('400: GetCertificate of what is not issued', async () => {
  const acm = await serveAcm();
  const CertificateArn = await acm.requested(NAME);
  await expect(acm.client.send(new GetCertificateCommand({ CertificateArn }))).rejects.toMatchObject({
    name: 'RequestInProgressException',
  });
});

test('ListCertificates: by status, by key type, and in pages', async () => {
  const acm = await serveAcm();
  const arns: string[] = [];
  for (const name of ['a', 'b', 'c']) arns.push(await acm.requested(`${name}.example`));
  const issued = await acm.issued(NAME);
  const elliptic = await acm.requested(NAME, { KeyAlgorithm: 'EC_prime256v1' });
  const listed = async (input: object) =>
    (await acm.client.send(new ListCertificatesCommand(input))).CertificateSummaryList?.map(
      ({ CertificateArn }) => CertificateArn,
    );
  expect(await listed({ CertificateStatuses: ['ISSUED'] })).toEqual([issued]);
  expect(await listed({})).toEqual([...arns, issued].sort());
  expect(await listed({ Includes: { keyTypes: ['EC_prime256v1'] } })).toEqual([elliptic]);
  const paged: unknown[] = [];
  for await (const page of paginateListCertificates({ client: acm.client, pageSize: 3 }, {})) {
    paged.push(page.CertificateSummaryList?.map(({ CertificateArn }) => CertificateArn));
  }
  expect(paged).toEqual([[...arns, issued].sort().slice(0, 3), [...arns, issued].sort().slice(3)]);
});

test('tags are given at the request and added later', async () => {
  const acm = await serveAcm();
  const CertificateArn = await acm.requested(NAME, { Tags: [{ Key: 'petstore:domain', Value: NAME }] });
  await acm.client.send(
    new AddTagsToCertificateCommand({ CertificateArn, Tags: [{ Key: 'owner', Value: 'zoo' }] }),
  );
  const { Tags } = await acm.client.send(new ListTagsForCertificateCommand({ CertificateArn }));
  expect(Tags).toEqual([
    { Key: 'petstore:domain', Value: NAME },
    { Key: 'owner', Value: 'zoo' },
  ]);
});

test('400: above its rate a request is throttled, until time has passed', async () => {
  const acm = await serveAcm();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await acm.requested(`${name}.example`);
  await expect(acm.requested(NAME)).rejects.toMatchObject({ name: 'ThrottlingException' });
  acm.nowMs += 200;
  const arn = await acm.requested(NAME);
  for (let calls = 0; calls < 10; calls++) await acm.described(arn);
  await expect(acm.described(arn)).rejects.toMatchObject({ name: 'ThrottlingException' });
});

test('400: a role may do what its policies allow', async () => {
  const role = new DeclaredRole('zoo', [
    { Effect: 'Allow', Action: ['acm:RequestCertificate'], Resource: ['*'] },
    {
      Effect: 'Allow',
      Action: ['acm:DescribeCertificate'],
      Resource: ['arn:aws:acm:us-east-1:*:certificate/*'],
    },
  ] as never);
  const acm = await serveAcm({ principal: role.assumedBy('Step') });
  const CertificateArn = await acm.requested(NAME);
  await acm.described(CertificateArn);
  await expect(acm.requested(NAME, { Tags: [{ Key: 'a', Value: 'b' }] })).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining('acm:AddTagsToCertificate'),
  });
  await expect(acm.client.send(new DeleteCertificateCommand({ CertificateArn }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining(`acm:DeleteCertificate on resource: ${CertificateArn}`),
  });
});

test('501: an operation that is not known is named', async () => {
  const acm = await serveAcm();
  const CertificateArn = await acm.requested(NAME);
  await expect(acm.client.send(new RenewCertificateCommand({ CertificateArn }))).rejects.toMatchObject({
    name: 'NotImplemented',
    message: 'RenewCertificate of the ACM API is not supported by the local runtime.',
  });
});

test('certificates are the same after a restart', async () => {
  const file = join(temporaryFolder(), 'acm.json');
  const acm = await serveAcm({ file });
  await acm.issued(NAME, { IdempotencyToken: 'one', Tags: [{ Key: 'a', Value: 'b' }] });
  await acm.requested('zoo.example');
  expect(new Certificates(file).list()).toEqual(acm.certificates.list());
});
