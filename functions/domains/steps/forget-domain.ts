import { domainServices } from '../../../shared/domains/domain-services.ts';

/** Last step of the removal: deletes the record of the domain, which frees its name. */
export const handler = domainServices().forget;
