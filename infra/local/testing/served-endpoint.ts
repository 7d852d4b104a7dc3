import { type BinaryLike, createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import type { $SchemaRef, StaticOperationSchema, StaticStructureSchema } from '@smithy/types';
import { expect, onTestFinished } from 'vitest';
import { awsEndpoint } from '../aws-api/endpoint.ts';
import type { AwsService, SdkProtocol, ServiceSdk } from '../aws-api/service-api.ts';
import { close, listen, originOf } from '../host/http-servers.ts';
import { type Caller, developer, developerWith, type Principal } from '../iam/principal.ts';

export { developer, type Principal };

/** An access key for the endpoints of tests, where all have the same secret, which functions in tests have, too. */
export const TEST_KEY = { accessKeyId: 'developer', secretAccessKey: 'test' };

/** Whose an access key is in a test: that of the principal, or of another account or the developer. */
export function testCaller(principal?: Principal) {
  const known = developerWith(TEST_KEY);
  return (accessKeyId: string): Caller => {
    const caller = (known(accessKeyId) ?? known(TEST_KEY.accessKeyId)) as Caller;
    return { ...caller, principal: principal ?? caller.principal };
  };
}

export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** SHA-256, or its HMAC if there is a secret, as the SDK's signer wants it. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as BinaryLike);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

interface SigningScope {
  readonly service?: string;
  readonly accessKeyId?: string;
  readonly signingDate?: Date;
}

/** Signs a request as the SDK does, and returns its headers. */
export async function signedHeaders(
  url: string,
  { method = 'GET', headers = {}, body = '' }: TestRequest,
  { service = 'zoo', accessKeyId = TEST_KEY.accessKeyId, signingDate = new Date() }: SigningScope = {},
): Promise<Record<string, string>> {
  const { protocol, hostname, host, pathname: path, searchParams } = new URL(url);
  const credentials = { ...TEST_KEY, accessKeyId };
  const signer = new SignatureV4({ credentials, region: 'us-east-1', service, sha256: Sha256 });
  const query = Object.fromEntries([...searchParams.keys()].map(name => [name, searchParams.getAll(name)]));
  const signed = { protocol, hostname, path, query, method, headers: { host, ...headers }, body };
  return (await signer.sign(signed, { signingDate })).headers;
}

/** Signs a request and sends it, if asked with changes. Not by fetch, which marks requests as a browser does. */
export async function sendSigned(
  url: string,
  signed: TestRequest = {},
  scope: SigningScope = {},
  changed: TestRequest & { readonly path?: string } = {},
) {
  const { method, body } = { ...signed, ...changed };
  const { path = url.slice(new URL(url).origin.length) } = changed;
  const headers = { ...(await signedHeaders(url, signed, scope)), ...changed.headers };
  const sent = request(url, { ...(method && { method }), path, headers, agent: false }).end(body);
  const [response]: [IncomingMessage] = (await once(sent, 'response')) as never;
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode, headers: response.headers, text };
}

interface EndpointOptions {
  readonly services: Readonly<Record<string, AwsService>>;
  readonly caller?: (accessKeyId: string) => Caller | undefined;
  readonly region?: string;
  readonly report?: (line: string) => void;
}

/** Serves services on a free port until it is stopped. */
export async function startEndpoint({ caller = testCaller(), ...options }: EndpointOptions) {
  const server = await listen(0, '');
  server.on('request', awsEndpoint({ report: unexpectedReport, caller, ...options }));
  return { endpoint: originOf(server), stop: () => close(server) };
}

/** Serves services on a free port until the test has finished. The test fails if the endpoint reported something. */
export async function serveEndpoint(
  services: Readonly<Record<string, AwsService>>,
  principal?: Principal,
  caller: EndpointOptions['caller'] = testCaller(principal),
) {
  const reported: string[] = [];
  const report = (line: string) => reported.push(line);
  const { endpoint, stop } = await startEndpoint({ services, caller, report });
  onTestFinished(async () => {
    await stop();
    expect(reported).toEqual([]);
  });
  return {
    /** For clients of the SDK. They do not retry: a test sees the first response. */
    clientOptions: {
      endpoint,
      region: 'us-east-1',
      credentials: TEST_KEY,
      maxAttempts: 1,
    },
    endpoint,
    /** What the endpoint reported. A test that expects a report takes it out. */
    reported,
  };
}

/** A package of the SDK, with these schemas and a client of this protocol. */
export function sdkOf(
  protocol: SdkProtocol,
  schemas: Readonly<Record<string, StaticOperationSchema>>,
): Promise<ServiceSdk> {
  const protocolSettings = {
    serviceTarget: 'ZooService',
    version: '2026-11-01',
    xmlNamespace: ZOO_NAMESPACE,
  };
  class Client {
    readonly config = { protocol, protocolSettings };
  }
  return Promise.resolve([schemas, Client]);
}

export const ZOO_NAMESPACE = 'https://zoo.example/';

/** The schema of a structure. Types are numbers: 0 is a text, 1 a number, 2 a flag, 4 a time. */
export function structure(
  name: string,
  members: Readonly<Record<string, $SchemaRef>>,
): StaticStructureSchema {
  return [3, 'zoo', name, 0, Object.keys(members), Object.values(members)];
}

/** The facts of a small service, which speaks JSON. */
export const ZOO = {
  title: 'Zoo',
  sdk: () =>
    sdkOf(new AwsJson1_1Protocol({ defaultNamespace: 'zoo', serviceTarget: 'ZooService' }), {
      FeedPet$: [
        9,
        'zoo',
        'FeedPet',
        0,
        structure('Feeding', { Pet: 0, Grams: 1, Spoon: 0 }),
        structure('Fed', { Fed: 0 }),
      ],
    }),
  actionPrefix: 'zoo',
  statusByError: { Denied: 403, Invalid: 400, Unreadable: 400, TooLarge: 413, Throttled: 429 },
  errorNames: {
    accessDenied: 'Denied',
    invalidInput: 'Invalid',
    unreadableRequest: 'Unreadable',
    bodyTooLarge: 'TooLarge',
  },
  describeIssues: (issues: readonly { readonly message: string }[]) => issues[0]?.message ?? '',
  bodyLimitBytes: 1000,
};

/** Serves a service until the test has finished, and sends requests to it. */
export async function serveApi(service: AwsService, principal?: Principal) {
  const { endpoint } = await serveEndpoint({ zoo: service }, principal);
  return (path: string, request?: TestRequest) => sendSigned(`${endpoint}${path}`, request);
}

/** A principal that may do everything, and what it was asked: each permission with the condition keys of its request. */
export function recordingPrincipal() {
  const asked: { permission: string; keys: unknown }[] = [];
  const principal: Principal = {
    denial: (action, resource, context) => {
      asked.push({ permission: `${action} ${resource}`, keys: context?.keys });
      return undefined;
    },
  };
  return { principal, asked };
}

/**
 * Takes the messages of an AWS endpoint in a test that expects none. What it throws is handled by nobody, so the whole
 * run fails, even if the test does not notice that its request got no response.
 */
export function unexpectedReport(line: string): never {
  throw new Error(`The AWS endpoint reported: ${line}`);
}
