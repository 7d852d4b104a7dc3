import { recordSteps } from '../../../shared/domains/composition.ts';

/** Last step of the removal: deletes the record of the domain, which frees its name. */
export const handler = recordSteps().forget;
