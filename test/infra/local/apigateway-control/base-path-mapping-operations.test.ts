import {
  CreateBasePathMappingCommand,
  DeleteBasePathMappingCommand,
  DeleteDomainNameCommand,
  GetBasePathMappingCommand,
  GetBasePathMappingsCommand,
  UpdateBasePathMappingCommand,
} from '@aws-sdk/client-api-gateway';
import { expect, test } from 'vitest';
import { DeclaredRole } from '../../../../infra/local/iam/roles.ts';
import { API_ID } from '../apigateway/served-api.ts';
import { serveControlPlane } from './served-control-plane.ts';

const domainName = 'www.zoo.example';
const ROOT = { domainName, basePath: '(none)' };
const MAPPING = { domainName, restApiId: API_ID, stage: 'test' };
const SHOWN = { basePath: '(none)', restApiId: API_ID, stage: 'test' };

async function withDomainName() {
  const gateway = await serveControlPlane();
  await gateway.created(domainName);
  return gateway;
}

test.each([[undefined], [''], ['(none)']])('201: maps the root of a name, given as %j', async basePath => {
  const { client } = await withDomainName();
  expect(await client.send(new CreateBasePathMappingCommand({ ...MAPPING, basePath }))).toMatchObject(SHOWN);
  expect(await client.send(new GetBasePathMappingCommand(ROOT))).toMatchObject(SHOWN);
  const { items } = await client.send(new GetBasePathMappingsCommand({ domainName }));
  expect(items).toEqual([SHOWN]);
});

test.each([
  ['an API that does not exist', { restApiId: 'none' }, 'Invalid REST API identifier specified'],
  ['a stage that does not exist', { stage: 'none' }, 'Invalid stage identifier specified'],
  ['no stage', { stage: undefined }, 'A mapping without a stage is not supported by the local runtime.'],
])('400: %s', async (_, input, message) => {
  const { client } = await withDomainName();
  await expect(client.send(new CreateBasePathMappingCommand({ ...MAPPING, ...input }))).rejects.toMatchObject(
    { name: 'BadRequestException', message },
  );
});

test('404: a name or a mapping that does not exist', async () => {
  const { client } = await withDomainName();
  const notFound = { name: 'NotFoundException' };
  const elsewhere = { ...MAPPING, domainName: 'zoo.example' };
  await expect(client.send(new CreateBasePathMappingCommand(elsewhere))).rejects.toMatchObject(notFound);
  await expect(client.send(new GetBasePathMappingCommand(ROOT))).rejects.toMatchObject(notFound);
  await expect(client.send(new DeleteBasePathMappingCommand(ROOT))).rejects.toMatchObject(notFound);
  await expect(client.send(new UpdateBasePathMappingCommand(ROOT))).rejects.toMatchObject(notFound);
});

test('409: a second mapping', async () => {
  const { client } = await withDomainName();
  await client.send(new CreateBasePathMappingCommand(MAPPING));
  await expect(client.send(new CreateBasePathMappingCommand(MAPPING))).rejects.toMatchObject({
    name: 'ConflictException',
  });
});

test('501: names a base path that is not supported', async () => {
  const { client } = await withDomainName();
  await expect(
    client.send(new CreateBasePathMappingCommand({ ...MAPPING, basePath: 'shop' })),
  ).rejects.toMatchObject({
    name: 'NotImplemented',
    message: 'The base path shop is not supported by the local runtime: only (none) is.',
  });
});

test('200: changes a mapping, to an existing stage only', async () => {
  const { client } = await withDomainName();
  await client.send(new CreateBasePathMappingCommand(MAPPING));
  const patched = (path: string, value: string) =>
    client.send(
      new UpdateBasePathMappingCommand({ ...ROOT, patchOperations: [{ op: 'replace', path, value }] }),
    );
  expect(await patched('/restapiId', API_ID)).toMatchObject(SHOWN);
  await expect(patched('/stage', 'none')).rejects.toMatchObject({ name: 'BadRequestException' });
});

test('202: deletes a mapping', async () => {
  const { client } = await withDomainName();
  await client.send(new CreateBasePathMappingCommand(MAPPING));
  await client.send(new DeleteBasePathMappingCommand(ROOT));
  const { items } = await client.send(new GetBasePathMappingsCommand({ domainName }));
  expect(items).toEqual([]);
});

test('409: a domain name is not deleted while it has a mapping', async () => {
  const gateway = await withDomainName();
  const { client } = gateway;
  await client.send(new CreateBasePathMappingCommand(MAPPING));
  gateway.nowMs += 30_000;
  await expect(client.send(new DeleteDomainNameCommand({ domainName }))).rejects.toMatchObject({
    name: 'ConflictException',
    $metadata: { httpStatusCode: 409 },
  });
  await client.send(new DeleteBasePathMappingCommand(ROOT));
  gateway.nowMs += 30_000;
  await client.send(new DeleteDomainNameCommand({ domainName }));
  expect(gateway.domainNames.find(domainName)).toBeUndefined();
});

test('403: policies write the base path as (none)', async () => {
  const path = `arn:aws:apigateway:us-east-1::/domainnames/${domainName}/basepathmappings`;
  const role = new DeclaredRole('zoo', [
    { Effect: 'Allow', Action: ['apigateway:POST', 'iam:CreateServiceLinkedRole'], Resource: ['*'] },
    { Effect: 'Allow', Action: ['apigateway:GET'], Resource: [`${path}/(none)`] },
  ] as never);
  const { client, created } = await serveControlPlane({ principal: role.assumedBy('Step') });
  await created(domainName);
  await client.send(new CreateBasePathMappingCommand(MAPPING));
  await client.send(new GetBasePathMappingCommand(ROOT));
  await expect(client.send(new DeleteBasePathMappingCommand(ROOT))).rejects.toMatchObject({
    name: 'AccessDeniedException',
  });
});
