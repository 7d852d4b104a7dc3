import { describe, expect, test } from 'vitest';
import { Connection } from '../src/connection.ts';
import { Petstore } from '../src/petstore.ts';
import { PetstoreError } from '../src/petstore-error.ts';
import { SYSTEM_CLOCK } from '../src/retry.ts';
import { optional, type Shape } from '../src/shape.ts';
import { BASE_URL, created, page, REX, refused, scriptedPetstore, silence } from './scripted-petstore.ts';

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('a list', () => {
  test('sends the query and the API key, and nothing for what is undefined', async () => {
    const { petstore, sent } = scriptedPetstore([page(), new Response('[]')]);
    expect(await collect(petstore.pets.list({ status: 'sold', limit: 5, cursor: undefined }))).toEqual([REX]);
    await collect(petstore.orders.list());
    expect(sent.map(({ line }) => line)).toEqual([
      `GET ${BASE_URL}/pets?status=sold&limit=5`,
      `GET ${BASE_URL}/store/orders`,
    ]);
    expect(sent[0]?.headers).toEqual({ authorization: 'Bearer pet_test_key' });
  });

  test('follows the links to the last page, absolute and relative ones', async () => {
    const { petstore, sent } = scriptedPetstore([
      page(`${BASE_URL}/pets?cursor=a`),
      page('pets?cursor=b'),
      page(),
    ]);
    expect(await collect(petstore.pets.list())).toEqual([REX, REX, REX]);
    expect(sent.map(({ line }) => line)).toEqual([
      `GET ${BASE_URL}/pets`,
      `GET ${BASE_URL}/pets?cursor=a`,
      `GET ${BASE_URL}/pets?cursor=b`,
    ]);
  });

  test('comes in pages with the cursor of the next one', async () => {
    const { petstore } = scriptedPetstore([page(`${BASE_URL}/pets?limit=1&cursor=a.b-c`), page()]);
    expect(await collect(petstore.pets.list({ limit: 1 }).pages())).toEqual([
      { items: [REX], nextCursor: 'a.b-c' },
      { items: [REX], nextCursor: undefined },
    ]);
  });

  test('reads no page that nobody asks for, and starts anew each time', async () => {
    const { petstore, sent } = scriptedPetstore([page(`${BASE_URL}/pets?cursor=a`), page()]);
    const list = petstore.pets.list();
    for await (const pet of list) {
      expect(pet).toEqual(REX);
      break;
    }
    await collect(list);
    expect(sent.map(({ line }) => line)).toEqual([`GET ${BASE_URL}/pets`, `GET ${BASE_URL}/pets`]);
  });

  test.for([
    'https://api.example.com/staging/v1/pets?cursor=a',
    'http://api.example.org/staging/v1/pets?cursor=a',
    'https://api.example.org:8443/staging/v1/pets?cursor=a',
    '//evil.example/pets?cursor=a',
  ])('sends no API key to %s, which is another origin', async link => {
    const { petstore, sent } = scriptedPetstore([page(link), page()]);
    await expect(collect(petstore.pets.list())).rejects.toMatchObject({
      code: 'unexpected_answer',
      status: 200,
    });
    expect(sent).toHaveLength(1);
  });

  test.for([
    [`${BASE_URL}/pets; rel="next"`, "can't be read"],
    ['<https://[>; rel="next"', "can't be read"],
    [`<${BASE_URL}/pets?cursor=a>; rel="next", <${BASE_URL}/pets?cursor=b>; rel="next"`, "can't be read"],
    [`<${BASE_URL}/pets>; rel="next"`, 'was already read'],
  ] as const)('does not end or go on forever with the link %s', async ([Link, message]) => {
    const { petstore, sent } = scriptedPetstore([new Response('[]', { headers: { Link } }), page()]);
    const error = await collect(petstore.pets.list()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PetstoreError);
    expect(error).toMatchObject({ code: 'unexpected_answer', message: expect.stringContaining(message) });
    expect(sent).toHaveLength(1);
  });

  test('does not go around in circles', async () => {
    const links = ['a', 'b', 'a'].map(cursor => page(`${BASE_URL}/pets?cursor=${cursor}`));
    const { petstore, sent } = scriptedPetstore(links);
    await expect(collect(petstore.pets.list())).rejects.toBeInstanceOf(PetstoreError);
    expect(sent).toHaveLength(3);
  });
});

describe('create', () => {
  test('sends the animal with all digits and an idempotency key', async () => {
    const { petstore, sent } = scriptedPetstore([created()]);
    expect(await petstore.pets.create({ name: 'Rex', categoryId: 2n ** 63n - 1n, status: 'sold' })).toEqual(
      REX,
    );
    expect(sent).toMatchObject([
      {
        line: `POST ${BASE_URL}/pets`,
        headers: {
          authorization: 'Bearer pet_test_key',
          'content-type': 'application/json',
          'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
        },
        body: '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}',
      },
    ]);
  });

  test('has one key for all attempts of a call, and another for the next call', async () => {
    const { petstore, sent } = scriptedPetstore([
      new TypeError('lost'),
      refused(503, 'unavailable'),
      created(),
      created(),
    ]);
    await petstore.pets.create({ name: 'Rex', categoryId: 2n });
    await petstore.pets.create({ name: 'Rex', categoryId: 2n });
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  test('takes the key of the caller', async () => {
    const { petstore, sent } = scriptedPetstore([created()]);
    await petstore.pets.create({ name: 'Rex', categoryId: 2n }, { idempotencyKey: 'mine' });
    expect(sent[0]?.headers['idempotency-key']).toBe('mine');
  });
});

describe('a client', () => {
  test.for([
    'https://api.example.org/staging/v1/',
    'https://api.example.org/staging/v1?a=b#c',
    new URL(BASE_URL),
  ])('takes the base address %s', async baseUrl => {
    const { petstore, sent } = scriptedPetstore([created()], { baseUrl });
    await petstore.pets.get(1n);
    expect(sent[0]?.line).toBe(`GET ${BASE_URL}/pets/1`);
  });

  test('refuses an invalid URL and a key that no header can hold', () => {
    expect(() => new Petstore({ baseUrl: '/staging/v1', apiKey: 'a' })).toThrow(TypeError);
    expect(() => new Petstore({ baseUrl: BASE_URL, apiKey: 'pet_test_…' })).toThrow(TypeError);
  });

  test.for([undefined, ''])('refuses the key %j at once', apiKey => {
    const options = { baseUrl: BASE_URL, apiKey: apiKey as string };
    expect(() => new Petstore(options)).toThrow(
      new TypeError('apiKey is missing. Is the variable that should hold it set?'),
    );
  });

  test.for([0, -1, Number.NaN])('refuses a time limit of %d', timeoutMs => {
    expect(() => new Petstore({ baseUrl: BASE_URL, apiKey: 'a', timeoutMs })).toThrow('timeoutMs');
  });

  test('does not follow redirects', async () => {
    const redirect = new Response(null, { status: 307, headers: { Location: 'https://evil.example/' } });
    const { petstore, sent } = scriptedPetstore([redirect]);
    await expect(petstore.pets.get(1n)).rejects.toMatchObject({ code: 'unexpected_answer', status: 307 });
    expect(sent).toHaveLength(1);
  });
});

describe('headers', () => {
  const tagged = (tag: string, Link?: string) =>
    new Response('[]', { headers: { ETag: tag, ...(Link && { Link }) } });

  test('are those of the successful response, and of each page', async () => {
    const tags: (string | null)[] = [];
    const onHeaders = (headers: Headers) => void tags.push(headers.get('ETag'));
    const next = `<${BASE_URL}/pets?cursor=a>; rel="next"`;
    const unavailable = refused(503, 'unavailable', { ETag: 'x' });
    const { petstore } = scriptedPetstore([unavailable, tagged('a', next), tagged('b'), created()]);
    await collect(petstore.pets.list({}, { onHeaders }));
    await petstore.pets.get(1n, { onHeaders });
    expect(tags).toEqual(['a', 'b', null]);
  });

  test('end the call with what reading them throws, without another attempt', async () => {
    const { petstore, sent } = scriptedPetstore([created(), created()]);
    const onHeaders = () => {
      throw new Error('unread');
    };
    await expect(petstore.pets.get(1n, { onHeaders })).rejects.toThrow('unread');
    expect(sent).toHaveLength(1);
  });
});

describe('a signal', () => {
  test('that was aborted before the call lets nothing be sent', async () => {
    const { petstore, sent } = scriptedPetstore([]);
    const signal = AbortSignal.abort('enough');
    await expect(petstore.pets.create({ name: 'Rex', categoryId: 2n }, { signal })).rejects.toBe('enough');
    await expect(petstore.pets.get(1n, { signal })).rejects.toBe('enough');
    await expect(collect(petstore.pets.list({}, { signal }))).rejects.toBe('enough');
    await expect(collect(petstore.orders.list({}, { signal }))).rejects.toBe('enough');
    expect(sent).toEqual([]);
  });

  test('ends a request without another attempt', async () => {
    const controller = new AbortController();
    const { petstore, sent } = scriptedPetstore([silence]);
    const creating = petstore.pets.create({ name: 'Rex', categoryId: 2n }, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(creating).rejects.toBe(controller.signal.reason);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test('ends the wait between two attempts', async () => {
    const controller = new AbortController();
    const response = () => {
      setTimeout(() => controller.abort('enough'));
      return refused(503, 'unavailable', { 'Retry-After': '30' });
    };
    const { petstore, sent } = scriptedPetstore([response, created()], { clock: undefined });
    await expect(petstore.pets.get(1n, { signal: controller.signal })).rejects.toBe('enough');
    expect(sent).toHaveLength(1);
  });

  test('ends a list between two pages', async () => {
    const controller = new AbortController();
    const { petstore, sent } = scriptedPetstore([page(`${BASE_URL}/pets?cursor=a`), page()]);
    const pets = petstore.pets.list({}, { signal: controller.signal })[Symbol.asyncIterator]();
    expect(await pets.next()).toEqual({ value: REX, done: false });
    controller.abort('enough');
    await expect(pets.next()).rejects.toBe('enough');
    expect(sent).toHaveLength(1);
  });
});

describe('an operation of another document', () => {
  const call = { operation: 'GET /chips', url: new URL(BASE_URL), options: {} };
  const connection = (respond: () => Response) =>
    new Connection({
      origin: new URL(BASE_URL).origin,
      apiKey: 'a',
      maxAttempts: 1,
      timeoutMs: 60_000,
      onDeprecation() {},
      fetch: async () => respond(),
      clock: SYSTEM_CLOCK,
    });

  test('that documents no body has no value', async () => {
    const empty = connection(() => new Response(null, { status: 204 }));
    expect(await empty.value<void>(call, undefined)).toBeUndefined();
  });

  interface Chip {
    id: bigint;
    owner?: string | undefined;
    kind?: 'passive' | 'active' | undefined;
  }
  const CHIP: Shape<Chip> = {
    id: 'bigint',
    owner: optional('string'),
    kind: optional({ passive: true, active: true }),
  };

  test.for([
    [{ id: 1 }, undefined],
    [{ id: 1, owner: 'Ann', kind: 'active' }, undefined],
    [{ owner: 'Ann' }, 'id is missing'],
    [{ id: 1, owner: null }, 'owner is not as documented'],
    [{ id: 1, kind: 'undefined' }, 'kind is not as documented'],
  ] as const)('that documents optional members takes %j: %s', async ([body, difference]) => {
    const read = connection(() => Response.json(body)).value(call, CHIP);
    if (difference) await expect(read).rejects.toThrow(`The response is not as documented: ${difference}.`);
    else expect(await read).toEqual({ ...body, id: 1n });
  });
});
