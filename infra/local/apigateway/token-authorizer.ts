/**
 * A Lambda authorizer of type TOKEN.
 *
 * Its event is {"type": "TOKEN", "authorizationToken": "Bearer …", "methodArn": "arn:aws:execute-api:…"}, its answer
 * {"principalId": "…", "policyDocument": {…}, "context": {"key": "string, number or boolean"},
 * "usageIdentifierKey": "the value of an API key"}. Context and usageIdentifierKey are optional.
 */
import * as z from 'zod';
import type { InvocationResult } from '../lambda/invocation.ts';
import type { Declared } from './declared-resources.ts';
import { type Exchange, headerValue } from './exchange.ts';
import { evaluatePolicy, PolicyDocument } from './execute-api-policy.ts';
import { GatewayFault } from './gateway-fault.ts';
import { executeApiArn, type GatewayServices } from './gateway-services.ts';
import { functionErrorMessage, jsonValue } from './invocation-payload.ts';
import { type Authorizer, functionArn } from './resource-properties.ts';
import { wholeTextPattern } from './whole-text-pattern.ts';

/** The identity of the client, as the authorizer returns it. REST APIs pass all values of the context as strings. */
export interface Authorization {
  readonly principalId: string;
  readonly context: Readonly<Record<string, string>>;
  /** The value of the API key whose usage plan throttles the request. Such a key need not exist. */
  readonly usageIdentifierKey: string | undefined;
  /** The duration of the function's invocation; 0 when its answer was cached. */
  readonly integrationLatencyMs: number;
}

export interface TokenAuthorizer {
  /** Returns the client's identity, or throws the GatewayFault to answer with. */
  authorize(exchange: Exchange, methodArn: string): Promise<Authorization>;
  /** Empties the cache. */
  flush(): void;
}

const AuthorizerAnswer = z.object({
  principalId: z.string(),
  policyDocument: PolicyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).nullish(),
  usageIdentifierKey: z.string().nullish(),
});
type AuthorizerAnswer = z.infer<typeof AuthorizerAnswer>;

/** The authorizer of one stage, with the cache of that stage. */
export function tokenAuthorizer(
  { physicalId, properties, refuse }: Declared<Authorizer>,
  services: GatewayServices,
): TokenAuthorizer {
  const headerName = properties.IdentitySource.replace('method.request.header.', '');
  const validation = wholeTextPattern(properties.IdentityValidationExpression ?? '.*', refuse);
  const ttlMs = properties.AuthorizerResultTtlInSeconds * 1000;
  const caller = {
    principal: 'apigateway.amazonaws.com',
    sourceArn: `${executeApiArn(services, properties.RestApiId)}/authorizers/${physicalId}`,
  };
  let cache = new Map<string, { answer: AuthorizerAnswer; expiresAtMs: number }>();

  async function invoke(event: unknown): Promise<InvocationResult> {
    try {
      return await services.invoke(functionArn(properties.AuthorizerUri), event, caller);
    } catch (cause) {
      throw new GatewayFault('AUTHORIZER_FAILURE', { cause });
    }
  }

  async function ask(
    authorizationToken: string,
    methodArn: string,
    variables: Map<string, string>,
  ): Promise<AuthorizerAnswer> {
    // An answer to an invocation that began before a flush must not be cached after it.
    const cacheAtStart = cache;
    const event = { type: 'TOKEN', authorizationToken, methodArn };
    const result = await invoke(event);
    if (result.requestId !== undefined) variables.set('authorizer.requestId', result.requestId);
    const answer = readAnswer(result);
    const now = services.now();
    // All entries have the same TTL, and a Map keeps them in order: the first ones expire first.
    for (const [token, { expiresAtMs }] of cacheAtStart) {
      if (expiresAtMs > now) break;
      cacheAtStart.delete(token);
    }
    cacheAtStart.delete(authorizationToken);
    if (ttlMs > 0) cacheAtStart.set(authorizationToken, { answer, expiresAtMs: now + ttlMs });
    return answer;
  }

  return {
    async authorize({ headers, variables }, methodArn) {
      const token = headerValue(headers, headerName);
      if (!token || !validation.test(token)) throw new GatewayFault('UNAUTHORIZED');
      const startedAtMs = services.now();
      const cached = cache.get(token);
      const isFresh = cached !== undefined && cached.expiresAtMs > startedAtMs;
      const answer = isFresh
        ? cached.answer
        : await ask(token, methodArn, variables).catch(noteError(variables));
      const { principalId, policyDocument, context, usageIdentifierKey } = answer;
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

function readAnswer({ payload, functionError }: InvocationResult): AuthorizerAnswer {
  if (functionError !== undefined) {
    const message = functionErrorMessage(payload);
    const cause = new Error(message ?? functionError);
    throw new GatewayFault(message === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE', { cause });
  }
  const answer = AuthorizerAnswer.safeParse(jsonValue(payload));
  if (!answer.success) throw new GatewayFault('AUTHORIZER_CONFIGURATION_ERROR', { cause: answer.error });
  return answer.data;
}
