// AWS leaves out what it has nothing to say of, and the types of the SDK allow for that in every field.
import { ACMClient } from '@aws-sdk/client-acm';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Route53Client } from '@aws-sdk/client-route-53';
import { expect, test } from 'vitest';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { certificates } from '../../../../shared/domains/aws/certificates.ts';
import { gatewayFront } from '../../../../shared/domains/aws/gateway-domains.ts';
import { gatewaySlots } from '../../../../shared/domains/aws/gateway-slots.ts';
import { eventBus } from '../../../../shared/domains/publisher.ts';
import { claimed, someEvent, TARGET } from '../claimed-domain.ts';
import { cannedResponses } from './client-endpoint.ts';

test('a private zone has no name servers', async () => {
  cannedResponses(Route53Client, { HostedZone: { Name: 'zoo.example.', Config: { PrivateZone: true } } });
  expect(await accountZones(['Z1']).list()).toEqual([
    { id: 'Z1', name: 'zoo.example', isPrivate: true, nameServers: [] },
  ]);
});

test('a certificate that nothing is said of is pending and has no validations', async () => {
  const nothing = {
    status: 'PENDING_VALIDATION',
    serial: null,
    failure: null,
    renewal: null,
    validFrom: null,
    expiresAt: null,
    validations: [],
  };
  cannedResponses(ACMClient, {}, { Certificate: {} });
  const { view } = certificates('staging');
  expect(await view('arn')).toEqual(nothing);
  expect(await view('arn')).toEqual(nothing);
});

test('a validation counts only with the name and the value of its record', async () => {
  const DomainValidationOptions = [
    {},
    { ResourceRecord: { Name: '_v.zoo.example.' } },
    { ResourceRecord: { Value: '_w.acm-validations.aws.' } },
    { ResourceRecord: { Name: '_v.zoo.example.', Value: '_w.acm-validations.aws.' } },
  ];
  cannedResponses(ACMClient, { Certificate: { DomainValidationOptions } });
  const { validations } = await certificates('staging').view('arn');
  expect(validations).toEqual([{ name: '_v.zoo.example', value: '_w.acm-validations.aws' }]);
});

test('certificates without tags, in a list or by themselves, are not of the claim', async () => {
  const { ensure, removeAll } = certificates('staging');
  const CertificateSummaryList = [{ CertificateArn: 'untagged', DomainName: claimed().domain }];
  cannedResponses(ACMClient, { CertificateSummaryList }, {}, { CertificateArn: 'new' });
  expect(await ensure(claimed())).toBe('new');
  const sent = cannedResponses(ACMClient, { CertificateSummaryList });
  expect(await removeAll(claimed())).toBe(true);
  expect(sent.map(({ name }) => name)).toEqual(['ListCertificatesCommand', 'ListTagsForCertificateCommand']);
});

test('an edge-optimized domain name, which has no regional host, is not ours', async () => {
  const claim = { domain: 'www.zoo.example', target: TARGET };
  cannedResponses(APIGatewayClient);
  const { find, isForeign } = gatewayFront('staging', gatewaySlots('unused'));
  expect(await find(claim)).toEqual({ host: '', hostedZoneId: '', certificateArn: '', isOurs: false });
  expect(await isForeign(claim.domain)).toBe(true);
});

test.each([
  ['is missing in the response', {}, 'no answer: '],
  ['has neither an id nor an error', { Entries: [{}] }, 'no answer: '],
  [
    'has an id and an error code',
    { Entries: [{ EventId: '1', ErrorCode: 'InternalFailure', ErrorMessage: 'Try again.' }] },
    'InternalFailure: Try again.',
  ],
])('an event that %s was not accepted', async (_, response, error) => {
  cannedResponses(EventBridgeClient, response);
  expect(await eventBus('staging').put([someEvent()])).toEqual([{ isAccepted: false, error }]);
});
