import {
  DeleteApiKeyCommand,
  DeleteDomainNameCommand,
  GetDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { recordingPrincipal } from '../aws-api/recording-principal.ts';
import { serveControlPlane } from './served-control-plane.ts';

const ARN = 'arn:aws:apigateway:us-east-1::';
const NAME = 'www.zoo.example';
const tags = { team: 'cats' };
const OF_REQUEST = { 'aws:RequestTag/team': ['cats'], 'aws:TagKeys': ['team'] };
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
        keys: OF_REQUEST,
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

  test('are no condition keys once the name is gone', async () => {
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
      keys: OF_REQUEST,
    },
    { permission: `apigateway:DELETE ${ARN}/apikeys/${apiKey}`, keys: OF_RESOURCE },
  ]);
});
