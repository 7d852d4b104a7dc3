import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCallerIdentityCommand, GetSessionTokenCommand, STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, onTestFinished, test } from 'vitest';
import { awsEndpoint, STS_HOST } from '../aws-api/endpoint.ts';
import { developer, developerKey, developerWith } from '../iam/principal.ts';
import { stsService } from '../sts-service.ts';
import { Sha256, unexpectedReport } from '../testing/served-endpoint.ts';

const KEEPER = {
  secretAccessKey: 'hay',
  sessionToken: 'to+ken/==',
  arn: 'arn:aws:sts::000000000000:assumed-role/Keepers/jane',
};
const DEVELOPER = developerKey(undefined);
const DEVELOPER_ARN = 'arn:aws:iam::000000000000:user/developer';

const caller = (accessKeyId: string) =>
  accessKeyId === 'ASIAKEEPER' ? { ...KEEPER, principal: developer } : developerWith(DEVELOPER)(accessKeyId);

/** An AWS endpoint with nothing but STS, and the URLs that it was called by. */
async function startSts(now = Date.now) {
  const calls: string[] = [];
  const serve = awsEndpoint({ services: { sts: stsService }, caller, now, report: unexpectedReport });
  const server = createServer((request, response) => {
    calls.push(String(request.url));
    serve(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

async function clientOf(credentials: {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}) {
  const { endpoint } = await startSts();
  const client = new STSClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return client;
}

describe('GetCallerIdentity of the SDK', () => {
  test.each([
    [DEVELOPER, DEVELOPER_ARN],
    [{ ...KEEPER, accessKeyId: 'ASIAKEEPER' }, KEEPER.arn],
  ])('says whose signature it is', async (credentials, Arn) => {
    const client = await clientOf(credentials);
    expect(await client.send(new GetCallerIdentityCommand({}))).toMatchObject({
      Arn,
      Account: '000000000000',
    });
  });

  test.each([
    ['SignatureDoesNotMatch', { ...DEVELOPER, secretAccessKey: 'guessed' }],
    ['InvalidClientTokenId', { ...DEVELOPER, accessKeyId: 'AKIASTRANGER' }],
    ['InvalidClientTokenId', { ...KEEPER, accessKeyId: 'ASIAKEEPER', sessionToken: 'another' }],
  ])('is refused with %s: %j', async (name, credentials) => {
    const client = await clientOf(credentials);
    await expect(client.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({ name });
  });

  test('is all there is', async () => {
    const client = await clientOf(DEVELOPER);
    await expect(client.send(new GetSessionTokenCommand({}))).rejects.toMatchObject({
      name: 'NotImplemented',
    });
  });
});

describe('a presigned request', () => {
  const BINDING = 'staging/keys.create';

  /** A presigned request as the operator function sends it, and then with a change. */
  async function replayed(
    change: (url: URL) => void,
    headers: Record<string, string> = {},
    now?: () => number,
  ) {
    const { endpoint, calls } = await startSts(now);
    const signer = new SignatureV4({
      credentials: DEVELOPER,
      region: 'us-east-1',
      service: 'sts',
      sha256: Sha256,
    });
    const { query = {} } = await signer.presign(
      {
        protocol: 'https:',
        hostname: STS_HOST,
        path: '/',
        method: 'GET',
        query: { Action: 'GetCallerIdentity', Version: '2011-06-15' },
        headers: { host: STS_HOST, 'x-petstore-payload': BINDING },
      },
      { expiresIn: 300 },
    );
    const url = new URL(`${endpoint}/?${new URLSearchParams(query as Record<string, string>)}`);
    change(url);
    const { request } = await import('node:http');
    const sent = request(url, {
      headers: { host: STS_HOST, 'x-petstore-payload': BINDING, ...headers },
    });
    sent.end();
    const [response] = await once(sent, 'response');
    expect(calls).toHaveLength(1);
    return { status: response.statusCode, body: Buffer.concat(await response.toArray()).toString() };
  }

  test('is valid by its query and its signed headers', async () => {
    expect(await replayed(() => {})).toMatchObject({
      status: 200,
      body: expect.stringContaining(DEVELOPER_ARN),
    });
  });

  test.each<[what: string, change: (url: URL) => void, headers?: Record<string, string>]>([
    ['another payload', () => {}, { 'x-petstore-payload': '0'.repeat(64) }],
    ['another host', () => {}, { host: '127.0.0.1' }],
    ['another time', url => url.searchParams.set('X-Amz-Expires', '86400')],
    ['a header less', url => url.searchParams.set('X-Amz-SignedHeaders', 'host')],
    ['no signed host', url => url.searchParams.set('X-Amz-SignedHeaders', 'x-petstore-payload')],
    ['another signature', url => url.searchParams.set('X-Amz-Signature', 'ab')],
  ])('is refused with %s', async (_, change, headers) => {
    const { status, body } = await replayed(change, headers);
    expect([status, body]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')]);
  });

  test.each([-6, 6])('is refused %i minutes later', async minutes => {
    const { status, body } = await replayed(
      () => {},
      {},
      () => Date.now() + minutes * 60_000,
    );
    expect([status, body]).toEqual([403, expect.stringContaining('expired')]);
  });
});
