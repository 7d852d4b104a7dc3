import { expect, onTestFinished } from 'vitest';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import type { AwsService } from '../../../../infra/local/aws-api/service-api.ts';
import { close, listen, originOf } from '../../../../infra/local/host/http-servers.ts';
import { type Principal, principalOutside } from '../../../../infra/local/iam/principal.ts';

/** Serves services on a free port until the test has finished. The test fails if the endpoint reported something. */
export async function serveEndpoint(services: Readonly<Record<string, AwsService>>, principal?: Principal) {
  const server = await listen(0, '');
  const reported: string[] = [];
  server.on(
    'request',
    awsEndpoint({
      services,
      principal: accessKeyId => principal ?? principalOutside(accessKeyId),
      report: line => reported.push(line),
    }),
  );
  onTestFinished(async () => {
    await close(server);
    expect(reported).toEqual([]);
  });
  return {
    /** For clients of the SDK. They do not retry: a test sees the first response. */
    clientOptions: {
      endpoint: originOf(server),
      region: 'us-east-1',
      credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
      maxAttempts: 1,
    },
    endpoint: originOf(server),
    /** What the endpoint reported. A test that expects a report takes it out. */
    reported,
  };
}

/** The facts of a small service, for all protocols. */
export const ZOO = {
  title: 'Zoo',
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

const AUTHORIZATION = 'AWS4-HMAC-SHA256 Credential=KEY/20260101/us-east-1/zoo/aws4_request, Signature=0';

/** Serves a service until the test has finished, and sends requests to it. */
export async function serveApi(service: AwsService, principal?: Principal) {
  const { endpoint } = await serveEndpoint({ zoo: service }, principal);
  return async (path: string, { headers, ...init }: RequestInit = {}) => {
    const response = await fetch(`${endpoint}${path}`, {
      ...init,
      headers: { authorization: AUTHORIZATION, connection: 'close', ...headers },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
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
