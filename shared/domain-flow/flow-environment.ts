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

/** The parts of the domain flow as the environment of a function names them. */
export function flowParts() {
  const domainsTable = required('DOMAINS_TABLE');
  const store = domainStore(domainsTable);
  const resolvers = required('DNS_RESOLVERS').split(',');
  const places = (registrable: string) => placesFor(registrable, resolvers);
  return {
    store,
    places,
    certificates: certificates(),
    gateway: gatewayDomains(),
    zone: platformZone(required('PLATFORM_ZONE_ID')),
    turns: turns(domainsTable),
    managedRecords: managedRecords({
      store,
      places,
      zones: accountZones(JSON.parse(required('MANAGED_ZONE_IDS'))),
    }),
    now: Date.now,
  };
}

/** The steps of the verification with what the environment of their function names. */
export const verificationOfEnvironment = () => verification(flowParts());

export const removalOfEnvironment = () => removal(flowParts());

export function attachmentOfEnvironment() {
  const parts = flowParts();
  const { publicationOf, goLive } = domainsOfProjects({
    projects: projectStore(required('PROJECTS_TABLE')),
    domains: parts.store,
    redirects: { apiId: required('REDIRECT_API_ID'), stage: required('REDIRECT_STAGE') },
    commit: transact,
  });
  return attachment({ ...parts, publicationOf, goLive });
}
