import { domainServices } from '../../../shared/domains/domain-services.ts';

/** Step of the verification: does DNS prove the claim, seen from everywhere? */
export const handler = domainServices().verification.checkDns;
