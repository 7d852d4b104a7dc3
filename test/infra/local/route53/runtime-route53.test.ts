import { promises } from 'node:dns';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, inject, onTestFinished, test } from 'vitest';
import { type LocalAws, startLocalAws } from '../../../../infra/local/local-aws.ts';
import { unexpectedReport } from '../aws-api/unexpected-report.ts';
import { functionFixture, writeCloudAssembly } from '../cloud-assembly-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const PROJECT = new URL('../../../../package.json', import.meta.url).pathname;

/** Makes a record in the zone and asks a public resolver for it. */
const PLATFORM = `
const sdk = require('node:module').createRequire(${JSON.stringify(PROJECT)})('@aws-sdk/client-route-53');
const { Resolver } = require('node:dns/promises');
exports.handler = async () => {
  const client = new sdk.Route53Client({ maxAttempts: 1 });
  const record = { Name: 'a.platform.test', Type: 'CNAME', TTL: 60, ResourceRecords: [{ Value: 'x.execute-api.us-east-1.amazonaws.com' }] };
  const Changes = [{ Action: 'UPSERT', ResourceRecordSet: record }];
  await client.send(new sdk.ChangeResourceRecordSetsCommand({ HostedZoneId: process.env.ZONE, ChangeBatch: { Changes } }));
  const resolver = new Resolver();
  resolver.setServers(['1.1.1.1']);
  const denied = await client.send(new sdk.ListHostedZonesCommand({})).catch(error => error.name);
  return { addresses: await resolver.resolve4('a.platform.test'), denied };
};`;

test('a function creates a record in the zone of its stack and resolves it, also after a restart', async () => {
  const Resources = {
    Zone: { Type: 'AWS::Route53::HostedZone', Properties: { Name: 'platform.test' } },
    ...functionFixture(
      'fn',
      'platform',
      { Timeout: 20, Environment: { Variables: { ZONE: { Ref: 'Zone' } } } },
      [
        {
          Effect: 'Allow',
          Action: 'route53:ChangeResourceRecordSets',
          Resource: { 'Fn::Join': ['', ['arn:aws:route53:::hostedzone/', { Ref: 'Zone' }]] },
        },
      ],
    ),
  };
  const assembly = writeCloudAssembly(temporaryFolder(), { Zoo: { Resources } }, { platform: PLATFORM });
  const dynamoDbEndpoint = inject('dynamoDbEndpoint');
  const options = {
    assembly,
    port: 0,
    dataFolder: temporaryFolder(),
    dynamoDbEndpoint,
    report: unexpectedReport,
  };
  const addresses = ({ dns }: LocalAws) => {
    const resolver = new promises.Resolver();
    resolver.setServers([dns]);
    return resolver.resolve4('a.platform.test');
  };

  const first = await startLocalAws(options);
  onTestFinished(first.stop);
  const client = new LambdaClient({
    endpoint: first.awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
  });
  const { Payload } = await client.send(new InvokeCommand({ FunctionName: 'fn' }));
  client.destroy();
  expect(JSON.parse(String(Payload?.transformToString()))).toEqual({
    addresses: ['127.0.0.1'],
    denied: 'AccessDenied',
  });
  expect(await addresses(first)).toEqual(['127.0.0.1']);
  await first.deploy(assembly);
  expect(await addresses(first)).toEqual(['127.0.0.1']);
  await first.stop();

  const second = await startLocalAws(options);
  onTestFinished(second.stop);
  expect(await addresses(second)).toEqual(['127.0.0.1']);
});
