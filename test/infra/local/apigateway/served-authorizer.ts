import type { InvocationResult } from '../../../../infra/local/lambda/invocation.ts';
import {
  API_ARN,
  AUTHORIZER_ARN,
  answers,
  api,
  authorizer,
  type Invocation,
  onePet,
  serve,
} from './served-api.ts';

export const policy = (Effect: string, Resource = `${API_ARN}/test/*/*`) => ({
  Version: '2012-10-17',
  Statement: [{ Effect, Action: 'execute-api:Invoke', Resource }],
});

export const allow = (context?: unknown) =>
  answers({
    principalId: 'key-1',
    policyDocument: policy('Allow'),
    ...(context !== undefined && { context }),
  });

type Authorize = (invocation: Invocation) => InvocationResult | Promise<InvocationResult>;

/** Serves an API whose method has an authorizer; `call` sends a request, `asked` are the authorizer's invocations. */
export async function serveAuthorized(
  authorize: Authorize,
  properties = {},
  more: Parameters<typeof serve>[0] = [],
) {
  const methodProperties = { AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1' };
  const served = await serve(
    [...api(), authorizer(properties), ...onePet(methodProperties), ...more],
    invocation =>
      invocation.functionArn === AUTHORIZER_ARN
        ? authorize(invocation)
        : answers({ statusCode: 200, body: 'pet' }),
  );
  const call = (token?: string) =>
    served.send('/test/pets/7', { headers: token === undefined ? [] : ['authorization', token] });
  const asked = () => served.invocations.filter(({ functionArn }) => functionArn === AUTHORIZER_ARN);
  return { served, call, asked };
}
