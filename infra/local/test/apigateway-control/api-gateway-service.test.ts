import {
  CreateApiKeyCommand,
  CreateBasePathMappingCommand,
  DeleteApiKeyCommand,
  DeleteBasePathMappingCommand,
  DeleteDomainNameCommand,
  FlushStageAuthorizersCacheCommand,
  GetApiKeysCommand,
  GetDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { API_ID } from '../../testing/served-api.ts';
import { serveControlPlane } from '../../testing/served-control-plane.ts';
import { recordingPrincipal } from '../../testing/served-endpoint.ts';

describe('authorization', () => {
  test('403: asks the principal about the method and the path and returns its message', async () => {
    const asked: string[] = [];
    const denial = (action: string, resourceArn: string) => {
      asked.push(`${action} ${resourceArn}`);
      return 'User: x is not authorized';
    };
    const { client, createKey, joinPlan } = await serveControlPlane({ principal: { denial } });
    const calls = [
      () => createKey(),
      () => client.send(new GetApiKeysCommand({})),
      () => client.send(new DeleteApiKeyCommand({ apiKey: 'key1' })),
      () => joinPlan('key1'),
      () =>
        client.send(new FlushStageAuthorizersCacheCommand({ restApiId: API_ID, stageName: 'production' })),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: 'User: x is not authorized',
        $metadata: { httpStatusCode: 403 },
      });
    }
    expect(asked).toEqual([
      'apigateway:POST arn:aws:apigateway:us-east-1::/apikeys',
      'apigateway:GET arn:aws:apigateway:us-east-1::/apikeys',
      'apigateway:DELETE arn:aws:apigateway:us-east-1::/apikeys/key1',
      'apigateway:POST arn:aws:apigateway:us-east-1::/usageplans/plan1/keys',
      `apigateway:DELETE arn:aws:apigateway:us-east-1::/restapis/${API_ID}/stages/production/cache/authorizers`,
    ]);
  });
});

const THROTTLED = {
  name: 'TooManyRequestsException',
  $metadata: { httpStatusCode: 429 },
};

/** How many of these calls succeed before one is throttled. */
async function admitted(call: () => Promise<unknown>): Promise<number> {
  for (let count = 0; ; count += 1) {
    try {
      await call();
    } catch (error) {
      expect(error).toMatchObject(THROTTLED);
      return count;
    }
  }
}

test('429: after 40 requests at once of any operation, and after 10 in each second', async () => {
  const plane = await serveControlPlane();
  const list = () => plane.client.send(new GetApiKeysCommand());
  await plane.createKey();
  expect(await admitted(list)).toBe(39);
  plane.nowMs += 1000;
  expect(await admitted(list)).toBe(10);
});

test.each([
  ['CreateApiKey', () => new CreateApiKeyCommand({})],
  ['DeleteApiKey', (id: string) => new DeleteApiKeyCommand({ apiKey: id })],
])('429: after 5 %s in a second', async (_, command) => {
  const plane = await serveControlPlane();
  const ids = Array.from({ length: 12 }, (_, number) => {
    const value = `aValueOfTwentyLetters${number}`;
    return plane.apiKeys.add({ enabled: true, value, createdDate: 0, lastUpdatedDate: 0 }).id;
  });
  const call = async () => {
    await plane.client.send(command(ids.at(-1) ?? '') as CreateApiKeyCommand);
    ids.pop();
  };
  expect(await admitted(call)).toBe(5);
  plane.nowMs += 400;
  expect(await admitted(call)).toBe(2);
});

test('429: as often in a hundredth of the time with a hundredth of the waits', async () => {
  const plane = await serveControlPlane({ waitScale: 0.01 });
  const list = () => plane.client.send(new GetApiKeysCommand());
  expect(await admitted(list)).toBe(40);
  plane.nowMs += 10;
  expect(await admitted(list)).toBe(10);
});

const ARN = 'arn:aws:apigateway:us-east-1::';
const NAME = 'www.zoo.example';
const tags = { team: 'cats' };
const OF_REQUEST = { 'aws:RequestTag/team': ['cats'], 'aws:TagKeys': ['team'] };
const OF_TAGGING = { 'aws:RequestTag/team': [], 'aws:TagKeys': [] };
const OF_RESOURCE = { 'aws:ResourceTag/team': ['cats'] };

describe('the tags of a domain name', () => {
  test('are condition keys of its creation, which also takes PUT on tags and the service-linked role', async () => {
    const { principal, asked } = recordingPrincipal();
    const { created } = await serveControlPlane({ principal });
    await created(NAME, { tags });
    expect(asked).toEqual([
      { permission: `apigateway:POST ${ARN}/domainnames`, keys: OF_REQUEST },
      {
        permission:
          'iam:CreateServiceLinkedRole arn:aws:iam::000000000000:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway',
        keys: { ...OF_REQUEST, 'iam:AWSServiceName': ['ops.apigateway.amazonaws.com'] },
      },
      {
        permission: `apigateway:PUT ${ARN}/tags/arn%3Aaws%3Aapigateway%3Aus-east-1%3A%3A%2Fdomainnames%2F*`,
        keys: OF_TAGGING,
      },
    ]);
  });

  test('are condition keys of every later operation on it', async () => {
    const { principal, asked } = recordingPrincipal();
    const gateway = await serveControlPlane({ principal });
    await gateway.created(NAME, { tags });
    asked.length = 0;
    gateway.nowMs += 30_000;
    await gateway.client.send(new GetDomainNameCommand({ domainName: NAME }));
    await gateway.client.send(new DeleteDomainNameCommand({ domainName: NAME }));
    expect(asked.map(({ keys }) => keys)).toEqual([OF_RESOURCE, OF_RESOURCE]);
  });

  test('are condition keys of its mapping, except of the creation', async () => {
    const { principal, asked } = recordingPrincipal();
    const { client, created } = await serveControlPlane({ principal });
    await created(NAME, { tags });
    asked.length = 0;
    const mapping = { domainName: NAME, basePath: '(none)' };
    // Without an API there is nothing to map, and a refusal comes after the permission.
    const create = new CreateBasePathMappingCommand({ ...mapping, restApiId: 'none', stage: 'none' });
    const remove = new DeleteBasePathMappingCommand(mapping);
    await client.send(create).catch(() => {});
    await client.send(remove).catch(() => {});
    expect(asked).toEqual([
      { permission: `apigateway:POST ${ARN}/domainnames/${NAME}/basepathmappings`, keys: {} },
      {
        permission: `apigateway:DELETE ${ARN}/domainnames/${NAME}/basepathmappings/(none)`,
        keys: OF_RESOURCE,
      },
    ]);
  });

  test('are not condition keys once the name is gone', async () => {
    const { principal, asked } = recordingPrincipal();
    const { client } = await serveControlPlane({ principal });
    await client.send(new GetDomainNameCommand({ domainName: NAME })).catch(() => {});
    expect(asked).toEqual([{ permission: `apigateway:GET ${ARN}/domainnames/${NAME}`, keys: {} }]);
  });
});

test('the tags of an API key are condition keys of its creation and of its deletion', async () => {
  const { principal, asked } = recordingPrincipal();
  const { client, createKey } = await serveControlPlane({ principal });
  const { id: apiKey } = await createKey({ tags });
  await client.send(new DeleteApiKeyCommand({ apiKey }));
  expect(asked).toEqual([
    { permission: `apigateway:POST ${ARN}/apikeys`, keys: OF_REQUEST },
    {
      permission: `apigateway:PUT ${ARN}/tags/arn%3Aaws%3Aapigateway%3Aus-east-1%3A%3A%2Fapikeys%2F*`,
      keys: OF_TAGGING,
    },
    { permission: `apigateway:DELETE ${ARN}/apikeys/${apiKey}`, keys: OF_RESOURCE },
  ]);
});
