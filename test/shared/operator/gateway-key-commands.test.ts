import { beforeEach, expect, test } from 'vitest';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { auditLog } from '../../../shared/audit/audit-log.ts';
import { gatewayKeyCommands } from '../../../shared/operator/gateway-key-commands.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { gatewayParts, localGateway } from '../api-keys/local-gateway.ts';
import { storedKey } from '../api-keys/stored-keys.ts';
import { asking } from './asking.ts';

async function newWorld() {
  const [keysTable, auditTable] = await Promise.all([tableLike('ApiKeysTable'), tableLike('OperatorAudit')]);
  const [gateway, audit] = [await localGateway(), auditLog(auditTable)];
  const commands = gatewayKeyCommands({ apiKeys: apiKeyStore(keysTable), ...gatewayParts() });
  return { keysTable, gateway, audit, ...asking(operator(commands, audit)) };
}

let world: Awaited<ReturnType<typeof newWorld>>;
beforeEach(async () => {
  world = await newWorld();
});

test('keys.reconcile admits valid keys again, and records what it did', async () => {
  const { id } = await storedKey(world.keysTable);
  const result = { added: [id], removed: [], remaining: 0, left: { valid: 0, recent: 0, foreign: 0 } };
  expect(await world.done('keys.reconcile')).toEqual(result);
  expect(world.gateway.members()).toEqual([id]);
  expect(await world.audit.list(10)).toMatchObject([{ command: 'keys.reconcile', result }]);
  expect(await world.done('keys.reconcile')).toMatchObject({ added: [], left: { valid: 1 } });
});

test('keys.withdraw removes the keys from API Gateway, and keys.reconcile brings them back', async () => {
  const { id } = await storedKey(world.keysTable);
  await world.done('keys.reconcile');
  expect(await world.done('keys.withdraw')).toEqual({ removed: [id], remaining: 0 });
  expect(world.gateway.apiKeys.list()).toEqual([]);
  expect(await world.done('keys.withdraw')).toEqual({ removed: [], remaining: 0 });
  expect(await world.done('keys.reconcile')).toMatchObject({ added: [id] });
});

test('keys.reconcile answers a request that is delivered again with what the first delivery did', async () => {
  const { id } = await storedKey(world.keysTable);
  await world.done('keys.reconcile', { requestId: 'r' });
  expect(await world.ask('keys.reconcile', { requestId: 'r' })).toMatchObject({
    replayed: true,
    result: { added: [id] },
  });
});
