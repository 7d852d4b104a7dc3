import type { Context } from 'aws-lambda';
import { apiKeyStore } from '../api-keys/api-key-store.ts';
import { gatewayClient, gatewayKeys, usagePlan } from '../api-keys/usage-plan.ts';
import { auditLog } from '../audit/audit-log.ts';
import { operatorParts } from '../domains/composition.ts';
import { processVariables, required } from '../environment.ts';
import { orderStore } from '../orders/order-store.ts';
import { petStatusChanges } from '../pets/pet-store.ts';
import { defaultEndpoint } from '../projects/default-endpoint.ts';
import { callerIdentification } from './caller-proof.ts';
import { permittedChecks } from './checks.ts';
import type { CommandTable } from './command.ts';
import type { Reply } from './contract.ts';
import { auditCommands, environmentCommands } from './environment-commands.ts';
import { keyCommands } from './key-commands.ts';
import { operator } from './operator.ts';
import { orderCommands } from './order-commands.ts';
import { publishingCommands } from './publishing-commands.ts';
import { rehearsalCommand } from './rehearsal-command.ts';

/** The variables with the names of the tables. */
const TABLES = [
  'API_KEYS_TABLE',
  'AUDIT_TABLE',
  'DOMAINS_TABLE',
  'IDEMPOTENCY_KEYS_TABLE',
  'ORDERS_TABLE',
  'PETS_TABLE',
  'PROJECTS_TABLE',
];

/**
 * The handler of the operator function, or of the one that runs checks only:
 * `{"command":"keys.create","name":"Acme"}` in, the result or a plain error out.
 */
export function operatorFunction({ runsChecksOnly }: { readonly runsChecksOnly: boolean }) {
  const version = required('SOURCE_VERSION');
  const audit = auditLog(required('AUDIT_TABLE'));
  const apiKeys = apiKeyStore(required('API_KEYS_TABLE'));
  const published = { apiId: required('REST_API_ID'), stage: required('STAGE_NAME') };
  const client = gatewayClient();
  const keysAtGateway = gatewayKeys(client, required('ENVIRONMENT'));
  const plan = usagePlan(client, keysAtGateway, {
    usagePlanId: required('USAGE_PLAN_ID'),
    restApiId: published.apiId,
    stageName: published.stage,
  });
  const orders = orderStore(required('ORDERS_TABLE'));
  const pets = petStatusChanges(required('PETS_TABLE'));
  const domainParts = operatorParts();
  // The checks' project never wants it closed, so no check has to open it again.
  const endpoint = runsChecksOnly
    ? { follow: async () => [] }
    : defaultEndpoint({ projects: domainParts.projects, ...published });

  const operate = operator(
    {
      ...keyCommands({ apiKeys, gatewayKeys: keysAtGateway, plan, keyPrefix: required('API_KEY_PREFIX') }),
      ...orderCommands({ orders, pets }),
      ...rehearsalCommand({ apiKeys, idempotencyKeysTable: required('IDEMPOTENCY_KEYS_TABLE') }),
      ...publishingCommands(domainParts, { published, endpoint }),
      ...auditCommands(audit),
      ...environmentCommands(domainParts, {
        apiKeys,
        gatewayKeys: keysAtGateway,
        plan,
        version,
        tables: TABLES.map(variable => required(variable)),
      }),
    } satisfies CommandTable,
    audit,
    Date.now,
    callerIdentification({
      region: required('AWS_REGION'),
      urlSuffix: required('URL_SUFFIX'),
      environment: published.stage,
      endpoint: processVariables('AWS_ENDPOINT_URL'),
    }),
    runsChecksOnly ? permittedChecks(apiKeys, published) : undefined,
  );

  return async (payload: unknown, { awsRequestId }: Context): Promise<Reply> => ({
    ...(await operate(payload, awsRequestId)),
    version,
  });
}
