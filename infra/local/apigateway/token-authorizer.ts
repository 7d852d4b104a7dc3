/**
 * A Lambda authorizer of type TOKEN.
 *
 * Its event is {"type": "TOKEN", "authorizationToken": "Bearer …", "methodArn": "arn:aws:execute-api:…"}, its response
 * {"principalId": "…", "policyDocument": {…}, "context": {"key": "string, number or boolean"},
 * "usageIdentifierKey": "the value of an API key"}. Context and usageIdentifierKey are optional.
 */
import * as z from 'zod';
import { areMet, Conditions } from '../iam/conditions.ts';
import { matchesWildcards } from '../iam/wildcards.ts';
import type { InvocationResult } from '../lambda/invocation.ts';
import { type Authorizer, type Declared, functionArn, wholeTextPattern } from './declared-resources.ts';
import { type Exchange, headerValue } from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';
import { executeApiArn, functionErrorMessage, type GatewayServices, jsonValue } from './gateway-services.ts';

/** The identity of the client, as the authorizer returns it. REST APIs pass all values of the context as strings. */
export interface Authorization {
  readonly principalId: string;
  readonly context: Readonly<Record<string, string>>;
  /** The value of the API key whose usage plan throttles the request. Such a key need not exist. */
  readonly usageIdentifierKey: string | undefined;
  /** The duration of the function's invocation; 0 when its response was cached. */
  readonly integrationLatencyMs: number;
}

export interface TokenAuthorizer {
  /** Returns the client's identity, or throws the GatewayFault to respond with. */
  authorize(exchange: Exchange, methodArn: string): Promise<Authorization>;
  /** Empties the cache. */
  flush(): void;
}

const Strings = z.union([z.string().transform(text => [text]), z.array(z.string())]);

/** The one condition key that API Gateway is given a value of here. */
const CURRENT_TIME = 'aws:CurrentTime';

const CurrentTimeConditions = Conditions.refine(
  operators => {
    const keys = Object.values(operators).flatMap(Object.keys);
    return keys.length > 0 && keys.every(key => key === CURRENT_TIME);
  },
  { message: `only conditions on ${CURRENT_TIME} are supported` },
);

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: Strings,
  Resource: Strings,
  Condition: CurrentTimeConditions.optional(),
});

/**
 * The policy that a Lambda authorizer returns:
 * {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": "arn:…/*",
 *   "Condition": {"DateLessThan": {"aws:CurrentTime": "2030-12-05T00:00:00Z"}}}]}
 *
 * Statement, Action, Resource and the values of a condition are one value or a list. Other parts of a policy (conditions
 * on anything but the current time, NotAction, NotResource) are rejected: to ignore them could allow what the policy
 * denies.
 */
export const PolicyDocument = z.strictObject({
  Version: z.enum(['2012-10-17', '2008-10-17']).optional(),
  Id: z.string().optional(),
  Statement: z.union([Statement.transform(statement => [statement]), z.array(Statement)]),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

const AuthorizerResponse = z.object({
  principalId: z.string(),
  policyDocument: PolicyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).nullish(),
  usageIdentifierKey: z.string().nullish(),
});
type AuthorizerResponse = z.infer<typeof AuthorizerResponse>;

/** The authorizer of one stage, with the cache of that stage. */
export function tokenAuthorizer(
  { physicalId, properties, refuse }: Declared<Authorizer>,
  services: GatewayServices,
): TokenAuthorizer {
  const headerName = properties.IdentitySource.replace('method.request.header.', '');
  const validation = wholeTextPattern(properties.IdentityValidationExpression ?? '.*', refuse);
  const ttlMs = (properties.AuthorizerResultTtlInSeconds ?? 300) * 1000;
  const caller = {
    principal: 'apigateway.amazonaws.com',
    sourceArn: `${executeApiArn(services, properties.RestApiId)}/authorizers/${physicalId}`,
  };
  let cache = new Map<string, { response: AuthorizerResponse; expiresAtMs: number }>();
  let invocations = new Map<string, Promise<InvocationResult>>();

  async function invoke(event: unknown): Promise<InvocationResult> {
    try {
      return await services.invoke(functionArn(properties.AuthorizerUri), event, caller);
    } catch (cause) {
      throw new GatewayFault('AUTHORIZER_FAILURE', { cause });
    }
  }

  /**
   * Requests with the same token share an invocation, if its response is to be cached: AWS has a thousand environments
   * for a burst of them, this machine has a few. Their responses are those that a cached policy would lead to.
   */
  function invokeOnce(authorizationToken: string, methodArn: string): Promise<InvocationResult> {
    const known = invocations.get(authorizationToken);
    if (known !== undefined) return known;
    const current = invocations;
    const invocation = invoke({ type: 'TOKEN', authorizationToken, methodArn }).finally(() =>
      current.delete(authorizationToken),
    );
    if (ttlMs > 0) current.set(authorizationToken, invocation);
    return invocation;
  }

  async function ask(
    authorizationToken: string,
    methodArn: string,
    variables: Map<string, string>,
  ): Promise<AuthorizerResponse> {
    // A response to an invocation that began before a flush must not be cached after it.
    const cacheAtStart = cache;
    const result = await invokeOnce(authorizationToken, methodArn);
    if (result.requestId !== undefined) variables.set('authorizer.requestId', result.requestId);
    const response = readResponse(result);
    const now = services.now();
    // All entries have the same TTL, and a Map keeps them in order: the first ones expire first.
    for (const [token, { expiresAtMs }] of cacheAtStart) {
      if (expiresAtMs > now) break;
      cacheAtStart.delete(token);
    }
    cacheAtStart.delete(authorizationToken);
    if (ttlMs > 0) cacheAtStart.set(authorizationToken, { response, expiresAtMs: now + ttlMs });
    return response;
  }

  return {
    async authorize({ headers, variables }, methodArn) {
      const token = headerValue(headers, headerName);
      if (!token || !validation.test(token)) throw new GatewayFault('UNAUTHORIZED');
      const startedAtMs = services.now();
      const cached = cache.get(token);
      const isFresh = cached !== undefined && cached.expiresAtMs > startedAtMs;
      const response = isFresh
        ? cached.response
        : await ask(token, methodArn, variables).catch(noteError(variables));
      const { principalId, policyDocument, context, usageIdentifierKey } = response;
      const integrationLatencyMs = isFresh ? 0 : services.now() - startedAtMs;
      // The gateway response to a Deny may use these variables, too.
      for (const [key, value] of Object.entries(context ?? {})) variables.set(`authorizer.${key}`, value);
      variables.set('authorizer.principalId', principalId);
      variables.set('authorizer.integrationLatency', String(integrationLatencyMs));
      variables.set('authorizer.latency', String(integrationLatencyMs));
      // The conditions of a cached policy are evaluated for each request.
      requireAllowed(policyDocument, methodArn, services.now());
      return {
        principalId,
        context: context ?? {},
        usageIdentifierKey: usageIdentifierKey ?? undefined,
        integrationLatencyMs,
      };
    },
    flush() {
      cache = new Map();
      invocations = new Map();
    },
  };
}

/** Makes the error of the authorizer available to the access log ($context.authorizer.error), not to the client. */
function noteError(variables: Map<string, string>): (fault: Error) => never {
  return fault => {
    if (fault.cause instanceof Error) variables.set('authorizer.error', fault.cause.message);
    throw fault;
  };
}

function requireAllowed(policy: PolicyDocument, methodArn: string, nowMs: number): void {
  const decision = evaluatePolicy(policy, methodArn, nowMs);
  if (decision === 'implicit deny') throw new GatewayFault('ACCESS_DENIED');
  if (decision === 'explicit deny') {
    const clientMessage = 'User is not authorized to access this resource with an explicit deny';
    throw new GatewayFault('ACCESS_DENIED', { clientMessage });
  }
}

function readResponse({ payload, functionError }: InvocationResult): AuthorizerResponse {
  if (functionError !== undefined) {
    const message = functionErrorMessage(payload);
    const cause = new Error(message ?? functionError);
    throw new GatewayFault(message === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE', { cause });
  }
  const response = AuthorizerResponse.safeParse(jsonValue(payload));
  if (!response.success) throw new GatewayFault('AUTHORIZER_CONFIGURATION_ERROR', { cause: response.error });
  return response.data;
}

/** Whether the policy allows a method to be invoked now. A Deny wins; without a matching statement it is denied. */
export function evaluatePolicy(
  policy: PolicyDocument,
  methodArn: string,
  nowMs: number,
): 'allow' | 'implicit deny' | 'explicit deny' {
  const context = { keys: { [CURRENT_TIME]: [new Date(nowMs).toISOString()] } };
  const effects = policy.Statement.filter(
    ({ Action, Resource, Condition = {} }) =>
      // IAM compares actions without regard to case, resources with it.
      Action.some(action => matchesWildcards(action.toLowerCase(), 'execute-api:invoke')) &&
      Resource.some(resource => matchesWildcards(resource, methodArn)) &&
      areMet(Condition, context),
  ).map(({ Effect }) => Effect);
  if (effects.includes('Deny')) return 'explicit deny';
  return effects.includes('Allow') ? 'allow' : 'implicit deny';
}
