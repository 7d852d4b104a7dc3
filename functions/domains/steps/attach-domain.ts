import { attachmentFromEnvironment } from '../../../shared/domains/domain-services.ts';

/** Step of the verification: domain name, mapping and the platform's host; then the domain is live. */
export const handler = attachmentFromEnvironment().attach;
