import type { Context } from 'aws-lambda';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { apiKeyLookup } from '../../../shared/api-keys/api-key-lookup.ts';
import { COMMANDS } from '../../../shared/operator/contract.ts';
import { petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { ENVIRONMENT, localGateway, PLAN } from '../../shared/api-keys/local-gateway.ts';
import { PREFIX } from '../../shared/api-keys/stored-keys.ts';
import { outcomeInFastTime } from '../../shared/aws/fast-time.ts';
import { always, faultyEngine, stubEndpoint } from '../../shared/aws/faulty-engine.ts';
import { rex } from '../../shared/pets/stored-pets.ts';
import { loggedLines } from '../logged-lines.ts';

/** As the error for an unknown command lists them. */
const COMMAND_NAMES = Object.keys(COMMANDS).toSorted().join(', ');

const VERSION = '1.0.0+0123456789ab';

const TABLES = {
  API_KEYS_TABLE: 'ApiKeysTable',
  ORDERS_TABLE: 'OrdersTable',
  PETS_TABLE: 'PetsTable',
  AUDIT_TABLE: 'OperatorAudit',
  PROJECTS_TABLE: 'ProjectsTable',
  DOMAINS_TABLE: 'DomainsTable',
};

async function newTables(): Promise<Record<keyof typeof TABLES, string>> {
  const created = await Promise.all(
    Object.entries(TABLES).map(async ([variable, table]) => [variable, await tableLike(table)]),
  );
  return Object.fromEntries(created);
}

/** The function on these tables. Without tables, every command that passes validation fails. */
async function operatorFunction(
  tables: Record<string, string> = {},
  endpoint?: string,
  variables: Record<string, string | undefined> = {},
) {
  for (const variable of Object.keys(TABLES)) vi.stubEnv(variable, tables[variable] ?? 'no-table');
  vi.stubEnv('API_KEY_PREFIX', PREFIX);
  vi.stubEnv('ENVIRONMENT', ENVIRONMENT);
  vi.stubEnv('USAGE_PLAN_ID', PLAN.usagePlanId);
  vi.stubEnv('REST_API_ID', PLAN.restApiId);
  vi.stubEnv('STAGE_NAME', PLAN.stageName);
  vi.stubEnv('SOURCE_VERSION', VERSION);
  vi.stubEnv('ENVIRONMENT', 'test');
  vi.stubEnv('MANAGED_ZONE_IDS', '[]');
  vi.stubEnv('PLATFORM_ZONE_ID', 'Z1');
  vi.stubEnv('PLATFORM_DOMAIN', 'apps.petstore.example');
  vi.stubEnv('DNS_RESOLVERS', '127.0.0.1');
  vi.stubEnv('PROOF_SECRET', 'secret');
  vi.stubEnv('REDIRECT_API_ID', 'redirects1');
  vi.stubEnv('REDIRECT_STAGE', 'test-redirects');
  vi.stubEnv('VERIFY_MACHINE_ARN', 'arn:aws:states:us-east-1:000000000000:stateMachine:Verify');
  vi.stubEnv('REMOVE_MACHINE_ARN', 'arn:aws:states:us-east-1:000000000000:stateMachine:Remove');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  if (endpoint) stubEndpoint(endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  const { handler } = await import('../../../functions/operator/operate.ts');
  return async (payload: unknown, awsRequestId = 'request-1') => {
    const { version, ...reply } = await handler(payload, { awsRequestId } as Context);
    // Every reply has it, so that a command of another version can tell.
    expect(version).toBe(VERSION);
    return reply;
  };
}

test('domain commands say what to set in an environment without a platform domain', async () => {
  const absent = { PLATFORM_DOMAIN: undefined, PLATFORM_ZONE_ID: undefined };
  const operate = await operatorFunction(await newTables(), undefined, absent);
  await operate({ command: 'projects.create', id: 'shop', plan: 'pro' }, '1');
  await operate({ command: 'projects.deployed', id: 'shop' }, '2');
  const add = { command: 'domains.add', project: 'shop', domain: 'www.example.com' };
  expect(await operate(add, '3')).toMatchObject({
    ok: false,
    error: { code: 'conflict', reason: 'platform_domain_required' },
  });
  expect(await operate({ command: 'domains.list', project: 'shop' }, '4')).toEqual({
    ok: true,
    result: { domains: [], next: null },
  });
});

test('a key that is created works and is in the usage plan; one that is revoked leaves it, and the cache is flushed', async () => {
  const [tables, gateway] = [await newTables(), await localGateway()];
  const operate = await operatorFunction(tables);
  const reply = await operate({ command: 'keys.create', name: 'Acme' }, 'request-1');
  const { key, id } = (reply as { result: { key: string; id: string } }).result;
  expect(await apiKeyLookup(tables.API_KEYS_TABLE, PREFIX).use(key)).toMatchObject({ id, name: 'Acme' });
  expect(gateway.members()).toEqual([id]);
  await operate({ command: 'keys.revoke', id }, 'request-2');
  expect(gateway.members()).toEqual([]);
  expect(gateway.flush.mock.calls).toEqual([[PLAN.restApiId, PLAN.stageName]]);
});

test('orders.place changes the order and its animal, and writes an audit entry', async () => {
  const tables = await newTables();
  const { id: petId } = await petStore(tables.PETS_TABLE, 1).add(rex);
  const operate = await operatorFunction(tables);
  const placed = await operate({ command: 'orders.place', petId: Number(petId), by: 'jane' });
  expect(placed).toMatchObject({ ok: true, result: { petId: Number(petId), status: 'placed' } });
  expect(await petStore(tables.PETS_TABLE, 1).find(petId)).toMatchObject({ status: 'pending' });
  const entry = { requestId: 'request-1', by: 'unverified', claimedBy: 'jane', command: 'orders.place' };
  expect(await operate({ command: 'audit.list' }, 'request-2')).toMatchObject({
    ok: true,
    result: { entries: [entry] },
  });
});

describe('the operator function', () => {
  const refusal = (message: unknown, reason = 'input_invalid') => ({
    ok: false,
    error: { code: 'invalid_request', reason, message },
  });

  test('rejects an unknown command and lists those of the contract', async () => {
    const operate = await operatorFunction();
    expect(await operate({ command: 'keys.Create' })).toEqual(
      refusal(`command must be one of ${COMMAND_NAMES}`, 'command_unknown'),
    );
  });

  test('rejects an unknown field of any command by its name', async () => {
    const operate = await operatorFunction();
    for (const command of COMMAND_NAMES.split(', ')) {
      const reply = await operate({ command, color: 'red' });
      const reason = expect.stringMatching(/^(input|id)_invalid$/);
      expect(reply).toEqual(
        refusal(expect.stringMatching(/color is not a field of this command; it takes /), reason),
      );
    }
  });
});

test('a failure during an outage is unavailable, logged with its request id', async () => {
  const lines = loggedLines();
  const engine = await faultyEngine(always('request lost'));
  const operate = await operatorFunction({}, engine.endpoint);
  let reply: unknown;
  await outcomeInFastTime(async () => {
    reply = await operate({ command: 'keys.create', name: 'Acme' });
  }, engine);
  const message = "AWS didn't respond in time. Try again.";
  expect(reply).toEqual({ ok: false, error: { code: 'unavailable', message } });
  expect(lines()).toMatchObject([{ requestId: 'request-1', error: { name: 'Unavailable' } }]);
});
