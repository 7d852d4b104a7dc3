import { transact } from '../aws/transaction.ts';
import { accountZones } from '../domains/account-zones.ts';
import { attachment } from '../domains/attachment.ts';
import { certificates } from '../domains/certificates.ts';
import { placesFor } from '../domains/check-dns.ts';
import { domainStore } from '../domains/domain-store.ts';
import { gatewayDomains } from '../domains/gateway-domains.ts';
import { managedRecords } from '../domains/managed-records.ts';
import { platformZone } from '../domains/platform-zone.ts';
import { removal } from '../domains/removal.ts';
import { turns } from '../domains/turns.ts';
import { verification } from '../domains/verification.ts';
import { required } from '../environment.ts';
import { projectStore } from '../projects/project-store.ts';
import { domainsOfProjects } from './domains-of-projects.ts';

function partsOfVerification() {
  const store = domainStore(required('DOMAINS_TABLE'));
  const resolvers = required('DNS_RESOLVERS').split(',');
  const places = (registrable: string) => placesFor(registrable, resolvers);
  const zones = accountZones(JSON.parse(required('MANAGED_ZONE_IDS')));
  return {
    store,
    places,
    certificates: certificates(),
    managedRecords: managedRecords({ store, places, zones }),
    now: Date.now,
  };
}

function partsAtGateway() {
  return {
    ...partsOfVerification(),
    gateway: gatewayDomains(),
    zone: platformZone(required('PLATFORM_ZONE_ID')),
    turns: turns(required('DOMAINS_TABLE')),
  };
}

/** The steps of the flows, with the parts that the environment of their function names. */
export const verificationOfEnvironment = () => verification(partsOfVerification());

export const removalOfEnvironment = () => removal(partsAtGateway());

export function attachmentOfEnvironment() {
  const parts = partsAtGateway();
  const { publicationOf, goLive } = domainsOfProjects({
    projects: projectStore(required('PROJECTS_TABLE')),
    domains: parts.store,
    redirects: { apiId: required('REDIRECT_API_ID'), stage: required('REDIRECT_STAGE') },
    commit: transact,
  });
  return attachment({ ...parts, publicationOf, goLive });
}
