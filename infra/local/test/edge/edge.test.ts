import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { openCertificateAuthority } from '../../acm/certificate-authority.ts';
import { Certificates } from '../../acm/certificates.ts';
import { DomainNames } from '../../apigateway-control/domain-names.ts';
import { REGION, URL_SUFFIX } from '../../cloudformation/pseudo-parameters.ts';
import { startEdge } from '../../edge/edge.ts';
import { close } from '../../host/http-servers.ts';
import { awsAddresses } from '../../route53/aws-names.ts';
import { needs } from '../../testing/needs.ts';
import { API_ID, api, onePet, serve } from '../../testing/served-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const NAME = 'www.zoo.example';
const MAPPING = { restApiId: API_ID, stage: 'test' };

/** An edge with an API. The test creates domain names and certificates. */
async function edge() {
  const authority = await openCertificateAuthority(temporaryFolder());
  const certificates = new Certificates();
  const domainNames = new DomainNames();
  const served = await serve([...api(), ...onePet()]);
  const server = await startEdge(0, {
    domainNames,
    authority,
    findCertificate: arn => certificates.find(arn),
    served: ({ issued }) => issued,
    restApis: async () => served.apis,
    currentApis: () => served.apis,
  });
  onTestFinished(() => close(server));
  const { port } = server.address() as AddressInfo;

  const sign = async (arn: string, name: string) => {
    const issued = { ...(await authority.sign([name], 'EC_prime256v1', Date.now())), issuedAtMs: 0 };
    certificates.change(arn, { status: 'ISSUED', issued });
  };
  const add = async (domainName: string, mapping?: typeof MAPPING): Promise<string> => {
    const newCertificate = {
      names: [domainName],
      keyAlgorithm: 'EC_prime256v1',
      tags: {},
      createdAtMs: 0,
    } as const;
    const { arn } = certificates.add(newCertificate);
    await sign(arn, domainName);
    domainNames.add({
      domainName,
      certificateArn: arn,
      securityPolicy: 'TLS_1_2',
      ipAddressType: 'ipv4',
      tags: {},
    });
    if (mapping !== undefined) domainNames.map(domainName, mapping);
    return arn;
  };
  const agent = new Agent({ ca: authority.certificate, keepAlive: false });
  onTestFinished(() => agent.destroy());
  const get = (path: string, servername = NAME, host = servername, address = '127.0.0.1') =>
    new Promise<{ status: number | undefined; body: string; serial: string | undefined }>(
      (resolve, reject) => {
        request({ agent, host: address, port, path, servername, headers: { Host: host } })
          .on('response', async response => {
            const certificate = (response.socket as import('node:tls').TLSSocket).getPeerCertificate();
            const body = Buffer.concat(await response.toArray()).toString();
            resolve({ status: response.statusCode, body, serial: certificate.serialNumber });
          })
          .on('error', reject)
          .end();
      },
    );
  return { port, served, certificates, domainNames, sign, add, get };
}

test(
  '200: a name is served by IPv6, too',
  needs('IPv6', awsAddresses(`d-1.execute-api.${REGION}.${URL_SUFFIX}.`, 'AAAA').length > 0),
  async () => {
    const { add, get } = await edge();
    await add(NAME, MAPPING);
    expect(await get('/pets/7', NAME, NAME, '::1')).toMatchObject({ status: 200 });
  },
);

test('200: a name is served by its mapped stage, with its certificate', async () => {
  const { add, get, served, port } = await edge();
  await add(NAME, MAPPING);
  expect(await get('/pets/7?color=brown', NAME, `WWW.zoo.example:${port}`)).toMatchObject({
    status: 200,
    body: '{}',
  });
  const [{ event } = {}] = served.invocations;
  expect(event).toMatchObject({
    path: '/pets/7',
    resource: '/pets/{petId}',
    queryStringParameters: { color: 'brown' },
    headers: { 'X-Forwarded-Proto': 'https', Host: `WWW.zoo.example:${port}` },
    requestContext: { domainName: NAME, domainPrefix: 'www', path: '/pets/7', stage: 'test', apiId: API_ID },
  });
});

test('403: the path contains the stage', async () => {
  const { add, get } = await edge();
  await add(NAME, MAPPING);
  expect(await get('/test/pets/7')).toMatchObject({ status: 403 });
});

test('403: there is no mapping, its stage is gone, or the host is another one', async () => {
  const { add, get, domainNames } = await edge();
  const forbidden = { status: 403, body: '{"message":"Forbidden"}' };
  await add(NAME);
  expect(await get('/pets/7')).toMatchObject(forbidden);
  domainNames.map(NAME, { restApiId: 'gone', stage: 'test' });
  expect(await get('/pets/7')).toMatchObject(forbidden);
  domainNames.map(NAME, { restApiId: API_ID, stage: 'gone' });
  expect(await get('/pets/7')).toMatchObject(forbidden);
  domainNames.map(NAME, MAPPING);
  expect(await get('/pets/7')).toMatchObject({ status: 200 });
  expect(await get('/pets/7', NAME, 'zoo.example')).toMatchObject(forbidden);
});

test('the handshake fails for an unknown name, a removed name and without a name', async () => {
  const { add, get, domainNames, port } = await edge();
  await add(NAME, MAPPING);
  await expect(get('/pets/7', 'zoo.example')).rejects.toThrow();
  await get('/pets/7');
  domainNames.remove(NAME);
  await expect(get('/pets/7')).rejects.toThrow();
  await expect(
    new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () =>
        resolve('connected'),
      );
      socket.on('error', reject);
    }),
  ).rejects.toThrow();
});

test('each name has its own certificate; a renewed one is used at once', async () => {
  const { add, get, sign, certificates } = await edge();
  const arn = await add(NAME, MAPPING);
  await add('zoo.example', MAPPING);
  const serialOf = (certificateArn: string) =>
    certificates.find(certificateArn)?.issued?.serial.replaceAll(':', '').toUpperCase();
  expect((await get('/pets/7')).serial).toBe(serialOf(arn));
  expect((await get('/pets/7', 'zoo.example')).serial).not.toBe(serialOf(arn));
  const before = serialOf(arn);
  await sign(arn, NAME);
  expect(serialOf(arn)).not.toBe(before);
  expect((await get('/pets/7')).serial).toBe(serialOf(arn));
});

test.each([
  ['raw UTF-8 in the path', 'GET /pets/é HTTP/1.1\r\nHost: www.zoo.example\r\n\r\n'],
  ['an unknown method', 'BREW /pets/7 HTTP/1.1\r\nHost: www.zoo.example\r\n\r\n'],
  ['no Host header', 'GET /pets/7 HTTP/1.1\r\n\r\n'],
])('400: %s is refused with a body, by the stage of the TLS name', async (_title, text) => {
  const { add, port, served } = await edge();
  await add(NAME, MAPPING);
  const response = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', servername: NAME, rejectUnauthorized: false }, () =>
      socket.write(text),
    );
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part;
    });
    socket.on('end', () => resolve(received)).on('error', reject);
  });
  expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(response).toMatch(/\r\nx-amz-apigw-id: \S+\r\n/);
  expect(response).toMatch(/\r\n\r\n\{"message":"Bad Request"\}$/);
  expect(served.invocations).toEqual([]);
});

test('a wildcard serves the names one label below it, with its certificate; a domain name of their own outranks it', async () => {
  const { add, get } = await edge();
  await add('*.zoo.example', MAPPING);
  expect(await get('/pets/7', 'Lion.zoo.example')).toMatchObject({ status: 200 });
  await add('lion.zoo.example');
  expect(await get('/pets/7', 'lion.zoo.example')).toMatchObject({ status: 403 });
  for (const name of ['zoo.example', 'a.lion.zoo.example'])
    await expect(get('/pets/7', name)).rejects.toThrow();
});
