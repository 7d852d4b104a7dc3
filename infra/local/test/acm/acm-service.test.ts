import {
  DeleteCertificateCommand,
  ListCertificatesCommand,
  ListTagsForCertificateCommand,
  paginateListCertificates,
} from '@aws-sdk/client-acm';
import { describe, expect, test } from 'vitest';
import { DeclaredRole } from '../../iam/roles.ts';
import { serveAcm } from '../../testing/served-acm.ts';
import { recordingPrincipal } from '../../testing/served-endpoint.ts';

const NAME = 'www.zoo.example';

test('400: throttles an operation above its rate until time has passed', async () => {
  const acm = await serveAcm();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await acm.requested(`${name}.example`);
  await expect(acm.requested(NAME)).rejects.toMatchObject({ name: 'ThrottlingException' });
  acm.nowMs += 200;
  const arn = await acm.requested(NAME);
  for (let calls = 0; calls < 10; calls++) await acm.described(arn);
  await expect(acm.described(arn)).rejects.toMatchObject({ name: 'ThrottlingException' });
});

test('400: denies a role what its policies do not allow', async () => {
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

test('gives policies the names, the validation method and the tags of a request, and the tags of a certificate', async () => {
  const { principal, asked } = recordingPrincipal();
  const acm = await serveAcm({ principal });
  const SubjectAlternativeNames = ['zoo.example'];
  await acm.described(
    await acm.requested(NAME, { SubjectAlternativeNames, Tags: [{ Key: 'team', Value: 'cats' }] }),
  );
  const ofRequest = {
    'aws:RequestTag/team': ['cats'],
    'aws:TagKeys': ['team'],
    'acm:DomainNames': [NAME, 'zoo.example'],
    'acm:ValidationMethod': ['DNS'],
  };
  expect(asked.map(({ keys }) => keys)).toEqual([ofRequest, ofRequest, { 'aws:ResourceTag/team': ['cats'] }]);
});

describe('RequestCertificate', () => {
  test('200: returns an ARN; the certificate is pending and has no names and records for five seconds', async () => {
    const acm = await serveAcm();
    const arn = await acm.requested('WWW.zoo.example');
    expect(arn).toMatch(/^arn:aws:acm:us-east-1:000000000000:certificate\/[0-9a-f-]{36}$/);
    const detail = await acm.described(arn);
    expect(detail).toMatchObject({
      CertificateArn: arn,
      Status: 'PENDING_VALIDATION',
      CreatedAt: new Date(acm.nowMs),
      InUseBy: [],
      RenewalEligibility: 'INELIGIBLE',
      Type: 'AMAZON_ISSUED',
    });
    expect(detail.NotAfter).toBeUndefined();
    acm.nowMs += 4999;
    const { DomainName, DomainValidationOptions } = await acm.described(arn);
    expect([DomainName, DomainValidationOptions]).toEqual([undefined, undefined]);
    acm.nowMs += 1;
    expect(await acm.described(arn)).toMatchObject({
      DomainName: NAME,
      SubjectAlternativeNames: [NAME],
      DomainValidationOptions: [
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
      ],
    });
  });

  test('200: scales the time until the validation record is there', async () => {
    const acm = await serveAcm({ waitScale: 0.01 });
    const arn = await acm.requested(NAME);
    acm.nowMs += 50;
    expect((await acm.described(arn)).DomainValidationOptions?.[0]?.ResourceRecord).toBeDefined();
  });

  test('200: returns the same certificate for the same token and names within the hour', async () => {
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
    ['a name of one label', { DomainName: 'zoo' }, /'domainName'/],
    ['a token with a dash', { IdempotencyToken: 'a-b' }, /'idempotencyToken'/],
    ['a token of 33 characters', { IdempotencyToken: 'x'.repeat(33) }, /'idempotencyToken'/],
    ['validation by email', { ValidationMethod: 'EMAIL' }, /only the validation method DNS/],
  ])('400: %s', async (_, input, message) => {
    const acm = await serveAcm();
    await expect(acm.requested(NAME, input)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message),
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('200: takes a longer name as an alternative name', async () => {
    const acm = await serveAcm();
    const long = `${'a'.repeat(63)}.zoo.example`;
    const arn = await acm.requested('zoo.example', { SubjectAlternativeNames: [long, 'zoo.example'] });
    acm.nowMs += 5000;
    expect((await acm.described(arn)).SubjectAlternativeNames).toEqual(['zoo.example', long]);
  });

  test('400: an eleventh name', async () => {
    const acm = await serveAcm();
    const SubjectAlternativeNames = Array.from({ length: 10 }, (_, n) => `n${n}.zoo.example`);
    await expect(acm.requested(NAME, { SubjectAlternativeNames })).rejects.toMatchObject({
      name: 'LimitExceededException',
    });
  });
});

describe('DeleteCertificate', () => {
  test('200: the certificate does not exist any more', async () => {
    const acm = await serveAcm();
    const CertificateArn = await acm.requested(NAME);
    await acm.client.send(new DeleteCertificateCommand({ CertificateArn }));
    await expect(acm.described(CertificateArn)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test('400: the certificate is in use', async () => {
    const acm = await serveAcm();
    const CertificateArn = await acm.requested(NAME);
    acm.users.set(CertificateArn, ['arn:aws:elasticloadbalancing:…']);
    await expect(acm.client.send(new DeleteCertificateCommand({ CertificateArn }))).rejects.toMatchObject({
      name: 'ResourceInUseException',
    });
    expect((await acm.described(CertificateArn)).InUseBy).toHaveLength(1);
  });
});

test('ListCertificates: 200, filtered by key type, page by page', async () => {
  const acm = await serveAcm();
  const arns: string[] = [];
  for (const name of ['a', 'b', 'c']) arns.push(await acm.requested(`${name}.example`));
  const issued = await acm.issued(NAME);
  const elliptic = await acm.requested(NAME, { KeyAlgorithm: 'EC_prime256v1' });
  const listed = async (input: object) =>
    (await acm.client.send(new ListCertificatesCommand(input))).CertificateSummaryList?.map(
      ({ CertificateArn }) => CertificateArn,
    );
  expect(await listed({})).toEqual([...arns, issued].sort());
  expect(await listed({ Includes: { keyTypes: ['EC_prime256v1'] } })).toEqual([elliptic]);
  const paged: unknown[] = [];
  for await (const page of paginateListCertificates({ client: acm.client, pageSize: 3 }, {})) {
    paged.push(page.CertificateSummaryList?.map(({ CertificateArn }) => CertificateArn));
  }
  expect(paged).toEqual([[...arns, issued].sort().slice(0, 3), [...arns, issued].sort().slice(3)]);
});

test('ListCertificates: 200, with statuses that are up to an hour older than that of DescribeCertificate', async () => {
  const acm = await serveAcm();
  const listed = async () =>
    (await acm.client.send(new ListCertificatesCommand({}))).CertificateSummaryList?.map(
      ({ Status }) => Status,
    );
  const arn = await acm.requested(NAME);
  acm.nowMs += 3_599_999;
  acm.certificates.change(arn, { status: 'FAILED' });
  expect((await acm.described(arn)).Status).toBe('FAILED');
  expect(await listed()).toEqual(['PENDING_VALIDATION']);
  acm.nowMs += 1;
  expect(await listed()).toEqual(['FAILED']);
});

test('ListTagsForCertificate: 200 with the tags that were given at the request', async () => {
  const acm = await serveAcm();
  const given = [
    { Key: 'petstore:domain', Value: NAME },
    { Key: 'owner', Value: 'zoo' },
  ];
  const CertificateArn = await acm.requested(NAME, { Tags: given });
  const { Tags } = await acm.client.send(new ListTagsForCertificateCommand({ CertificateArn }));
  expect(Tags).toEqual(given);
});
