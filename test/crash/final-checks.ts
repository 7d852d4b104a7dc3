import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APIGatewayClient, paginateGetApiKeys } from '@aws-sdk/client-api-gateway';
import {
  type AttributeValue,
  DynamoDBClient,
  paginateListTables,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { awsClientOptions } from '../service/running-service.ts';
import { type Environment, OPERATOR } from './clients.ts';
import type { Run } from './findings.ts';
import { petOf } from './workloads.ts';

const STATUSES = ['available', 'pending', 'sold'];

/** Compares the pets of an environment: by the list, with each filter and without, and in the table itself. */
export async function checkPets(environment: Environment, { service, findings }: Run): Promise<void> {
  const { api, pets, stage } = environment;
  for (const status of ['', ...STATUSES]) {
    const path = `/pets?limit=100${status && `&status=${status}`}`;
    const found = await api.list(path);
    pets.compare(found.map(petOf), path, state => state.endsWith(status));
    const ids = found.map(({ id = '' }) => BigInt(id));
    const isInOrder = ids.every((id, position) => position === 0 || id > (ids[position - 1] ?? id));
    if (!isInOrder) findings.report('altered', `${path} of ${stage} isn't in the order of its ids`);
  }
  const stored = await storedItems(await service.running, stage, 'PetsTable');
  pets.compare(stored.map(petOf), 'the table of pets');
}

/** Compares all orders, as the list and the table have them. */
export async function checkOrders({ api, orders, stage }: Environment, { service }: Run): Promise<void> {
  const orderOf = ({ id = '', petId = '', status = '' }: Record<string, string>) => ({
    name: petId,
    id,
    state: status,
  });
  orders.compare((await api.list('/store/orders?limit=100')).map(orderOf), 'the list of orders');
  const stored = await storedItems(await service.running, stage, 'OrdersTable');
  orders.compare(stored.map(orderOf), 'the table of orders');
}

/** The key that `npm start` creates for itself. */
const READY_KEY = 'npm start';

/** Compares the keys of the operators' list, and after a reconciliation those of API Gateway. */
export async function checkKeys({ operator, keys }: Environment, { service }: Run): Promise<void> {
  const listed = (await operator.done('keys.list', {}))?.keys.filter(({ name }) => name !== READY_KEY) ?? [];
  const isEnded = ({ revokedAt, expiresAt }: (typeof listed)[number]) =>
    revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
  keys.compare(
    listed.map(key => ({ name: key.id, id: key.id, state: isEnded(key) ? 'ended' : 'active' })),
    'keys.list',
  );
  while ((await operator.done('keys.reconcile', {}))?.remaining !== 0);
  const client = new APIGatewayClient(awsClientOptions(await service.running));
  const pages = await Array.fromAsync(paginateGetApiKeys({ client, pageSize: 500 }, {}));
  client.destroy();
  // They are named after the ids of the records. One without a record is an orphan, which is deleted after 15 minutes only.
  const known = new Set(listed.map(({ id }) => id));
  const names = pages
    .flatMap(({ items = [] }) => items.map(({ name = '' }) => name))
    .filter(name => known.has(name));
  keys.compare(
    names.map(name => ({ name, id: name, state: 'active' })),
    'API Gateway',
    state => state === 'active',
  );
}

/** Checks that the audit log has every change that was acknowledged to an operator. */
export async function checkAudit({ audit, stage }: Environment, { service }: Run): Promise<void> {
  const entries = await storedItems(await service.running, stage, 'OperatorAudit');
  const changes = entries.filter(
    ({ claimedBy, command }) => claimedBy === OPERATOR && command !== 'keys.reconcile',
  );
  audit.compare(
    changes.map(({ requestId = '', command = '' }) => ({ name: requestId, id: requestId, state: command })),
    'the audit log',
  );
}

/** The texts and numbers of the items of a table, by the beginning of its logical id. */
async function storedItems(
  running: Awaited<Run['service']['running']>,
  stage: Environment['stage'],
  logicalId: string,
): Promise<Record<string, string>[]> {
  const client = new DynamoDBClient(awsClientOptions(running));
  const prefix = `Petstore-${stage[0]?.toUpperCase()}${stage.slice(1)}-${logicalId}`;
  const names = (await Array.fromAsync(paginateListTables({ client }, {}))).flatMap(
    ({ TableNames = [] }) => TableNames,
  );
  const TableName = names.find(name => name.startsWith(prefix));
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName, ConsistentRead: true }));
  client.destroy();
  const textOf = ({ S, N }: AttributeValue) => S ?? N ?? '';
  return pages
    .flatMap(({ Items = [] }) => Items)
    .map(item => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, textOf(value)])));
}

/** Lambda's limit for the start of a function. */
const START_LIMIT_MS = 10_000;

/**
 * Examines the responses with 500 by the access logs. One of the gateway, for a function that did not start within the limit
 * and so never ran, is the fault of a busy machine and is counted; any other is a defect.
 */
export function checkServerErrors({ api }: Environment, { findings }: Run, folder: string): void {
  const logs = join(folder, '.local', 'logs');
  const lines = readdirSync(logs)
    .filter(name => name.includes('AccessLogs'))
    .flatMap(name => readFileSync(join(logs, name), 'utf8').split('\n'));
  for (const [requestId, request] of api.serverErrors) {
    const line = lines.find(each => each.includes(requestId)) ?? '{}';
    const { functionRequestId, functionLatencyMs } = JSON.parse(line.slice(line.indexOf('{')));
    const hasNeverRun = functionRequestId === '-' && Number(functionLatencyMs) >= START_LIMIT_MS;
    if (hasNeverRun) findings.count('functions too slow to start on this machine');
    else findings.report('undocumented response', `${request} returned 500: ${line}`);
  }
}
