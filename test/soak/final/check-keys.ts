import { APIGatewayClient, paginateGetApiKeys } from '@aws-sdk/client-api-gateway';
import type { SoakContext } from '../context.ts';
import type { OperatorClient } from '../operators/operator-client.ts';
import type { Stage } from '../service-process.ts';

/** The key that `npm start` creates for itself. */
const NOT_OF_THE_SOAK = 'npm start';

/**
 * Compares the keys of the operators' list with those that were acknowledged, and API Gateway's with the records: after a
 * reconciliation a key that is valid is in the usage plan, and nothing else is.
 */
export async function checkKeys(context: SoakContext, stage: Stage, operator: OperatorClient): Promise<void> {
  await reconcile(operator);
  const reply = await operator.insist('keys.list', {});
  if (!reply.ok) throw new Error(reply.error.message);
  const isValid = (key: { revokedAt: string | null; expiresAt: string | null }) =>
    key.revokedAt === null && (key.expiresAt === null || Date.parse(key.expiresAt) > Date.now());
  const listed = reply.result.keys.map(key => ({ ...key, isActive: isValid(key) }));
  context.keys[stage].checkAll(
    listed.filter(({ name }) => name !== NOT_OF_THE_SOAK),
    `keys.list of ${stage}`,
  );
  const { violations } = context;
  const atGateway = new Set(await gatewayKeyNames(context));
  for (const { id, isActive } of listed) {
    if (isActive && !atGateway.has(id)) {
      violations.add('lost', `the valid key ${id} of ${stage} is missing in API Gateway`);
    }
    if (!isActive && atGateway.has(id)) {
      violations.add('left behind', `API Gateway has the key ${id} of ${stage}, which is no longer valid`);
    }
  }
}

/** The names of the keys at API Gateway are the ids of the records. One without a record is an orphan after 15 minutes only. */
async function gatewayKeyNames({ service }: SoakContext): Promise<string[]> {
  const { awsEndpoint: endpoint } = await service.whenRunning();
  const credentials = { accessKeyId: 'auditor', secretAccessKey: 'x' };
  const client = new APIGatewayClient({ endpoint, region: 'us-east-1', credentials });
  const names: string[] = [];
  for await (const { items = [] } of paginateGetApiKeys({ client, pageSize: 500 }, {})) {
    names.push(...items.map(({ name = '' }) => name));
  }
  client.destroy();
  return names;
}

async function reconcile(operator: OperatorClient): Promise<void> {
  for (;;) {
    const reply = await operator.insist('keys.reconcile', {});
    if (reply.ok && reply.result.remaining === 0) return;
  }
}
