// Uses the packed client in Node.js and in a browser alike: creates animals through faults, lists them, cancels.
import { Petstore, PetstoreError } from 'petstore-client';

const CREATED_AT_ONCE = 10;

/** Retries come at once: the test is about what they do, not about how long they wait. */
const clock = {
  now: Date.now,
  random: Math.random,
  sleep: async (_delayMs, signal) => signal?.throwIfAborted(),
};

/** @param {{ url: string, apiKey: string, prefix: string, count: number }} task */
export async function walk({ url, apiKey, prefix, count }) {
  const petstore = new Petstore({ baseUrl: url, apiKey, clock, maxAttempts: 30 });
  const names = Array.from({ length: count }, (_, index) => `${prefix} ${index}`);
  const categoryOf = name => 2n ** 63n - 1n - BigInt(names.indexOf(name));

  const left = [...names];
  const createdIds = new Set();
  const create = async () => {
    for (let name = left.shift(); name; name = left.shift()) {
      const pet = await petstore.pets.create({ name, categoryId: categoryOf(name), status: 'sold' });
      createdIds.add(pet.id);
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));

  const listed = [];
  let pages = 0;
  for await (const page of petstore.pets.list({ status: 'sold', limit: 100 }).pages()) {
    pages++;
    listed.push(...page.items.filter(({ name }) => name.startsWith(`${prefix} `)));
  }
  return {
    created: createdIds.size,
    listed: listed.length,
    distinct: new Set(listed.map(({ name }) => name)).size,
    exact: listed.filter(({ id, name, categoryId }) => createdIds.has(id) && categoryId === categoryOf(name))
      .length,
    inOrder: listed.every(({ id }, index) => index === 0 || id > listed[index - 1].id),
    isPaged: pages >= count / 100,
    listCancelled: await cancelList(petstore),
    createCancelled: await cancelCreate(url, apiKey),
    unauthorized: await unauthorized(url),
  };
}

/** Ends a list after its first animal. */
async function cancelList(petstore) {
  const controller = new AbortController();
  const { signal } = controller;
  const pets = petstore.pets.list({ limit: 1 }, { signal })[Symbol.asyncIterator]();
  await pets.next();
  const next = pets.next();
  controller.abort('enough');
  return next.catch(reason => reason);
}

/** Ends a call while it is on its way: its request has been sent, and no response can have come. */
async function cancelCreate(url, apiKey) {
  const deadline = new AbortController();
  const send = (...request) => {
    const response = fetch(...request);
    deadline.abort(new DOMException('', 'TimeoutError'));
    return response;
  };
  const petstore = new Petstore({ baseUrl: url, apiKey, clock, fetch: send });
  const creating = petstore.pets.create({ name: 'Nobody', categoryId: 0n }, { signal: deadline.signal });
  return creating.catch(reason => reason.name);
}

async function unauthorized(url) {
  const stranger = new Petstore({ baseUrl: url, apiKey: 'pet_test_stranger', clock, maxAttempts: 30 });
  const error = await stranger.pets
    .list()
    .pages()
    .next()
    .catch(reason => reason);
  return error instanceof PetstoreError ? `${error.status} ${error.code}` : String(error);
}
