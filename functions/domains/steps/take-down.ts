import { removalStep } from '../../../shared/domains/composition.ts';

/** Step of the removal: deletes what was created for the domain at AWS, until nothing is left. */
export const handler = removalStep().takeDown;
