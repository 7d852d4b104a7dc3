import { domainServices } from '../../../shared/domains/domain-services.ts';

/** Step of both flows: records why the flow could not go on. */
export const handler = domainServices().recordFailure;
