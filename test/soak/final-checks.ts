import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { APIGatewayClient, paginateGetApiKeys } from '@aws-sdk/client-api-gateway';
import { awsClientOptions } from '../service/running-service.ts';
import type { SeenOrder } from './ledger/operator-ledgers.ts';
import type { StageContext } from './stage-context.ts';
import { ApiClient, checkResponse, nextPage, readItems } from './workloads/api-client.ts';
import type { OperatorClient } from './workloads/operator-client.ts';
import { petReader, STATUSES } from './workloads/pet-clients.ts';
import type { SoakContext } from './world.ts';

const EVERY_PAGE = Number.POSITIVE_INFINITY;

/**
 * Checks the pets of an environment when nothing fails any more: by the list, with each filter and without, and in the
 * table itself, which must hold nothing that the lists do not show.
 */
export async function checkPets(context: StageContext): Promise<void> {
  const { stage, pets: ledger, engine } = context;
  const reader = petReader(context);
  for (const status of STATUSES) await reader.walk(100, status, EVERY_PAGE);
  reader.close();
  const atMs = context.now();
  const stored = new Set<string>();
  const table = `the pets table of ${stage}`;
  for (const { id, name, categoryId, status } of await engine.items(stage, 'PetsTable')) {
    const pet = {
      id: id?.N ?? '',
      name: name?.S ?? '',
      categoryId: categoryId?.N ?? '',
      status: status?.S ?? '',
    };
    ledger.seen(pet, { fromMs: atMs, toMs: atMs }, table);
    stored.add(pet.id);
  }
  for (const entry of ledger.acknowledged) {
    if (!stored.has(entry.id ?? '')) ledger.notFound(entry, table);
  }
}

/** Compares all orders, as the list and the table have them, with those that were acknowledged. */
export async function checkOrders(context: StageContext): Promise<void> {
  const { stage, orders, engine } = context;
  orders.checkAll(await listedOrders(context), `the orders of ${stage}`);
  const stored = (await engine.items(stage, 'OrdersTable')).map(({ id, petId, status }) => ({
    id: id?.N ?? '',
    petId: petId?.N ?? '',
    status: status?.S ?? '',
  }));
  orders.checkAll(stored, `the orders table of ${stage}`);
}

async function listedOrders(context: StageContext): Promise<SeenOrder[]> {
  const api = new ApiClient(context);
  const orders: SeenOrder[] = [];
  let url: string | undefined = `${context.url}/store/orders?limit=100`;
  while (url !== undefined) {
    const headers = { Authorization: `Bearer ${context.apiKey}` };
    const response: Awaited<ReturnType<ApiClient['send']>> = await api.send({ method: 'GET', url, headers });
    if (!response || !checkResponse(`GET ${url}`, response, [200], context.violations.add)) {
      if (context.violations.total > 0) break;
      await delay(100);
      continue;
    }
    orders.push(...readItems<SeenOrder>(response.text));
    url = nextPage(response.headers);
  }
  api.close();
  return orders;
}

/** The key that `npm start` creates for itself. */
const NOT_OF_THE_SOAK = 'npm start';

/**
 * Compares the keys of the operators' list with those that were acknowledged, and API Gateway's with the records: after a
 * reconciliation a key that is valid is in the usage plan, and nothing else is.
 */
export async function checkKeys(context: StageContext): Promise<void> {
  const { stage, operator, keys, violations } = context;
  await reconcile(operator);
  const reply = await operator.insist('keys.list', {});
  if (!reply.ok) throw new Error(reply.error.message);
  const isValid = (key: { revokedAt: string | null; expiresAt: string | null }) =>
    key.revokedAt === null && (key.expiresAt === null || Date.parse(key.expiresAt) > Date.now());
  const listed = reply.result.keys.map(key => ({ ...key, isActive: isValid(key) }));
  keys.checkAll(
    listed.filter(({ name }) => name !== NOT_OF_THE_SOAK),
    `keys.list of ${stage}`,
  );
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
  const client = new APIGatewayClient(awsClientOptions(await service.whenRunning()));
  const pages = await Array.fromAsync(paginateGetApiKeys({ client, pageSize: 500 }, {}));
  client.destroy();
  return pages.flatMap(({ items = [] }) => items.map(({ name = '' }) => name));
}

async function reconcile(operator: OperatorClient): Promise<void> {
  for (;;) {
    const reply = await operator.insist('keys.reconcile', {});
    if (reply.ok && reply.result.remaining === 0) return;
  }
}

/** Checks that the audit log has every change that was acknowledged to an operator. */
export async function checkAudit({
  stage,
  operator,
  engine,
  violations,
  tally,
}: StageContext): Promise<void> {
  const { carriedOut } = operator;
  const entries = await engine.items(stage, 'OperatorAudit');
  const commands = new Map(entries.map(({ requestId, command }) => [requestId?.S ?? '', command?.S ?? '']));
  for (const { requestId, command } of carriedOut) {
    if (commands.get(requestId) !== command) {
      violations.add(
        'lost',
        `${command} (${requestId}) of ${stage} was acknowledged and is missing in the audit log`,
      );
    }
  }
  tally.count('audit entries checked', carriedOut.length);
}

/** Lambda's limit for the start of a function. */
const START_LIMIT_MS = 10_000;

/**
 * Examines the responses with 500 by the access logs. One of the gateway, for a function that did not start within the limit
 * and so never ran, is the fault of a busy machine and is counted; any other is a defect.
 */
export function checkServerErrors({ serverErrors, tally, violations }: SoakContext, folder: string): void {
  const entries = new Map(accessEntries(folder).map(entry => [entry.requestId, entry]));
  for (const [requestId, request] of serverErrors) {
    const entry = entries.get(requestId);
    const hasNeverRun = entry?.functionRequestId === '-' && Number(entry.functionLatencyMs) >= START_LIMIT_MS;
    if (hasNeverRun) tally.count('functions too slow to start on this machine');
    else
      violations.add(
        'undocumented response',
        `${request} returned 500: ${JSON.stringify(entry ?? requestId)}`,
      );
  }
}

function accessEntries(folder: string): Record<string, string>[] {
  const logs = join(folder, '.local', 'logs');
  return readdirSync(logs)
    .filter(name => name.includes('AccessLogs'))
    .flatMap(name => readFileSync(join(logs, name), 'utf8').split('\n'))
    .flatMap(line => parsed(line.slice(line.indexOf('{'))));
}

/** A line that a kill has cut off has no entry. */
function parsed(line: string): Record<string, string>[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
