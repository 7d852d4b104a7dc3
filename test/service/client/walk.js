// Uses the packed client in Node.js and in a browser alike: creates animals through faults and lists them.
import { Petstore } from 'petstore-client';

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
  };
}
