import type {
  APIGatewayAuthorizerResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
  PolicyDocument,
} from 'aws-lambda';
import { usageIdentifierOf } from '../../shared/api-keys/api-key.ts';
import { apiKeyLookup } from '../../shared/api-keys/api-key-lookup.ts';
import { lineageOf } from '../../shared/api-keys/api-key-record.ts';
import { joinScopes } from '../../shared/api-keys/scopes.ts';
import { required } from '../../shared/environment.ts';
import { log } from '../../shared/log.ts';

const apiKeys = apiKeyLookup(required('API_KEYS_TABLE'), required('API_KEY_PREFIX'));

/**
 * The TOKEN authorizer of every operation: allows the holder of a valid API key to call this API and stage, and denies it
 * to everybody else. A Deny is a response like any other, so Lambda counts no error; clients get 401 (the gateway response
 * ACCESS_DENIED). It throws only when it cannot know, and clients get 503.
 *
 * API Gateway caches a Deny by key for as long as an Allow, 5 minutes. That never locks out a valid key: its
 * record is written before it is shown, the look-up is a write and so sees it, and neither a revocation nor an expiry is
 * ever taken back. Only a table that is restored can bring a refused key back, which then works within the 5 minutes.
 *
 * Requests with random keys cost about 1 USD a million with their logs, and 2 USD where the checksum is right and
 * DynamoDB is asked. API Gateway stops what doesn't look like a key; the throttle of
 * the stage and the setting `requestsPerAddress` limit the rest.
 */
export async function handler(
  event: APIGatewayTokenAuthorizerEvent,
  { awsRequestId: requestId }: Pick<Context, 'awsRequestId'>,
): Promise<APIGatewayAuthorizerResult> {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: any other text that cannot be a key is refused in the same way.
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(event.authorizationToken) ?? [];
  const found = await apiKeys.use(key);
  if ('reason' in found) {
    const { reason: refusal, keyId } = found;
    log.info('API key refused', { requestId, ...found });
    return {
      principalId: 'refused',
      policyDocument: policy('Deny', event.methodArn),
      // For the access log: a request that the cache refuses has no line in the log of this function.
      context: { refusal, ...(keyId && { keyId }) },
    };
  }
  const { id, scopes, expiresAt } = found;
  return {
    principalId: id,
    policyDocument: policy('Allow', event.methodArn, expiresAt),
    context: {
      keyId: id,
      lineage: lineageOf(found),
      scopes: joinScopes(scopes),
      ...(expiresAt && { expiresAt }),
    },
    usageIdentifierKey: usageIdentifierOf(id),
  };
}

/**
 * A policy on every method and path of the called stage: API Gateway caches it by key and applies it to all operations.
 * A method's ARN is `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>`.
 */
function policy(Effect: 'Allow' | 'Deny', methodArn: string, endsAt: string | null = null): PolicyDocument {
  const [api, stage] = methodArn.split('/');
  const Resource = `${api}/${stage}/*/*`;
  const Condition = endsAt && { DateLessThan: { 'aws:CurrentTime': inSeconds(endsAt) } };
  return {
    Version: '2012-10-17',
    Statement: [{ Effect, Action: 'execute-api:Invoke', Resource, ...(Condition && { Condition }) }],
  };
}

/** Conditions of policies can't have fractions of a second, so a key expires up to a second early. */
function inSeconds(time: string): string {
  return time.replace(/\.\d+/, '');
}
