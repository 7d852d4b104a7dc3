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
 * ACCESS_DENIED). It throws only when it can't tell, and clients then get 503.
 *
 * API Gateway caches a Deny by key for as long as an Allow, 5 minutes. That never locks out a valid key: its record is
 * written before it is shown, the look-up is a write and so sees it, and a revocation or an expiry is never undone. Only
 * restoring the table can bring a refused key back, and it then works within 5 minutes.
 *
 * Requests with random keys cost about 1 USD per million including logs, or 2 USD if the checksum is right and DynamoDB is
 * asked. API Gateway stops what doesn't look like a key; the throttle of the stage and the setting `requestsPerAddress`
 * limit the rest.
 */
export async function handler(
  event: APIGatewayTokenAuthorizerEvent,
  { awsRequestId: requestId }: Pick<Context, 'awsRequestId'>,
): Promise<APIGatewayAuthorizerResult> {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: any other text that can't be a key is refused the same way.
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(event.authorizationToken) ?? [];
  const found = await apiKeys.use(key);
  if ('reason' in found) {
    const { reason: refusal, keyId } = found;
    log.info('API key refused', { requestId, ...found });
    return {
      principalId: 'refused',
      policyDocument: policy('Deny', event.methodArn),
      // For the access log: a request refused from the cache has no line in this function's log.
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
