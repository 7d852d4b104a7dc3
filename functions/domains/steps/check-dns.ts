import { verificationFromEnvironment } from '../../../shared/domains/domain-services.ts';

/** Step of the verification: does DNS say that the domain is meant to be here and is the claimant's? */
export const handler = verificationFromEnvironment().checkDns;
