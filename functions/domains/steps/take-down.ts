import { removalFromEnvironment } from '../../../shared/domains/domain-services.ts';

/** Step of the removal: takes down the next thing that was made for the domain, until nothing is left. */
export const handler = removalFromEnvironment().takeDown;
