import * as z from 'zod/mini';
import type { ApiKeyStore } from '../api-keys/api-key-store.ts';
import type { GatewayKeys } from '../api-keys/gateway-keys.ts';
import { reconcileKeys, withdrawKeys } from '../api-keys/key-reconciliation.ts';
import type { UsagePlan } from '../api-keys/usage-plan.ts';
import { type CommandTable, command } from './command.ts';

type GatewayKeyCommandName = 'keys.reconcile' | 'keys.withdraw';

interface GatewayKeyCommandParts {
  readonly apiKeys: ApiKeyStore;
  readonly gatewayKeys: GatewayKeys;
  readonly plan: UsagePlan;
  readonly now?: () => number;
}

/**
 * What operators do with API Gateway's side of all keys at once. The audit record is written last, because it says what
 * was done; a run that ended before it is repeated, and changes only what is left.
 */
export function gatewayKeyCommands(parts: GatewayKeyCommandParts): CommandTable<GatewayKeyCommandName> {
  return {
    'keys.reconcile': command(z.strictObject({}), async (_, change) => {
      const reconciled = await reconcileKeys(parts);
      await change.commit([], reconciled);
      return reconciled;
    }),

    'keys.withdraw': command(z.strictObject({}), async (_, change) => {
      const withdrawn = await withdrawKeys(parts);
      await change.commit([], withdrawn);
      return withdrawn;
    }),
  };
}
