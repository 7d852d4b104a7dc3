/**
 * The value of API Gateway's key for one of ours, by which the authorizer names it. It gives no access. API Gateway
 * takes 20 to 128 letters and digits: the id of our key without its underscore.
 */
export function usageIdentifierOf(keyId: string): string {
  return keyId.replace('_', '');
}
