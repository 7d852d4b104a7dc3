import type { Context } from 'aws-lambda';
import { apiKeyStore } from '../../shared/api-keys/api-key-store.ts';
import { usagePlan } from '../../shared/api-keys/usage-plan.ts';
import { auditLog } from '../../shared/audit/audit-log.ts';
import { transact } from '../../shared/aws/transaction.ts';
import { domainsOfProjects } from '../../shared/domain-flow/domains-of-projects.ts';
import { settlement } from '../../shared/domain-flow/settlement.ts';
import { certificates } from '../../shared/domains/certificates.ts';
import { placesFor } from '../../shared/domains/check-dns.ts';
import { domainStore } from '../../shared/domains/domain-store.ts';
import { flows } from '../../shared/domains/flows.ts';
import { gatewayDomains } from '../../shared/domains/gateway-domains.ts';
import { platformZone } from '../../shared/domains/platform-zone.ts';
import { recheck } from '../../shared/domains/recheck.ts';
import { required } from '../../shared/environment.ts';
import { auditCommands } from '../../shared/operator/audit-commands.ts';
import { domainCommands } from '../../shared/operator/domain-commands.ts';
import { domainRoutingCommands } from '../../shared/operator/domain-routing-commands.ts';
import { keyCommands } from '../../shared/operator/key-commands.ts';
import { operator, type Reply } from '../../shared/operator/operator.ts';
import { orderCommands } from '../../shared/operator/order-commands.ts';
import { projectCommands } from '../../shared/operator/project-commands.ts';
import { orderStore } from '../../shared/orders/order-store.ts';
import { petStatusChanges } from '../../shared/pets/pet-status.ts';
import { projectStore } from '../../shared/projects/project-store.ts';

const keyPrefix = required('API_KEY_PREFIX');
const audit = auditLog(required('AUDIT_TABLE'));
const apiKeys = apiKeyStore(required('API_KEYS_TABLE'), keyPrefix);
const apiId = required('REST_API_ID');
const stage = required('STAGE_NAME');
const plan = usagePlan({ usagePlanId: required('USAGE_PLAN_ID'), restApiId: apiId, stageName: stage });

const orders = orderStore(required('ORDERS_TABLE'));
const pets = petStatusChanges(required('PETS_TABLE'));
const projects = projectStore(required('PROJECTS_TABLE'));

const domains = domainStore(required('DOMAINS_TABLE'));
const certificatesOfDomains = certificates();
const resolvers = required('DNS_RESOLVERS').split(',');
const settle = settlement({
  domains,
  certificates: certificatesOfDomains,
  gateway: gatewayDomains(),
  zone: platformZone(required('PLATFORM_ZONE_ID')),
  flows: flows(required('VERIFY_MACHINE_ARN'), required('REMOVE_MACHINE_ARN')),
  ...domainsOfProjects({
    projects,
    domains,
    redirects: { apiId: required('REDIRECT_API_ID'), stage: required('REDIRECT_STAGE') },
    commit: transact,
  }),
});
const platformDomain = required('PLATFORM_DOMAIN');

const operate = operator(
  {
    ...keyCommands({ apiKeys, plan, keyPrefix }),
    ...orderCommands({ orders, pets }),
    ...domainCommands({
      projects,
      domains,
      settle,
      recheck: recheck({
        store: domains,
        certificates: certificatesOfDomains,
        places: registrable => placesFor(registrable, resolvers),
        now: Date.now,
      }),
      platformDomain,
      endpointOf: id => `${id}.execute-api.${required('AWS_REGION')}.amazonaws.com`,
    }),
    ...domainRoutingCommands({ projects, domains, settle, platformDomain }),
    ...projectCommands({ projects, published: { apiId, stage } }),
    ...auditCommands(audit),
  },
  audit,
);

/** The operator function: `{"command":"keys.create","name":"Acme"}` in, the result or a plain error out. */
export function handler(payload: unknown, { awsRequestId }: Context): Promise<Reply> {
  return operate(payload, awsRequestId);
}
