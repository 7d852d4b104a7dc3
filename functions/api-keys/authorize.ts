import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { usageIdentifierOf } from '../../shared/api-keys/api-key.ts';
import { apiKeyLookup } from '../../shared/api-keys/api-key-lookup.ts';
import { joinScopes } from '../../shared/api-keys/scopes.ts';
import { required } from '../../shared/environment.ts';
import { log } from '../../shared/log.ts';

const apiKeys = apiKeyLookup(required('API_KEYS_TABLE'), required('API_KEY_PREFIX'));

/** The TOKEN authorizer of every operation: allows the holder of a valid API key to call this API and stage. */
export async function handler(
  event: APIGatewayTokenAuthorizerEvent,
  { awsRequestId: requestId }: Pick<Context, 'awsRequestId'>,
): Promise<APIGatewayAuthorizerResult> {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: any other text that cannot be a key is rejected in the same way.
  const [, key = ''] = /^Bearer +(\S+) *$/i.exec(event.authorizationToken) ?? [];
  const apiKey = await apiKeys.use(key, refusal => log.info('API key refused', { requestId, ...refusal }));
  // API Gateway responds 401 to exactly this message, whatever is wrong with the key.
  if (!apiKey) throw new Error('Unauthorized');
  return {
    principalId: apiKey.id,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: 'execute-api:Invoke',
          Resource: wholeStage(event.methodArn),
          ...(apiKey.expiresAt && {
            Condition: { DateLessThan: { 'aws:CurrentTime': inSeconds(apiKey.expiresAt) } },
          }),
        },
      ],
    },
    context: {
      keyId: apiKey.id,
      scopes: joinScopes(apiKey.scopes),
      ...(apiKey.expiresAt && { expiresAt: apiKey.expiresAt }),
    },
    usageIdentifierKey: usageIdentifierOf(apiKey.id),
  };
}

/**
 * Every method and path of the called stage: API Gateway caches the policy by key and applies it to all operations.
 * A method's ARN is `arn:aws:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>`.
 */
function wholeStage(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*/*`;
}

/** A time without its fraction of a second, which conditions of policies may not have: the key expires that much earlier. */
function inSeconds(time: string): string {
  return time.replace(/\.\d+/, '');
}
