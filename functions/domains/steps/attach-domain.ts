import { verificationOfEnvironment } from '../../../shared/domain-flow/verification-environment.ts';

/** Step of the verification: domain name, mapping and the platform's host; then the domain is live. */
export const handler = verificationOfEnvironment().attach;
