import type { Context } from 'aws-lambda';
import { apiKeyStore } from '../../shared/api-keys/api-key-store.ts';
import { usagePlan } from '../../shared/api-keys/usage-plan.ts';
import { auditLog } from '../../shared/audit/audit-log.ts';
import { transact } from '../../shared/aws/transaction.ts';
import { certificates } from '../../shared/domains/aws/certificates.ts';
import { flows } from '../../shared/domains/aws/flows.ts';
import { gatewayDomains } from '../../shared/domains/aws/gateway-domains.ts';
import { platformZone } from '../../shared/domains/aws/platform-zone.ts';
import { vantagePointsFor } from '../../shared/domains/dns/check-dns.ts';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { domainsOfProjects } from '../../shared/domains/steps/project-domains.ts';
import { recheck } from '../../shared/domains/steps/recheck.ts';
import { reconciler } from '../../shared/domains/steps/reconciler.ts';
import { required } from '../../shared/environment.ts';
import { auditCommands } from '../../shared/operator/audit-commands.ts';
import type { CommandTable } from '../../shared/operator/command.ts';
import type { Reply } from '../../shared/operator/contract.ts';
import { domainCommands } from '../../shared/operator/domain-commands.ts';
import { domainRoutingCommands } from '../../shared/operator/domain-routing-commands.ts';
import { keyCommands } from '../../shared/operator/key-commands.ts';
import { operator } from '../../shared/operator/operator.ts';
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
const reconcile = reconciler({
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
      reconcile,
      recheck: recheck({
        store: domains,
        certificates: certificatesOfDomains,
        vantagePoints: registrable => vantagePointsFor(registrable, resolvers),
        now: Date.now,
      }),
      platformDomain,
      endpointOf: id => `${id}.execute-api.${required('AWS_REGION')}.amazonaws.com`,
    }),
    ...domainRoutingCommands({ projects, domains, reconcile, platformDomain }),
    ...projectCommands({ projects, published: { apiId, stage } }),
    ...auditCommands(audit),
  } satisfies CommandTable,
  audit,
);

/** The operator function: `{"command":"keys.create","name":"Acme"}` in, the result or a plain error out. */
export function handler(payload: unknown, { awsRequestId }: Context): Promise<Reply> {
  return operate(payload, awsRequestId);
}
