import { domainStore } from '../../../shared/domains/life/domain-store.ts';
import { forgetting } from '../../../shared/domains/steps/removal.ts';
import { required } from '../../../shared/environment.ts';

/** Last step of the removal: nothing is left of the domain, and its name is free. */
export const handler = forgetting(domainStore(required('DOMAINS_TABLE')));
