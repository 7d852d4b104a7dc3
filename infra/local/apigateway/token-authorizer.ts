/**
 * A Lambda authorizer of type TOKEN.
 *
 * It is sent {"type": "TOKEN", "authorizationToken": "Bearer …", "methodArn": "arn:aws:execute-api:…"} and answers
 * {"principalId": "…", "policyDocument": {…}, "context": {"key": "string, number or boolean"},
 * "usageIdentifierKey": "the value of an API key"}, the last two if it likes.
 */
import * as z from 'zod';
import type { InvocationResult } from '../lambda/invoker.ts';
import type { Declared } from './declared-resources.ts';
import { type Exchange, headerValue } from './exchange.ts';
import { evaluatePolicy, PolicyDocument } from './execute-api-policy.ts';
import { GatewayFault } from './gateway-fault.ts';
import { executeApiArn, type GatewayServices } from './gateway-services.ts';
import { functionErrorMessage, jsonValue } from './invocation-payload.ts';
import { type Authorizer, functionArn } from './resource-properties.ts';
import { wholeTextPattern } from './whole-text-pattern.ts';

/** Who the authorizer says the client is, with all values as the strings in which REST APIs deliver them. */
export interface Authorization {
  readonly principalId: string;
  readonly context: Readonly<Record<string, string>>;
  /** The value of the API key whose usage plan counts the request, whether there is such a key or not. */
  readonly usageIdentifierKey: string | undefined;
  /** How long the function took; 0 when its answer came from the cache. */
  readonly integrationLatencyMs: number;
}

export interface TokenAuthorizer {
  /** Lets a request pass, or throws the gateway's answer to it. */
  authorize(exchange: Exchange, methodArn: string): Promise<Authorization>;
  /** Forgets the cached answers. */
  flush(): void;
}

const AuthorizerAnswer = z.object({
  principalId: z.string(),
  policyDocument: PolicyDocument,
  context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).nullish(),
  usageIdentifierKey: z.string().nullish(),
});
type AuthorizerAnswer = z.infer<typeof AuthorizerAnswer>;

/** The authorizer as one stage uses it, with that stage's cache. */
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

  async function ask(authorizationToken: string, methodArn: string): Promise<AuthorizerAnswer> {
    // An answer that was under way when the cache was flushed must not get into the new one.
    const cacheAtStart = cache;
    const event = { type: 'TOKEN', authorizationToken, methodArn };
    const answer = readAnswer(await invoke(event));
    const now = services.now();
    // All entries live equally long, so the oldest, which a Map keeps first, are the first to expire.
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
      const answer = isFresh ? cached.answer : await ask(token, methodArn).catch(noteError(variables));
      const { principalId, policyDocument, context, usageIdentifierKey } = answer;
      const integrationLatencyMs = isFresh ? 0 : services.now() - startedAtMs;
      // The variables are for the answer to a Deny as well.
      for (const [key, value] of Object.entries(context ?? {})) variables.set(`authorizer.${key}`, value);
      variables.set('authorizer.principalId', principalId);
      variables.set('authorizer.integrationLatency', String(integrationLatencyMs));
      variables.set('authorizer.latency', String(integrationLatencyMs));
      // A cached policy as well as a new one holds for as long as its conditions say.
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

/** The client learns nothing of why its authorizer failed; the access log may, by $context.authorizer.error. */
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
