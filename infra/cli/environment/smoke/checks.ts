import type { Check } from './check.ts';
import { CORS_CHECKS } from './cors-checks.ts';
import { DOCUMENT_CHECKS } from './document-checks.ts';
import { DOMAIN_CHECKS } from './domain-checks.ts';
import { GATEWAY_CHECKS } from './gateway-checks.ts';
import { OPERATION_CHECKS } from './operation-checks.ts';
import { REFUSAL_CHECKS } from './refusal-checks.ts';

/** Everything that must hold after a deploy, in the order in which it is checked. */
export const CHECKS: readonly Check[] = [
  ...OPERATION_CHECKS,
  ...REFUSAL_CHECKS,
  ...GATEWAY_CHECKS,
  ...CORS_CHECKS,
  ...DOCUMENT_CHECKS,
  ...DOMAIN_CHECKS,
];
