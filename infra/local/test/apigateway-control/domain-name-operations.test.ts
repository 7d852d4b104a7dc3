import {
  CreateBasePathMappingCommand,
  CreateDomainNameCommand,
  DeleteBasePathMappingCommand,
  DeleteDomainNameCommand,
  GetBasePathMappingCommand,
  GetBasePathMappingsCommand,
  GetDomainNameCommand,
  paginateGetDomainNames,
  UpdateBasePathMappingCommand,
  UpdateDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { DeclaredRole } from '../../iam/roles.ts';
import { API_ID } from '../../testing/served-api.ts';
import { serveControlPlane } from '../../testing/served-control-plane.ts';

const NAME = 'www.zoo.example';
const SERVICE_LINKED_ROLE =
  'arn:aws:iam::000000000000:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway';

describe('CreateDomainName', () => {
  test('201: returns the regional domain name to point the name at', async () => {
    const { created, certificateFor, client } = await serveControlPlane();
    const regionalCertificateArn = certificateFor('*.zoo.example');
    const { $metadata, ...domainName } = await created(NAME, {
      regionalCertificateArn,
      securityPolicy: 'TLS_1_2',
      tags: { project: 'zoo' },
    });
    expect($metadata.httpStatusCode).toBe(201);
    expect(domainName).toEqual({
      domainName: NAME,
      domainNameArn: `arn:aws:apigateway:us-east-1::/domainnames/${NAME}`,
      regionalDomainName: expect.stringMatching(/^d-[a-z0-9]{10}\.execute-api\.us-east-1\.amazonaws\.com$/),
      regionalHostedZoneId: 'Z1UJRXOUMOOFQ8',
      regionalCertificateArn,
      endpointConfiguration: { types: ['REGIONAL'], ipAddressType: 'ipv4' },
      domainNameStatus: 'AVAILABLE',
      securityPolicy: 'TLS_1_2',
      routingMode: 'BASE_PATH_MAPPING_ONLY',
      tags: { project: 'zoo' },
    });
    const { $metadata: _, ...found } = await client.send(new GetDomainNameCommand({ domainName: NAME }));
    expect(found).toEqual(domainName);
  });

  test('400: a certificate that does not exist, is not issued, or is for another name', async () => {
    const { created, certificateFor, certificates } = await serveControlPlane();
    const pending = certificateFor(NAME);
    certificates.change(pending, { status: 'PENDING_VALIDATION' });
    for (const [regionalCertificateArn, message] of [
      ['arn:aws:acm:us-east-1:000000000000:certificate/none', /^Invalid certificate ARN/],
      [pending, /status is PENDING_VALIDATION/],
      [certificateFor('zoo.example'), /is not covered/],
      [certificateFor('*.example'), /is not covered/],
    ] as const) {
      await expect(created(NAME, { regionalCertificateArn })).rejects.toMatchObject({
        name: 'BadRequestException',
        message: expect.stringMatching(message),
        $metadata: { httpStatusCode: 400 },
      });
    }
  });

  test.each([
    ['no certificate', { regionalCertificateArn: undefined }, /certificate was not provided/],
    [
      'another endpoint type',
      { endpointConfiguration: { types: ['EDGE'] } },
      /Only the endpoint type REGIONAL/,
    ],
    ['no endpoint type', { endpointConfiguration: undefined }, /Only the endpoint type REGIONAL/],
    ['an invalid domain name', { domainName: 'WWW_' }, /Invalid domain name/],
  ])('400: %s', async (_, input, message) => {
    const { created } = await serveControlPlane();
    await expect(created(NAME, input)).rejects.toMatchObject({
      name: 'BadRequestException',
      message: expect.stringMatching(message),
    });
  });

  test('400: a name that the account already has', async () => {
    const { created } = await serveControlPlane();
    await created(NAME);
    await expect(created(NAME)).rejects.toMatchObject({
      name: 'BadRequestException',
      message: expect.stringContaining('already exists'),
    });
  });

  test('429: a 121st name', async () => {
    const { created, fill } = await serveControlPlane();
    fill(120);
    await expect(created(NAME)).rejects.toMatchObject({ name: 'LimitExceededException' });
  });
});

describe('the rate of one creation, one update and one deletion in 30 seconds', () => {
  test('429: refuses the second of a kind and says when to retry; a refused change does not count', async () => {
    const gateway = await serveControlPlane();
    const { client, created } = gateway;
    await created('other.example');
    await created(NAME);
    gateway.nowMs += 1500;
    const patchOperations = [
      { op: 'replace' as const, path: '/regionalCertificateArn', value: gateway.certificateFor(NAME) },
    ];
    const change = {
      create: () => client.send(new CreateDomainNameCommand({ domainName: 'zoo.example' })),
      update: () => client.send(new UpdateDomainNameCommand({ domainName: NAME, patchOperations })),
      delete: (domainName: string) => client.send(new DeleteDomainNameCommand({ domainName })),
    };
    const refusal = { name: 'TooManyRequestsException', $metadata: { httpStatusCode: 429 } };
    await expect(change.create()).rejects.toMatchObject({ ...refusal, retryAfterSeconds: '29' });
    await change.update();
    await change.delete('other.example');
    await expect(change.update()).rejects.toMatchObject({ ...refusal, retryAfterSeconds: '30' });
    await expect(change.delete(NAME)).rejects.toMatchObject(refusal);
    await client.send(new GetDomainNameCommand({ domainName: NAME }));
    gateway.nowMs += 30_000;
    await change.update();
    await change.delete(NAME);
  });

  test('200: is scaled like every wait', async () => {
    const gateway = await serveControlPlane({ waitScale: 0.01 });
    await gateway.created(NAME);
    const command = new CreateDomainNameCommand({ domainName: 'zoo.example' });
    await expect(gateway.client.send(command)).rejects.toMatchObject({ retryAfterSeconds: '1' });
    gateway.nowMs += 300;
    const error = { name: 'BadRequestException' };
    await expect(gateway.client.send(command)).rejects.toMatchObject(error);
  });
});

describe('UpdateDomainName', () => {
  test('200: replaces the certificate; the old one stays in use for four minutes', async () => {
    const gateway = await serveControlPlane();
    const { regionalCertificateArn: before = '' } = await gateway.created(NAME);
    const after = gateway.certificateFor(NAME);
    gateway.nowMs += 30_000;
    const patchOperations = [{ op: 'replace', path: '/regionalCertificateArn', value: after }] as const;
    const updated = await gateway.client.send(
      new UpdateDomainNameCommand({ domainName: NAME, patchOperations: [...patchOperations] }),
    );
    expect(updated.regionalCertificateArn).toBe(after);
    expect(gateway.domainNames.usesOf(after)).toHaveLength(1);
    expect(gateway.domainNames.usesOf(before)).toHaveLength(1);
    gateway.nowMs += 240_000;
    expect(gateway.domainNames.usesOf(before)).toEqual([]);
  });

  test('501: names a path that is not supported', async () => {
    const gateway = await serveControlPlane();
    await gateway.created(NAME);
    gateway.nowMs += 30_000;
    const patchOperations = [{ op: 'replace' as const, path: '/securityPolicy', value: 'TLS_1_0' }];
    await expect(
      gateway.client.send(new UpdateDomainNameCommand({ domainName: NAME, patchOperations })),
    ).rejects.toMatchObject({ name: 'NotImplemented', message: expect.stringContaining('/securityPolicy') });
  });
});

describe('DeleteDomainName', () => {
  test('202: deletes the name; its certificate stays in use for four minutes', async () => {
    const gateway = await serveControlPlane();
    const { regionalCertificateArn = '' } = await gateway.created(NAME);
    gateway.nowMs += 30_000;
    await gateway.client.send(new DeleteDomainNameCommand({ domainName: NAME }));
    expect(gateway.domainNames.find(NAME)).toBeUndefined();
    gateway.nowMs += 239_999;
    expect(gateway.domainNames.usesOf(regionalCertificateArn)).toEqual([
      expect.stringMatching(/^arn:aws:elasticloadbalancing:us-east-1:/),
    ]);
    gateway.nowMs += 1;
    expect(gateway.domainNames.usesOf(regionalCertificateArn)).toEqual([]);
  });

  test('404: no such name', async () => {
    const { client } = await serveControlPlane();
    await expect(client.send(new DeleteDomainNameCommand({ domainName: NAME }))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
    await expect(client.send(new GetDomainNameCommand({ domainName: NAME }))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
  });
});

test('GetDomainNames: 200, page by page', async () => {
  const { client, created } = await serveControlPlane();
  for (const name of ['c.example', 'a.example', 'b.example']) await created(name);
  const pages: unknown[] = [];
  for await (const { items } of paginateGetDomainNames({ client, pageSize: 2 }, {})) {
    pages.push(items?.map(({ domainName }) => domainName));
  }
  expect(pages).toEqual([['a.example', 'b.example'], ['c.example']]);
});

test('403: denies a role what its policies do not allow, by method and path', async () => {
  const role = new DeclaredRole('zoo', [
    {
      Effect: 'Allow',
      Action: ['apigateway:POST'],
      Resource: ['arn:aws:apigateway:us-east-1::/domainnames'],
    },
    {
      Effect: 'Allow',
      Action: ['apigateway:GET'],
      Resource: [`arn:aws:apigateway:us-east-1::/domainnames/${NAME}`],
    },
    { Effect: 'Allow', Action: ['iam:CreateServiceLinkedRole'], Resource: [SERVICE_LINKED_ROLE] },
  ] as never);
  const { client, created } = await serveControlPlane({ principal: role.assumedBy('Step') });
  await created(NAME);
  await client.send(new GetDomainNameCommand({ domainName: NAME }));
  await expect(client.send(new DeleteDomainNameCommand({ domainName: NAME }))).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining(`arn:aws:apigateway:us-east-1::/domainnames/${NAME}`),
  });
});

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
  ['no stage', { stage: undefined }, 'A mapping without a stage is not supported by the local AWS.'],
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
    message: 'The base path shop is not supported by the local AWS: only (none) is.',
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

test('202: a domain name is deleted together with its mapping', async () => {
  const gateway = await withDomainName();
  const { client } = gateway;
  await client.send(new CreateBasePathMappingCommand(MAPPING));
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
