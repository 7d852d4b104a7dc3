import { DeleteCertificateCommand, RenewCertificateCommand } from '@aws-sdk/client-acm';
import { expect, test } from 'vitest';
import { DeclaredRole } from '../../../../infra/local/iam/roles.ts';
import { recordingPrincipal } from '../aws-api/recording-principal.ts';
import { serveAcm } from './served-acm.ts';

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

test('501: names an operation that is not supported', async () => {
  const acm = await serveAcm();
  const CertificateArn = await acm.requested(NAME);
  await expect(acm.client.send(new RenewCertificateCommand({ CertificateArn }))).rejects.toMatchObject({
    name: 'NotImplemented',
    message: 'RenewCertificate of the ACM API is not supported by the local runtime.',
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
