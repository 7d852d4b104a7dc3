export const ENVIRONMENT_TAG = 'petstore:environment';
export const CLAIM_TAG = 'petstore:claim';
export const DOMAIN_TAG = 'petstore:domain';
export const KEY_TAG = 'petstore:key';
