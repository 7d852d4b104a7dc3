import { verificationFromEnvironment } from '../../../shared/domains/domain-services.ts';

/** Step of the verification: leaves the reason where an operator finds it. */
export const handler = verificationFromEnvironment().recordFailure;
