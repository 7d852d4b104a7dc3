import { dnsStep } from '../../../shared/domains/composition.ts';

/** Step of the verification: does DNS prove the claim, seen from everywhere? */
export const handler = dnsStep();
