import { transact } from '../aws/transaction.ts';
import { required } from '../environment.ts';
import { projectStore } from '../projects/project-store.ts';
import { accountZones } from './aws/account-zones.ts';
import { certificates } from './aws/certificates.ts';
import { gatewayDomains } from './aws/gateway-domains.ts';
import { gatewaySlots } from './aws/gateway-slots.ts';
import { platformZone } from './aws/platform-zone.ts';
import { vantagePointsFor } from './dns/check-dns.ts';
import { domainStore } from './life/domain-store.ts';
import { attachment } from './steps/attachment.ts';
import { managedRecords } from './steps/managed-records.ts';
import { domainsOfProjects } from './steps/project-domains.ts';
import { removal } from './steps/removal.ts';
import { verification } from './steps/verification.ts';

function partsOfVerification() {
  const store = domainStore(required('DOMAINS_TABLE'));
  const resolvers = required('DNS_RESOLVERS').split(',');
  const vantagePoints = (registrable: string) => vantagePointsFor(registrable, resolvers);
  const zones = accountZones(JSON.parse(required('MANAGED_ZONE_IDS')));
  return {
    store,
    vantagePoints,
    certificates: certificates(),
    managedRecords: managedRecords({ store, vantagePoints, zones }),
    now: Date.now,
  };
}

function partsAtGateway() {
  return {
    ...partsOfVerification(),
    gateway: gatewayDomains(),
    zone: platformZone(required('PLATFORM_ZONE_ID')),
    slots: gatewaySlots(required('DOMAINS_TABLE')),
  };
}

/** The steps of the flows, with the parts that the environment of their function names. */
export const verificationFromEnvironment = () => verification(partsOfVerification());

export const removalFromEnvironment = () => removal(partsAtGateway());

export function attachmentFromEnvironment() {
  const parts = partsAtGateway();
  const { apiStageOf, goLive } = domainsOfProjects({
    projects: projectStore(required('PROJECTS_TABLE')),
    domains: parts.store,
    redirects: { apiId: required('REDIRECT_API_ID'), stage: required('REDIRECT_STAGE') },
    commit: transact,
  });
  return attachment({ ...parts, apiStageOf, goLive });
}
