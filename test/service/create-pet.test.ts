import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../any-text.ts';
import { allPets, client, created, expectError, type Pet } from './http-client.ts';
import { newApiKey } from './operator.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const REX = { name: 'Rex', categoryId: 7 };

/** Every digit of an int64, most of them beyond what a JavaScript number can hold. */
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Names that are accepted: 1 to 255 characters, not all of them white space, none of them unreadable. */
const petName = anyText({ minLength: 1, maxLength: 60 }).filter(
  name => name.trim() !== '' && !/[\p{Cc}\ufffd]/u.test(name),
);

const REFUSED_BODIES: [title: string, body: string, message: RegExp][] = [
  ['no body', '', /body/],
  ['not JSON', '{"name":', /not JSON/],
  ['null', 'null', /body/],
  ['an array', '[{"name":"Rex","categoryId":1}]', /body/],
  ['a text', '"Rex"', /body/],
  ['no field at all: both are named', '{}', /name.*categoryId/],
  ['no name', '{"categoryId":1}', /^name is required$/],
  ['name null', '{"name":null,"categoryId":1}', /^name /],
  ['name a number', '{"name":5,"categoryId":1}', /^name /],
  ['name empty', '{"name":"","categoryId":1}', /^name /],
  ['name only white space', '{"name":" \\u00a0 ","categoryId":1}', /^name /],
  ['name of 256 characters', JSON.stringify({ name: 'x'.repeat(256), categoryId: 1 }), /^name /],
  ['a control character in the name', '{"name":"Rex\\u0000","categoryId":1}', /^name /],
  ['a line break in the name', '{"name":"Rex\\nMax","categoryId":1}', /^name /],
  ['half a surrogate pair in the name', '{"name":"Rex\\ud800","categoryId":1}', /^name /],
  ['U+FFFD in the name', '{"name":"caf\ufffd","categoryId":1}', /^name /],
  ['no categoryId', '{"name":"Rex"}', /^categoryId is required$/],
  ['categoryId null', '{"name":"Rex","categoryId":null}', /^categoryId /],
  ['categoryId a text', '{"name":"Rex","categoryId":"5"}', /^categoryId /],
  ['categoryId with a fraction', '{"name":"Rex","categoryId":5.5}', /^categoryId /],
  ['categoryId above int64', '{"name":"Rex","categoryId":9223372036854775808}', /^categoryId /],
  ['categoryId below int64', '{"name":"Rex","categoryId":-9223372036854775809}', /^categoryId /],
  ['categoryId endless', '{"name":"Rex","categoryId":1e400}', /^categoryId /],
  ['an unknown status', '{"name":"Rex","categoryId":1,"status":"lost"}', /^status /],
  ['status null', '{"name":"Rex","categoryId":1,"status":null}', /^status /],
  ['status in capitals', '{"name":"Rex","categoryId":1,"status":"SOLD"}', /^status /],
  ['three faults, named at once', '{"name":"","categoryId":"1","status":""}', /name.*categoryId.*status/],
];

describe('POST /pets', () => {
  const send = client(() => service.staging);
  const create = (body: unknown, headers = {}) => send('POST /pets', { body, headers });

  test('201: the animal as it was sent, its new id included', async () => {
    const response = await create({ ...REX, status: 'sold' });
    expect(response.status).toBe(201);
    const { id } = response.json<Pet>();
    expect(response.text).toBe(`{"id":${id},"name":"Rex","categoryId":7,"status":"sold"}`);
    expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers).not.toHaveProperty('idempotency-replayed');
  });

  test('201: an animal without a status is available, and listed as such', async () => {
    const pet = await created(send, REX);
    expect(pet.status).toBe('available');
    expect(await allPets(send, 'status=available')).toContainEqual(pet);
  });

  test('201: a pet is found as soon as it is created, and ids ascend in the order of creation', async () => {
    const pets = [await created(send, REX), await created(send, REX), await created(send, REX)];
    expect(pets.map(({ id }) => id)).toEqual(pets.map(({ id }) => id).toSorted((a, b) => a - b));
    for (const pet of pets) expect((await send(`GET /pets/${pet.id}`)).json()).toEqual(pet);
  });

  test('201: every int64 comes back digit for digit', async () => {
    const digitForDigit = fc.asyncProperty(int64, async categoryId => {
      const response = await create(`{"name":"Rex","categoryId":${categoryId}}`);
      expect(response.text).toContain(`"categoryId":${categoryId},`);
      const { id } = response.json<Pet>();
      expect((await send(`GET /pets/${id}`)).text).toBe(response.text);
    });
    const examples = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, 0n].map((value): [bigint] => [value]);
    await fc.assert(digitForDigit, { numRuns: 20, examples });
  });

  test.each([
    ['5.0', '5'],
    ['1e3', '1000'],
    ['-0', '0'],
    ['5E+0', '5'],
    ['120e-1', '12'],
    ['922337203685477580700e-2', '9223372036854775807'],
  ])('201: the integer written %s', async (written, returned) => {
    const response = await create(`{"name":"Rex","categoryId":${written}}`);
    expect(response.text).toContain(`"categoryId":${returned},`);
  });

  test('201: a name is kept as it was sent', async () => {
    const kept = fc.asyncProperty(petName, async name => {
      expect((await created(send, { name, categoryId: 1 })).name).toBe(name);
    });
    await fc.assert(kept, { numRuns: 20, examples: [['  Rex  '], ['🦊'.repeat(255)], ['"\\</script>']] });
  });

  test('201: unknown fields are ignored and not kept', async () => {
    const response = await create({ ...REX, id: 1, owner: 'Ann', __proto__: null });
    const { id } = response.json<Pet>();
    expect(response.text).toBe(`{"id":${id},"name":"Rex","categoryId":7,"status":"available"}`);
    expect(id).toBeGreaterThan(1);
    expect((await send(`GET /pets/${id}`)).text).toBe(response.text);
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    '201: %s',
    async contentType => {
      expect((await create(REX, { 'Content-Type': contentType })).status).toBe(201);
    },
  );

  test('201: a body of 16 KiB', async () => {
    expect((await create(JSON.stringify(REX).padEnd(16 * 1024))).status).toBe(201);
  });

  test.each(REFUSED_BODIES)('400: %s', async (_title, body, message) => {
    expectError(await create(body), 400, 'invalid_request', message);
  });

  test('400: bytes that are not UTF-8, and nothing is added', async () => {
    const name = `caf\xe9 ${crypto.randomUUID()}`;
    const body = Buffer.from(JSON.stringify({ name, categoryId: 1 }), 'latin1');
    expectError(await create(body), 400, 'invalid_request', /^name is not UTF-8$/);
    expect((await allPets(send)).filter(pet => pet.name.endsWith(name.slice(5)))).toEqual([]);
  });

  test('400: neither a body nor a media type', async () => {
    expectError(await send('POST /pets'), 400, 'invalid_request', /body/);
  });

  test('413: a body of one byte more than 16 KiB', async () => {
    expectError(await create(JSON.stringify(REX).padEnd(16 * 1024 + 1)), 413, 'payload_too_large');
    expectError(await create(`"${'🦊'.repeat(4096)}"`), 413, 'payload_too_large');
  });

  test.each([
    ...['text/plain', 'application/xml', 'application/jsonp', 'text/json', 'application/merge-patch+json'],
    ...['application/json; charset=iso-8859-1', 'application/json, text/plain', undefined],
  ])('415: %s', async contentType => {
    expectError(await create(REX, { 'Content-Type': contentType }), 415, 'unsupported_media_type');
  });

  describe('with an Idempotency-Key', () => {
    const once = (key: string, body: unknown) => create(body, { 'Idempotency-Key': key });

    test('201: a repeated request gets the same animal and Idempotency-Replayed', async () => {
      const animal = { ...REX, name: 'Repeated' };
      const first = await once('again', animal);
      expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
      for (const sameAnimal of [animal, '{ "categoryId": 7.0, "name": "Repeated", "status": "available" }']) {
        const second = await once('again', sameAnimal);
        expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, 'true']);
        expect(second.text).toBe(first.text);
      }
      const { id } = first.json<Pet>();
      const later = (await allPets(send)).filter(pet => pet.id >= id && pet.name === animal.name);
      expect(later.map(pet => pet.id)).toEqual([id]);
    });

    test('201: a repeated request gets every digit of an int64', async () => {
      const body = '{"name":"Rex","categoryId":9223372036854775807}';
      await once('digits', body);
      expect((await once('digits', body)).text).toContain('"categoryId":9223372036854775807,');
    });

    test('201: another key creates another animal, and so does the same one with another API key', async () => {
      const apiKey = await newApiKey(service.awsEndpoint, 'staging');
      const headers = { 'Idempotency-Key': 'mine', Authorization: `Bearer ${apiKey}` };
      const responses = [await once('mine', REX), await once('Mine', REX), await create(REX, headers)];
      expect(responses.map(({ headers: { 'idempotency-replayed': replayed } }) => replayed)).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(new Set(responses.map(response => response.json<Pet>().id)).size).toBe(3);
    });

    test('201: a key of 1 character and one of 255', async () => {
      for (const key of ['1', '2'.repeat(255)]) expect((await once(key, REX)).status).toBe(201);
    });

    test('201: a request that was refused does not use the key up', async () => {
      expectError(await once('corrected', { name: 'Rex' }), 400, 'invalid_request');
      expect((await once('corrected', REX)).headers).not.toHaveProperty('idempotency-replayed');
    });

    test('422: the same key with another body', async () => {
      await once('taken', REX);
      for (const other of [{ name: 'Max' }, { categoryId: 8 }, { status: 'sold' }]) {
        expectError(await once('taken', { ...REX, ...other }), 422, 'idempotency_mismatch');
      }
    });

    test('400: an empty key, or one of more than 255 characters', async () => {
      for (const key of ['', 'x'.repeat(256)]) {
        expectError(await once(key, REX), 400, 'invalid_request', /^Idempotency-Key /);
      }
    });
  });
});
