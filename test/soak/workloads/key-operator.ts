import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../infra/local/virtual/random.ts';
import type { NewApiKey } from '../../../shared/operator/contract.ts';
import { CACHE_TTL_MS, type KeyEntry } from '../ledger/operator-ledgers.ts';
import type { StageContext } from '../stage-context.ts';
import { ApiClient, checkResponse, TRANSIENT } from './api-client.ts';

/** As many keys as are valid at the same time; the next ones take the place of older ones. */
const MOST_VALID = 12;

/** Creates, uses, rotates and revokes API keys until the run is over. */
export async function keepKeys(context: StageContext, random: Random): Promise<void> {
  const { stage, url, operator, keys, now, tally, violations } = context;
  const api = new ApiClient(context);
  const valid = () => keys.entries.filter(({ endingFromMs }) => endingFromMs === Number.POSITIVE_INFINITY);

  while (!context.isOver()) {
    await use(random.pick(keys.entries));
    const roll = random.next();
    const old = random.pick(valid());
    if (valid().length < 3 || (roll < 0.2 && valid().length < MOST_VALID)) await create();
    else if (roll < 0.35 && old) await revoke(old);
    else if (roll < 0.5 && old) await rotate(old);
    await delay(random.between(0, 100));
  }
  // A key that was revoked while everything failed is refused afterwards, too.
  for (const entry of keys.entries) await use(entry);
  api.close();

  async function create(): Promise<void> {
    const requestId = randomUUID();
    const name = `soak ${requestId}`;
    const reply = await operator.insist('keys.create', { name }, requestId);
    if (!reply.ok) return refused('keys.create', name, reply.error.message);
    enter(reply.requestId, reply.result);
    tally.count('keys created');
  }

  function enter(requestId: string, { id, name, key }: NewApiKey): void {
    keys.created(requestId, { id, name, key }, now());
  }

  /** A revocation that is acknowledged holds at once: the authorizer's cache was flushed before. */
  async function revoke(entry: KeyEntry): Promise<void> {
    keys.ending(entry, now());
    const reply = await operator.insist('keys.revoke', { id: entry.id });
    if (!reply.ok) return refused('keys.revoke', entry.id, reply.error.message);
    keys.ended(entry, now());
    tally.count('keys revoked');
    await use(entry);
  }

  async function rotate(entry: KeyEntry): Promise<void> {
    const overlapHours = random.pick([0, 1]);
    if (overlapHours === 0) keys.ending(entry, now());
    const reply = await operator.insist('keys.rotate', { id: entry.id, overlapHours });
    if (!reply.ok) return refused('keys.rotate', entry.id, reply.error.message);
    if (overlapHours === 0) keys.ended(entry, now(), CACHE_TTL_MS);
    enter(reply.requestId, reply.result);
    tally.count('keys rotated');
  }

  /** Sends a request with a key. */
  async function use(entry: KeyEntry | undefined): Promise<void> {
    if (entry?.key === undefined) return;
    const headers = { Authorization: `Bearer ${entry.key}` };
    const response = await api.send({ method: 'GET', url: `${url}/pets?limit=1`, headers });
    if (!response || TRANSIENT.includes(response.status)) return;
    tally.count('keys tried');
    checkResponse(`GET /pets with the key ${entry.id}`, response, [200, 401], violations.add);
    keys.used(entry, response.status === 401, response.during);
  }

  function refused(command: string, what: string, message: string): void {
    violations.add('false conflict', `${command} ${what} of ${stage} returned ${message}`);
  }
}
