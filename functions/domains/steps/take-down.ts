import { domainServices } from '../../../shared/domains/domain-services.ts';

/** Step of the removal: deletes what was created for the domain at AWS, until nothing is left. */
export const handler = domainServices().removal.takeDown;
