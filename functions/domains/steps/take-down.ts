import { certificates } from '../../../shared/domains/certificates.ts';
import { domainStore } from '../../../shared/domains/domain-store.ts';
import { gatewayDomains } from '../../../shared/domains/gateway-domains.ts';
import { platformZone } from '../../../shared/domains/platform-zone.ts';
import { removal } from '../../../shared/domains/removal.ts';
import { required } from '../../../shared/environment.ts';

/** Step of the removal: takes down the next thing that was made for the domain, until nothing is left. */
export const handler = removal({
  store: domainStore(required('DOMAINS_TABLE')),
  certificates: certificates(),
  gateway: gatewayDomains(),
  zone: platformZone(required('PLATFORM_ZONE_ID')),
  now: Date.now,
}).takeDown;
