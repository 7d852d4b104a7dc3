import { Unavailable } from '../aws/retries.ts';
import { type ApiKey, isValid } from './api-key-record.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { GatewayKey, GatewayKeys, UsagePlan } from './usage-plan.ts';

interface OrphanParts {
  readonly apiKeys: Pick<ApiKeyStore, 'list'>;
  readonly gatewayKeys: GatewayKeys;
  readonly now?: () => number;
}

interface ReconcilerParts extends OrphanParts {
  readonly plan: Pick<UsagePlan, 'addMember' | 'members'>;
}

/** What a run removed from API Gateway, by the ids of our keys. */
export interface RemovedKeys {
  readonly removed: string[];
  /** How many changes are left for another run. */
  readonly remaining: number;
}

export interface ReconciledKeys extends RemovedKeys {
  /** The valid keys that API Gateway had lost, or that were not in the usage plan. */
  readonly added: string[];
  readonly left: {
    /** Valid keys that were in the usage plan already. */
    readonly valid: number;
    /** Keys at API Gateway without a record, which are too new to be called orphans. */
    readonly recent: number;
    /** Keys in the usage plan that are not of this environment. They are never changed. */
    readonly foreign: number;
  };
}

/**
 * API Gateway's key is created before the record of ours. The operator function, which does both, runs for at most 55 s, so a
 * key without a record after a quarter of an hour, even with clocks that differ, never gets one.
 */
const ORPHAN_AGE_MS = 15 * 60 * 1000;

/** A run starts no change after this time. A change takes at most some seconds, and the functions may take 55 s. */
const RUN_MS = 30_000;

/** Removes keys from API Gateway that are revoked, have expired, or were never recorded. */
export async function removeOrphans(parts: OrphanParts): Promise<RemovedKeys> {
  const run = startRun(parts);
  const { orphans } = await readKeys(parts);
  await run.each(orphans, ({ keyId }) => keyId, parts.gatewayKeys.remove);
  return { removed: run.done, remaining: run.remaining() };
}

/** Removes orphans, and makes sure that every valid key is in the usage plan, which may have been recreated. */
export async function reconcileKeys(parts: ReconcilerParts): Promise<ReconciledKeys> {
  const { gatewayKeys, plan } = parts;
  const removal = startRun(parts);
  const addition = startRun(parts);
  const { members, byKeyId, valid, missing, orphans, recent } = await compareKeys(parts);
  const ownIds = new Set([...byKeyId.values()].map(({ id }) => id));

  await addition.each(
    missing,
    ({ id }) => id,
    async ({ id }) => {
      await plan.addMember(byKeyId.get(id) ?? (await gatewayKeys.create(id)));
    },
  );
  await removal.each(orphans, ({ keyId }) => keyId, gatewayKeys.remove);
  return {
    added: addition.done,
    removed: removal.done,
    remaining: addition.remaining() + removal.remaining(),
    left: {
      valid: valid.length - missing.length,
      recent: recent.length,
      foreign: [...members].filter(id => !ownIds.has(id)).length,
    },
  };
}

/** What a reconciliation would change, by the ids of our keys. */
export interface KeyDifferences {
  /** How many keys are valid. */
  readonly valid: number;
  /** Valid keys that API Gateway has lost, or that are not in the usage plan. */
  readonly missing: string[];
  /** Valid keys that somebody has disabled at API Gateway, by the ids that API Gateway gave them. No reconciliation enables them. */
  readonly disabled: { readonly id: string; readonly gatewayId: string }[];
  /** Keys at API Gateway that are revoked, have expired, or were never recorded. */
  readonly orphans: string[];
  /** Keys at API Gateway without a record, which are too new to be called orphans. */
  readonly recent: number;
}

/** Compares the keys, and changes nothing. */
export async function keyDifferences(parts: ReconcilerParts): Promise<KeyDifferences> {
  const { valid, byKeyId, missing, orphans, recent } = await compareKeys(parts);
  return {
    valid: valid.length,
    missing: missing.map(({ id }) => id),
    disabled: valid.flatMap(({ id }) => {
      const key = byKeyId.get(id);
      return key?.isEnabled === false ? [{ id, gatewayId: key.id }] : [];
    }),
    orphans: orphans.map(({ keyId }) => keyId),
    recent: recent.length,
  };
}

/** Removes every key of this environment from API Gateway, where they would outlive the stack. The records stay. */
export async function withdrawKeys(parts: Omit<OrphanParts, 'apiKeys'>): Promise<RemovedKeys> {
  const run = startRun(parts);
  await run.each(await parts.gatewayKeys.list(), ({ keyId }) => keyId, parts.gatewayKeys.remove);
  return { removed: run.done, remaining: run.remaining() };
}

/** The keys on both sides and in the usage plan. */
async function compareKeys(parts: ReconcilerParts) {
  const [members, read] = [await parts.plan.members(), await readKeys(parts)];
  const byKeyId = new Map(read.atGateway.map(key => [key.keyId, key]));
  const missing = read.valid.filter(({ id }) => !members.has(byKeyId.get(id)?.id ?? ''));
  return { ...read, members, byKeyId, missing };
}

/** The keys on both sides. API Gateway is read first, because its key is created first. */
async function readKeys({ apiKeys, gatewayKeys, now = Date.now }: OrphanParts) {
  const atGateway = await gatewayKeys.list();
  const records = await apiKeys.list();
  const nowMs = now();
  const byId = new Map(records.map(record => [record.id, record]));
  const stateOf = ({ keyId, createdMs }: GatewayKey) => {
    const record = byId.get(keyId);
    if (record) return isValid(record, nowMs) ? 'valid' : 'orphan';
    return nowMs - createdMs > ORPHAN_AGE_MS ? 'orphan' : 'recent';
  };
  return {
    atGateway,
    valid: records.filter((record: ApiKey) => isValid(record, nowMs)),
    orphans: atGateway.filter(key => stateOf(key) === 'orphan'),
    recent: atGateway.filter(key => stateOf(key) === 'recent'),
  };
}

/**
 * Changes one key after another until the run's time is up. A failure doesn't stop the rest, unless API Gateway itself is
 * unavailable; it is thrown at the end.
 */
function startRun({ now = Date.now }: Pick<OrphanParts, 'now'>) {
  const endMs = now() + RUN_MS;
  const done: string[] = [];
  let asked = 0;
  return {
    done,
    remaining: () => asked - done.length,
    async each<Key>(keys: readonly Key[], idOf: (key: Key) => string, change: (key: Key) => Promise<void>) {
      const failures: unknown[] = [];
      asked += keys.length;
      for (const key of keys) {
        if (now() >= endMs || failures.some(failure => failure instanceof Unavailable)) break;
        await change(key).then(
          () => done.push(idOf(key)),
          failure => failures.push(failure),
        );
      }
      if (failures.length > 0) throw failures.at(-1);
    },
  };
}
