import type { AwsService } from '../../../../infra/local/aws-api/service-api.ts';
import type { Principal } from '../../../../infra/local/iam/principal.ts';
import { serveEndpoint } from './served-endpoint.ts';

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
    const answer = await fetch(`${endpoint}${path}`, {
      ...init,
      headers: { authorization: AUTHORIZATION, connection: 'close', ...headers },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
}
