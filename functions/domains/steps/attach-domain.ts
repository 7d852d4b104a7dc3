import { attachmentStep } from '../../../shared/domains/composition.ts';

/** Step of the verification: domain name and mapping at API Gateway, and the host in the platform zone; then live. */
export const handler = attachmentStep().attach;
