import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { ACMClient, DescribeCertificateCommand, RequestCertificateCommand } from '@aws-sdk/client-acm';
import {
  APIGatewayClient,
  CreateBasePathMappingCommand,
  CreateDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { expect, inject, onTestFinished, test } from 'vitest';
import { shortId } from '../../../../infra/local/cloudformation/resource-type.ts';
import { type Runtime, startRuntime } from '../../../../infra/local/runtime.ts';
import { unexpectedReport } from '../aws-api/unexpected-report.ts';
import { writeCloudAssembly } from '../cloud-assembly-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeZooAssembly } from '../zoo-assembly.ts';
import { keepDomainName } from './keep-domain-name.ts';

const NAME = 'www.zoo.example';

/** In the engine of the run, where another file has the table that the zoo has by default. */
const tableName = 'Zoo-Custom-Domains';
const dynamoDbEndpoint = inject('dynamoDbEndpoint');

/** Below ACM's limit of ten calls a second, and long enough for the generation of a key on a busy machine. */
const PATIENTLY = { timeout: 20_000, interval: 150 };

function clients({ awsEndpoint: endpoint }: Runtime) {
  const settings = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
  };
  const created = {
    acm: new ACMClient(settings),
    dynamoDb: new DynamoDBClient(settings),
    gateway: new APIGatewayClient(settings),
    route53: new Route53Client(settings),
  };
  onTestFinished(() => {
    for (const client of Object.values(created)) client.destroy();
  });
  return created;
}

function get({ edge }: Runtime, path: string): Promise<string> {
  const [host, port] = edge.https.split(':');
  const agent = new Agent({ ca: readFileSync(edge.ca) });
  onTestFinished(() => agent.destroy());
  return new Promise((resolve, reject) => {
    request({ agent, host, port, path, servername: NAME, headers: { Host: NAME } })
      .on('response', async response => {
        resolve(`${response.statusCode} ${Buffer.concat(await response.toArray())}`);
      })
      .on('error', reject)
      .end();
  });
}

test('a domain goes live by DNS, ACM and API Gateway, holds its API, and stays live after a restart', async () => {
  const dataFolder = temporaryFolder();
  const assembly = writeZooAssembly(temporaryFolder(), { tableName });
  const options = {
    assembly,
    port: 0,
    dataFolder,
    dynamoDbEndpoint,
    waitScale: 0.001,
    report: unexpectedReport,
  };
  const first = await startRuntime(options);
  onTestFinished(first.stop);
  const { acm, gateway, route53 } = clients(first);

  const { HostedZone } = await route53.send(
    new CreateHostedZoneCommand({ Name: 'zoo.example', CallerReference: 'zoo' }),
  );
  const { CertificateArn } = await acm.send(
    new RequestCertificateCommand({ DomainName: NAME, ValidationMethod: 'DNS' }),
  );
  const described = async () =>
    (await acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate ?? {};
  const validationRecord = async () => (await described()).DomainValidationOptions?.[0]?.ResourceRecord;
  await expect.poll(validationRecord, PATIENTLY).toBeDefined();
  const record = await validationRecord();
  expect((await described()).Status).toBe('PENDING_VALIDATION');

  const ResourceRecordSet = {
    Name: record?.Name,
    Type: 'CNAME' as const,
    TTL: 300,
    ResourceRecords: [{ Value: record?.Value }],
  };
  await route53.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId: HostedZone?.Id,
      ChangeBatch: { Changes: [{ Action: 'CREATE', ResourceRecordSet }] },
    }),
  );
  await expect.poll(async () => (await described()).Status, PATIENTLY).toBe('ISSUED');

  await expect(get(first, '/animals?now=1')).rejects.toThrow();
  await gateway.send(
    new CreateDomainNameCommand({
      domainName: NAME,
      regionalCertificateArn: CertificateArn,
      endpointConfiguration: { types: ['REGIONAL'] },
    }),
  );
  expect(await get(first, '/animals?now=1')).toBe('403 {"message":"Forbidden"}');
  const restApiId = shortId({ stack: 'Zoo', logicalId: 'Api', property: () => undefined }, 10);
  await gateway.send(new CreateBasePathMappingCommand({ domainName: NAME, restApiId, stage: 'staging' }));
  expect(await get(first, '/animals?now=1')).toBe('200 hello 24');
  await expect(
    first.deploy(writeCloudAssembly(temporaryFolder(), { Zoo: { Resources: {} } })),
  ).rejects.toThrow(`The REST API ${restApiId} cannot be deleted: the domain name ${NAME} is mapped to it.`);
  expect(await get(first, '/animals?now=1')).toBe('200 hello 24');
  await first.stop();

  const second = await startRuntime(options);
  onTestFinished(second.stop);
  expect(await get(second, '/animals?now=1')).toBe('200 hello 24');
}, 60_000);

test('ACM’s event for a renewal that needs action reaches the function of its rule', async () => {
  const dataFolder = temporaryFolder();
  const inTenDaysMs = Date.now() + 10 * 24 * 60 * 60 * 1000;
  const arn = await keepDomainName(dataFolder, { domainName: NAME, notAfterMs: inTenDaysMs });
  const functionArn = { 'Fn::GetAtt': ['Animals', 'Arn'] };
  const more = {
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        EventPattern: {
          source: ['aws.acm'],
          'detail-type': ['ACM Certificate Renewal Action Required'],
          resources: [arn],
          detail: { CommonName: [NAME] },
        },
        Targets: [{ Id: 'T', Arn: functionArn, Input: '{"queryStringParameters":{"put":"put"}}' }],
      },
    },
    RulePermission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: functionArn,
        Principal: 'events.amazonaws.com',
        SourceArn: { 'Fn::GetAtt': ['Rule', 'Arn'] },
      },
    },
  };
  const assembly = writeZooAssembly(temporaryFolder(), { tableName, more });
  const options = {
    assembly,
    port: 0,
    dataFolder,
    dynamoDbEndpoint,
    waitScale: 0.001,
    report: unexpectedReport,
  };
  const runtime = await startRuntime(options);
  onTestFinished(runtime.stop);
  const { acm, dynamoDb } = clients(runtime);
  const put = new GetItemCommand({ TableName: tableName, Key: { id: { S: 'put' } } });
  await expect.poll(async () => (await dynamoDb.send(put)).Item, PATIENTLY).toBeDefined();
  const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn: arn }));
  expect(Certificate?.RenewalSummary?.RenewalStatus).toBe('PENDING_VALIDATION');
}, 60_000);
