import { verificationOfEnvironment } from '../../../shared/domain-flow/flow-environment.ts';

/** Step of the verification: is the certificate issued, and if not, why? */
export const handler = verificationOfEnvironment().checkCertificate;
