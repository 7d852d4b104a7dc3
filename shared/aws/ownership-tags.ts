export const ENVIRONMENT_TAG = 'petstore:environment';
export const CLAIM_TAG = 'petstore:claim';
export const DOMAIN_TAG = 'petstore:domain';
export const KEY_TAG = 'petstore:key';

/** The value of DOMAIN_TAG: a tag can't contain a wildcard's asterisk. */
export function domainTagOf({ domain }: { readonly domain: string }): string {
  return domain.replace('*.', '');
}
