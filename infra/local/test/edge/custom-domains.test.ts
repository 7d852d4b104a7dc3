import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openCertificateAuthority } from '../../acm/certificate-authority.ts';
import { Certificates } from '../../acm/certificates.ts';
import { type BasePathMapping, DomainNames } from '../../apigateway-control/domain-names.ts';
import { shortId } from '../../cloudformation/resource-type.ts';
import { type LocalAws, startLocalAws } from '../../local-aws.ts';
import { unexpectedReport } from '../../testing/served-endpoint.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { thirdParty } from '../../testing/third-party.ts';
import { writeCloudAssembly, writeZooAssembly } from '../cloud-assembly-fixture.ts';

interface KeptDomainName {
  readonly domainName: string;
  readonly mapping?: BasePathMapping;
  /** The end of its certificate; by default that of ACM's certificates. */
  readonly notAfterMs?: number;
}

/** Adds a domain name with its certificate, and optionally a mapping, to a data folder. Returns the certificate's ARN. */
async function keepDomainName(
  dataFolder: string,
  { domainName, mapping, notAfterMs }: KeptDomainName,
): Promise<string> {
  const authority = await openCertificateAuthority(dataFolder);
  const certificates = new Certificates(join(dataFolder, 'acm.json'));
  const keyAlgorithm = 'EC_prime256v1';
  const { arn } = certificates.add({ names: [domainName], keyAlgorithm, tags: {}, createdAtMs: Date.now() });
  const signed = await authority.sign([domainName], keyAlgorithm, Date.now());
  const validity = notAfterMs !== undefined && { notBeforeMs: notAfterMs - 198 * DAY_MS, notAfterMs };
  const issued = { ...signed, issuedAtMs: Date.now(), ...validity };
  certificates.change(arn, { status: 'ISSUED', issued });
  const domainNames = new DomainNames({ file: join(dataFolder, 'domain-names.json') });
  domainNames.add({
    domainName,
    certificateArn: arn,
    securityPolicy: 'TLS_1_2',
    ipAddressType: 'ipv4',
    tags: {},
  });
  if (mapping) domainNames.map(domainName, mapping);
  return arn;
}

const NAME = 'www.zoo.example';
const DAY_MS = 24 * 60 * 60 * 1000;

/** In the engine of the run, where another file has the table that the zoo has by default. */
const tableName = 'Zoo-Custom-Domains';
const dynamoDbEndpoint = inject('dynamoDbEndpoint');

/** Below ACM's limit of ten calls a second. */
const PATIENTLY = { interval: 150 };

function clients({ awsEndpoint: endpoint, awsCredentials: credentials }: LocalAws) {
  const settings = { endpoint, region: 'us-east-1', credentials };
  const created = { acm: new ACMClient(settings), dynamoDb: new DynamoDBClient(settings) };
  onTestFinished(() => {
    for (const client of Object.values(created)) client.destroy();
  });
  return created;
}

function get({ edge }: LocalAws, path: string): Promise<string> {
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
  const first = await startLocalAws(options);
  onTestFinished(first.stop);
  const owner = thirdParty(first);
  const certificateArn = await owner.issuedCertificate(NAME, await owner.hostedZone('zoo.example'));

  await expect(get(first, '/pets?now=1')).rejects.toThrow();
  await owner.domainName(NAME, certificateArn);
  expect(await get(first, '/pets?now=1')).toBe('403 {"message":"Forbidden"}');
  const restApiId = shortId({ stack: 'Zoo', logicalId: 'Api', property: () => undefined }, 10);
  await owner.mapping(NAME, restApiId, 'staging');
  expect(await get(first, '/pets?now=1')).toBe('200 hello 24');
  await expect(
    first.deploy(writeCloudAssembly(temporaryFolder(), { Zoo: { Resources: {} } })),
  ).rejects.toThrow(`The REST API ${restApiId} cannot be deleted: the domain name ${NAME} is mapped to it.`);
  expect(await get(first, '/pets?now=1')).toBe('200 hello 24');
  await first.stop();

  const second = await startLocalAws(options);
  onTestFinished(second.stop);
  expect(await get(second, '/pets?now=1')).toBe('200 hello 24');
  const resolver = new Resolver();
  resolver.setServers([second.dns]);
  expect(await resolver.resolveNs('zoo.example')).toHaveLength(4);
});

/** The serial number of the certificate that the edge serves. */
function servedSerial({ edge }: LocalAws): Promise<string> {
  const [host = '', port] = edge.https.split(':');
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), servername: NAME, ca: readFileSync(edge.ca) }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('a certificate that is valid for seconds is renewed, and the edge serves the new one', async () => {
  const runtime = await startLocalAws({
    assembly: writeZooAssembly(temporaryFolder(), { tableName }),
    port: 0,
    dynamoDbEndpoint,
    waitScale: 0.001,
    certificateMinutes: 0.2,
    report: unexpectedReport,
  });
  onTestFinished(runtime.stop);
  const owner = thirdParty(runtime);
  const CertificateArn = await owner.issuedCertificate(NAME, await owner.hostedZone('zoo.example'));
  await owner.domainName(NAME, CertificateArn);
  const serial = await servedSerial(runtime);
  const { acm } = clients(runtime);
  const renewal = async () => {
    const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn }));
    return Certificate?.RenewalSummary?.RenewalStatus;
  };
  await expect.poll(renewal, { ...PATIENTLY, timeout: 30_000 }).toBe('SUCCESS');
  expect(await servedSerial(runtime)).not.toBe(serial);
});

test('ACM’s event for a renewal that needs action reaches the function of its rule', async () => {
  const dataFolder = temporaryFolder();
  const inTenDaysMs = Date.now() + 10 * DAY_MS;
  const arn = await keepDomainName(dataFolder, { domainName: NAME, notAfterMs: inTenDaysMs });
  const functionArn = { 'Fn::GetAtt': ['Pets', 'Arn'] };
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
  const runtime = await startLocalAws(options);
  onTestFinished(runtime.stop);
  const { acm, dynamoDb } = clients(runtime);
  const put = new GetItemCommand({ TableName: tableName, Key: { id: { S: 'put' } } });
  await expect.poll(async () => (await dynamoDb.send(put)).Item, PATIENTLY).toBeDefined();
  const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn: arn }));
  expect(Certificate?.RenewalSummary?.RenewalStatus).toBe('PENDING_VALIDATION');
});
