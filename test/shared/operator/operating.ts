import { expect, vi } from 'vitest';
import { apiKeyLookup } from '../../../shared/api-keys/api-key-lookup.ts';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { auditLog } from '../../../shared/audit/audit-log.ts';
import type { CommandErrorCode, Reason } from '../../../shared/operator/contract.ts';
import { auditCommands } from '../../../shared/operator/environment-commands.ts';
import { keyCommands } from '../../../shared/operator/key-commands.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { orderCommands } from '../../../shared/operator/order-commands.ts';
import { orderStore } from '../../../shared/orders/order-store.ts';
import { petStatusChanges, petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { gatewayParts } from '../api-keys/local-gateway.ts';
import { PREFIX } from '../api-keys/stored-keys.ts';
import { asking } from './asking.ts';

/** The operator of keys, orders and the audit log, with its own tables, a clock that tests set, and a mocked usage plan. */
export async function operating() {
  const [apiKeysTable, ordersTable, petsTable, auditTable] = await Promise.all([
    tableLike('ApiKeysTable'),
    tableLike('OrdersTable'),
    tableLike('PetsTable'),
    tableLike('OperatorAudit'),
  ]);
  const clock = { nowMs: Date.UTC(2026, 0, 31, 12) };
  const now = () => clock.nowMs;
  const { gatewayKeys, plan: unmocked } = gatewayParts();
  const plan = {
    ...unmocked,
    addKey: vi.fn(async (_keyId: string) => {}),
    removeKey: vi.fn(async (_keyId: string) => {}),
    flushAuthorizerCache: vi.fn(async () => {}),
  };
  const apiKeys = { ...apiKeyStore(apiKeysTable), ...apiKeyLookup(apiKeysTable, PREFIX, now) };
  const orders = orderStore(ordersTable);
  const pets = petStore(petsTable, 4);
  const petStatus = petStatusChanges(petsTable);
  const audit = auditLog(auditTable);
  const operate = operator(
    {
      ...keyCommands({ apiKeys, gatewayKeys, plan, keyPrefix: PREFIX, now }),
      ...orderCommands({ orders, pets: petStatus, now }),
      ...auditCommands(audit),
    },
    audit,
    now,
  );

  const { ask, done } = asking(operate);

  return { operate, ask, done, apiKeys, apiKeysTable, orders, pets, petStatus, audit, plan, clock };
}

export type Operating = Awaited<ReturnType<typeof operating>>;

/** The response to a command that is refused. Without a reason, the test does not check it. */
export const refusal = (code: CommandErrorCode, message: unknown, reason?: Reason) => ({
  ok: false,
  error: reason ? { code, reason, message } : expect.objectContaining({ code, message }),
});
