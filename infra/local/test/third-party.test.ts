import { GetApiKeysCommand, GetDomainNameCommand, GetDomainNamesCommand } from '@aws-sdk/client-api-gateway';
import { expect, test } from 'vitest';
import { serveControlPlane } from '../testing/served-control-plane.ts';
import { sendSigned, TEST_KEY } from '../testing/served-endpoint.ts';
import { thirdParty } from '../testing/third-party.ts';

const NAME = 'www.zoo.example';

test('what a third party creates in the account is visible to everybody in it, without tags', async () => {
  const { client, endpoint, certificateFor } = await serveControlPlane();
  const other = thirdParty({ awsEndpoint: endpoint, awsCredentials: TEST_KEY });
  await other.domainName(NAME, certificateFor(NAME));
  const id = await other.apiKey('theirs');
  const { items: names } = await client.send(new GetDomainNamesCommand({}));
  expect(names).toMatchObject([{ domainName: NAME, tags: {} }]);
  const { items: keys } = await client.send(new GetApiKeysCommand({}));
  expect(keys).toMatchObject([{ id, name: 'theirs' }]);
  expect(keys?.[0]?.tags).toBeUndefined();
});

test('400: the domain name of a third party of this account; 409: of another one, which is not visible', async () => {
  const { client, endpoint, created, certificateFor } = await serveControlPlane();
  const other = thirdParty({ awsEndpoint: endpoint, awsCredentials: TEST_KEY });
  await other.domainName(NAME, certificateFor(NAME));
  await other.domainNameInOtherAccount('zoo.example');
  await other.domainNameInOtherAccount('*.park.example');
  await other.domainNameInOtherAccount('lion.farm.example');
  await expect(created(NAME)).rejects.toMatchObject({
    name: 'BadRequestException',
    $metadata: { httpStatusCode: 400 },
  });
  for (const name of ['zoo.example', 'lion.park.example', '*.farm.example']) {
    await expect(created(name)).rejects.toMatchObject({
      name: 'ConflictException',
      $metadata: { httpStatusCode: 409 },
    });
  }
  for (const name of ['*.zoo.example', 'a.lion.park.example', 'park.example']) {
    expect(await created(name)).toMatchObject({ domainName: name });
  }
  await expect(client.send(new GetDomainNameCommand({ domainName: 'zoo.example' }))).rejects.toMatchObject({
    name: 'NotFoundException',
  });
});

test('501: another account can only take domain names', async () => {
  const { endpoint } = await serveControlPlane();
  const scope = { service: 'apigateway', accessKeyId: '999999999999' };
  const { status, text } = await sendSigned(`${endpoint}/domainnames`, {}, scope);
  expect(status).toBe(501);
  expect(JSON.parse(text)).toMatchObject({
    message: 'GetDomainNames of the API Gateway API for another account is not supported by the local AWS.',
  });
});
