import { certificateStep } from '../../../shared/domains/composition.ts';

/** Step of the verification: is the certificate issued, and if not, why? */
export const handler = certificateStep();
