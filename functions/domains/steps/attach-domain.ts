import { domainServices } from '../../../shared/domains/domain-services.ts';

/** Step of the verification: domain name and mapping at API Gateway, and the host in the platform zone; then live. */
export const handler = domainServices().attachment.attach;
