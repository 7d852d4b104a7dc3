import {
  APIGatewayClient,
  BadRequestException,
  ConflictException,
  LimitExceededException,
  NotFoundException,
  TooManyRequestsException,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { gatewayDomains } from '../../../../shared/domains/aws/gateway-domains.ts';
import { TARGET } from '../claimed-domain.ts';
import { cannedAnswers } from './canned-answers.ts';

const NAME = 'www.zoo.example';
const CLAIM = { domain: NAME, target: TARGET };
const PROJECT = { apiId: 'api1', stage: 'test' };
const TAGS = {
  'petstore:environment': 'staging',
  'petstore:claim': TARGET.slice(0, TARGET.indexOf('.')),
  'petstore:domain': NAME,
};
const OURS = { regionalCertificateArn: 'before', regionalDomainName: 'd-1', tags: TAGS };
const GONE = { name: 'DomainNameGone', message: `API Gateway has no domain name ${NAME}.` };
const BUSY = new TooManyRequestsException({ message: 'Slow down', $metadata: {} });

const notFound = () => new NotFoundException({ message: 'Invalid identifier', $metadata: {} });
const { ensure, isForeign, map, mapFirst, remove } = gatewayDomains('staging');

test('a name that API Gateway does not have is not foreign', async () => {
  cannedAnswers(APIGatewayClient, notFound());
  expect(await isForeign(NAME)).toBe(false);
});

test('a domain name is created regional, with TLS 1.2 and our tags', async () => {
  const sent = cannedAnswers(APIGatewayClient, notFound(), { regionalCertificateArn: 'arn' });
  expect(await ensure(CLAIM, 'arn')).toMatchObject({ certificateArn: 'arn', isOurs: true });
  expect(sent[1]).toEqual({
    name: 'CreateDomainNameCommand',
    input: {
      domainName: NAME,
      regionalCertificateArn: 'arn',
      endpointConfiguration: { types: ['REGIONAL'] },
      securityPolicy: 'TLS_1_2',
      tags: TAGS,
    },
  });
});

test('a domain name gets another certificate by a patch, and stays ours whatever tags the answer has', async () => {
  const sent = cannedAnswers(APIGatewayClient, OURS, { regionalCertificateArn: 'arn' });
  expect(await ensure(CLAIM, 'arn')).toMatchObject({ certificateArn: 'arn', isOurs: true });
  expect(sent[1]).toEqual({
    name: 'UpdateDomainNameCommand',
    input: {
      domainName: NAME,
      patchOperations: [{ op: 'replace', path: '/regionalCertificateArn', value: 'arn' }],
    },
  });
});

describe('an error of API Gateway', () => {
  test.each([
    new BadRequestException({ message: 'Not issued yet', $metadata: {} }),
    new ConflictException({ message: 'Taken by another account', $metadata: {} }),
    new LimitExceededException({ message: 'Too many', $metadata: {} }),
  ])('at a creation is GatewayRefused, with its message and cause: $name', async cause => {
    cannedAnswers(APIGatewayClient, notFound(), cause);
    await expect(ensure(CLAIM, 'arn')).rejects.toMatchObject({
      name: 'GatewayRefused',
      message: cause.message,
      cause,
    });
  });

  test('that asks for patience is GatewayBusy, with its message and cause', async () => {
    const busy = { name: 'GatewayBusy', message: 'Slow down', cause: BUSY };
    cannedAnswers(APIGatewayClient, notFound(), BUSY, OURS, BUSY);
    await expect(ensure(CLAIM, 'arn')).rejects.toMatchObject(busy);
    await expect(remove(CLAIM)).rejects.toMatchObject(busy);
  });
});

test('a domain name that is deleted by somebody else in the meantime is removed', async () => {
  cannedAnswers(APIGatewayClient, OURS, notFound());
  await expect(remove(CLAIM)).resolves.toBeUndefined();
});

test.each([
  ['before', []],
  ['after', [OURS]],
])('a domain name that is gone %s it was looked for cannot be mapped', async (_, found) => {
  for (const call of [map, mapFirst]) {
    cannedAnswers(APIGatewayClient, ...found, notFound());
    await expect(call(CLAIM, PROJECT)).rejects.toMatchObject(GONE);
  }
});

test('a domain name that is not ours says so', async () => {
  cannedAnswers(APIGatewayClient, { ...OURS, tags: {} });
  await expect(map(CLAIM, PROJECT)).rejects.toMatchObject({
    name: 'DomainNameForeign',
    message: `${NAME} exists at API Gateway and is not ours: it belongs to another environment or team of the account.`,
  });
});
