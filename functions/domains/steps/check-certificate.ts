import { domainServices } from '../../../shared/domains/domain-services.ts';

/** Step of the verification: is the certificate issued, and if not, why? */
export const handler = domainServices().verification.checkCertificate;
