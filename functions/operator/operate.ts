import type { Context } from 'aws-lambda';
import { apiKeyStore } from '../../shared/api-keys/api-key-store.ts';
import { gatewayClient, gatewayKeys, usagePlan } from '../../shared/api-keys/usage-plan.ts';
import { auditLog } from '../../shared/audit/audit-log.ts';
import { operatorParts } from '../../shared/domains/composition.ts';
import { processVariables, required } from '../../shared/environment.ts';
import { callerIdentification } from '../../shared/operator/caller-proof.ts';
import type { CommandTable } from '../../shared/operator/command.ts';
import type { Reply } from '../../shared/operator/contract.ts';
import { auditCommands, environmentCommands } from '../../shared/operator/environment-commands.ts';
import { keyCommands } from '../../shared/operator/key-commands.ts';
import { operator } from '../../shared/operator/operator.ts';
import { orderCommands } from '../../shared/operator/order-commands.ts';
import { publishingCommands } from '../../shared/operator/publishing-commands.ts';
import { orderStore } from '../../shared/orders/order-store.ts';
import { petStatusChanges } from '../../shared/pets/pet-status.ts';
import { defaultEndpoint } from '../../shared/projects/default-endpoint.ts';

/** The variables with the names of the tables. */
const TABLES = [
  'API_KEYS_TABLE',
  'AUDIT_TABLE',
  'DOMAINS_TABLE',
  'ORDERS_TABLE',
  'PETS_TABLE',
  'PROJECTS_TABLE',
];

const version = required('SOURCE_VERSION');
const keyPrefix = required('API_KEY_PREFIX');
const audit = auditLog(required('AUDIT_TABLE'));
const apiKeys = apiKeyStore(required('API_KEYS_TABLE'));
const apiId = required('REST_API_ID');
const stage = required('STAGE_NAME');
const client = gatewayClient();
const keysAtGateway = gatewayKeys(client, required('ENVIRONMENT'));
const plan = usagePlan(client, keysAtGateway, {
  usagePlanId: required('USAGE_PLAN_ID'),
  restApiId: apiId,
  stageName: stage,
});

const orders = orderStore(required('ORDERS_TABLE'));
const pets = petStatusChanges(required('PETS_TABLE'));
const domainParts = operatorParts();
const endpoint = defaultEndpoint({ projects: domainParts.projects, apiId, stage });

const operate = operator(
  {
    ...keyCommands({ apiKeys, gatewayKeys: keysAtGateway, plan, keyPrefix }),
    ...orderCommands({ orders, pets }),
    ...publishingCommands(domainParts, { published: { apiId, stage }, endpoint }),
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
    environment: stage,
    endpoint: processVariables('AWS_ENDPOINT_URL'),
  }),
);

/** The operator function: `{"command":"keys.create","name":"Acme"}` in, the result or a plain error out. */
export async function handler(payload: unknown, { awsRequestId }: Context): Promise<Reply> {
  return { ...(await operate(payload, awsRequestId)), version };
}
