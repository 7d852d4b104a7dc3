import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../infra/local/testing/random.ts';
import type { NewApiKey } from '../../shared/operator/contract.ts';
import { type Environment, readItems } from './clients.ts';
import type { Run } from './findings.ts';
import { GONE, type Thing } from './ledger.ts';

/** A pet by its name, which tells the request; the fields that may differ are its state. */
export const petOf = ({ id = '', name = '', categoryId, status }: Record<string, string>): Thing => ({
  id,
  name,
  state: `${categoryId} ${status}`,
});

const CATEGORIES = ['0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993'];

/** Creates pets until the run is over, and gets those of before. With an Idempotency-Key it repeats, as a good client does. */
export async function createPets(
  { api, pets, orderable, stage }: Environment,
  { isOver, findings, requireTime }: Run,
  client: number,
  random: Random,
): Promise<void> {
  const known: Thing[] = [];
  for (let number = 1; !isOver(); number += 1) {
    const name = `${stage} ${client} ${number} ${random.pick(['Rex', '🦊', '"é́" \\', ' x '])}`;
    const categoryId = random.pick(CATEGORIES);
    const status = random.pick(['available', 'available', 'sold']);
    pets.requested(name, `${categoryId} ${status}`);
    const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
    const pet = await create(body, random.chance(0.6) ? `${client}-${number}` : undefined);
    if (pet) known.push(pet);
    if (pet && status === 'available') orderable.push(pet);
    if (random.chance(0.3)) await get(random.pick(known.slice(-50)));
  }

  async function create(body: string, key: string | undefined): Promise<Thing | undefined> {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key };
    for (;;) {
      // Impatient clients send a request again before it gets a response, or once more after it.
      const times = key !== undefined && random.chance(0.2) ? 2 : 1;
      const sent = Array.from({ length: times }, () =>
        api.send('POST /pets', { headers, body, expected: [201] }),
      );
      const responses = (await Promise.all(sent)).filter(response => response !== undefined);
      const created = responses.filter(({ status }) => status === 201).flatMap(({ text }) => readItems(text));
      for (const pet of created) pets.acknowledged(petOf(pet));
      const isDone = key === undefined || (responses.length > 0 && random.chance(0.9));
      if (isDone && created[0]) findings.count('acknowledged: pets');
      if (isDone) return created[0] && petOf(created[0]);
      requireTime(`POST /pets ${body}`);
      await delay(random.between(50, 500));
    }
  }

  async function get(pet: Thing | undefined): Promise<void> {
    const response = pet && (await api.send(`GET /pets/${pet.id}`, { expected: [200, 404] }));
    if (response?.status === 404) findings.report('lost', `GET /pets/${pet?.id} of ${stage} returned 404`);
  }
}

/** Places, approves, delivers and cancels orders until the run is over. An order is named after its pet, which has one. */
export async function keepOrders(
  { operator, pets, orders, orderable, stage }: Environment,
  { isOver, findings }: Run,
  random: Random,
): Promise<void> {
  while (!isOver()) {
    const pet = orderable.shift();
    const id = pet && (await place(pet));
    if (pet && id !== undefined) await goOn(pet, id);
    await delay(random.between(50, 300));
  }

  /** Places an order, by one request, by one that is delivered twice at once, or by two that compete. */
  async function place(pet: Thing): Promise<number | undefined> {
    const way = random.pick(['once', 'once', 'twice', 'rivals']);
    const requestId = randomUUID();
    const requestIds = { once: [requestId], twice: [requestId, requestId] }[way] ?? [requestId, randomUUID()];
    orders.requested(pet.id, 'placed');
    const replies = await Promise.all(
      requestIds.map(each => operator.insist('orders.place', { petId: Number(pet.id) }, each)),
    );
    const placed = replies.filter(reply => reply.ok).map(({ result }) => result.id);
    for (const id of placed) changed(pet, id, 'placed', 'pending');
    if (placed.length !== (way === 'twice' ? 2 : 1)) {
      const results = replies.map(reply => (reply.ok ? reply.result.id : reply.error.message)).join(' / ');
      const kind = placed.length > 1 ? 'doubled' : 'false refusal';
      findings.report(kind, `orders.place (${way}) for the pet ${pet.id} of ${stage}: ${results}`);
    }
    return placed[0];
  }

  async function goOn(pet: Thing, id: number): Promise<void> {
    const way = random.pick(['leave', 'approve', 'deliver', 'cancel']);
    if (way === 'approve' || way === 'deliver') await step('orders.approve', 'approved', 'pending');
    if (way === 'deliver') await step('orders.deliver', 'delivered', 'sold');
    if (way === 'cancel') await step('orders.cancel', GONE, 'available');

    async function step(
      command: 'orders.approve' | 'orders.deliver' | 'orders.cancel',
      status: string,
      petStatus: string,
    ): Promise<void> {
      if (await operator.done(command, { id })) changed(pet, id, status, petStatus);
    }
  }

  function changed(pet: Thing, id: number, status: string, petStatus: string): void {
    orders.acknowledged({ name: pet.id, id: String(id), state: status });
    pets.acknowledged({ ...pet, state: pet.state.replace(/\w+$/, petStatus) });
  }
}

/** As many keys as are valid at the same time; the next ones take the place of older ones. */
const MOST_VALID = 12;

/** API Gateway knows a new key after 2 s, which are scaled: `keys create` says that it may be refused until then. */
const PROPAGATION_MS = 3000;

interface KnownKey {
  readonly id: string;
  /** Undefined where only a repetition got a reply: the key is in the first one alone. */
  readonly key: string | undefined;
  readonly knownFromMs: number;
}

/** Creates, uses, rotates and revokes API keys until the run is over, and then uses each once more. */
export async function keepKeys(
  { operator, api, keys }: Environment,
  { isOver, now }: Run,
  random: Random,
): Promise<void> {
  const valid: KnownKey[] = [];
  const revoked: KnownKey[] = [];

  while (!isOver()) {
    const roll = random.next();
    const old = random.pick(valid);
    if (old) await use(old, 200);
    if (!old || valid.length < 3 || (roll < 0.2 && valid.length < MOST_VALID)) await create();
    else if (roll < 0.55) await revoke(old);
    else if (roll < 0.75) await rotate(old);
    const former = random.pick(revoked);
    if (former) await use(former, 401);
    await delay(random.between(50, 200));
  }
  for (const key of revoked) await use(key, 401);
  for (const key of valid) await use(key, 200);

  async function create(): Promise<void> {
    enter(await operator.done('keys.create', { name: randomUUID() }));
  }

  function enter(created: NewApiKey | undefined): void {
    if (!created) return;
    const { id, key } = created;
    keys.acknowledged({ name: id, id, state: 'active' });
    valid.push({ id, key, knownFromMs: now() + PROPAGATION_MS });
  }

  /** A revocation that is acknowledged holds at once: the authorizer's cache was flushed before. */
  async function revoke(key: KnownKey): Promise<void> {
    if (!(await operator.done('keys.revoke', { id: key.id }))) return;
    end(key);
    revoked.push(key);
    await use(key, 401);
  }

  /** A key that was rotated without an overlap may work until the authorizer's cache has forgotten it, which is not tried. */
  async function rotate(old: KnownKey): Promise<void> {
    const overlapHours = random.pick([0, 1]);
    const created = await operator.done('keys.rotate', { id: old.id, overlapHours });
    if (created && overlapHours === 0) end(old);
    enter(created);
  }

  function end(key: KnownKey): void {
    valid.splice(valid.indexOf(key), 1);
    keys.acknowledged({ name: key.id, id: key.id, state: 'ended' });
  }

  async function use({ id, key, knownFromMs }: KnownKey, expected: 200 | 401): Promise<void> {
    if (key === undefined || now() < knownFromMs) return;
    await api.send('GET /pets?limit=1', { apiKey: { id, key }, expected: [expected] });
  }
}
