import { certificates } from '../domains/certificates.ts';
import { placesFor } from '../domains/check-dns.ts';
import { domainStore } from '../domains/domain-store.ts';
import { gatewayDomains } from '../domains/gateway-domains.ts';
import { platformZone } from '../domains/platform-zone.ts';
import { verification } from '../domains/verification.ts';
import { required } from '../environment.ts';
import { projectStore } from '../projects/project-store.ts';

/** The steps of the verification with what the environment of their function names. */
export function verificationOfEnvironment() {
  const projects = projectStore(required('PROJECTS_TABLE'));
  const resolvers = required('DNS_RESOLVERS').split(',');
  return verification({
    store: domainStore(required('DOMAINS_TABLE')),
    certificates: certificates(),
    gateway: gatewayDomains(),
    zone: platformZone(required('PLATFORM_ZONE_ID')),
    places: registrable => placesFor(registrable, resolvers),
    publicationOf: id => projects.find(id),
    ensurePrimary: (project, domain) => projects.ensurePrimary(project, domain),
    now: Date.now,
  });
}
