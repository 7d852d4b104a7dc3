import { gzipSync } from 'node:zlib';
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

/** What is refused and why, field by field: test/shared/pets/pet.test.ts and test/shared/http/read-request.test.ts. */
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

  test('201: a name is kept as it was sent', async () => {
    const kept = fc.asyncProperty(petName, async name => {
      expect((await created(send, { name, categoryId: 1 })).name).toBe(name);
    });
    await fc.assert(kept, { numRuns: 20, examples: [['  Rex  '], ['🦊'.repeat(255)], ['"\\</script>']] });
  });

  test.each([
    ['no body', '', /body/],
    ['not JSON', '{"name":', /not JSON/],
    ['half a surrogate pair in the name', '{"name":"Rex\\ud800","categoryId":1}', /^name /],
    ['categoryId above int64', '{"name":"Rex","categoryId":9223372036854775808}', /^categoryId /],
    ['three faults, named at once', '{"name":"","categoryId":"1","status":""}', /name.*categoryId.*status/],
    ['neither a body nor a media type', undefined, /body/],
  ])('400: %s', async (_title, body, message) => {
    expectError(await create(body), 400, 'invalid_request', message);
  });

  test('400: bytes that are not UTF-8, and nothing is added', async () => {
    const name = `caf\xe9 ${crypto.randomUUID()}`;
    const body = Buffer.from(JSON.stringify({ name, categoryId: 1 }), 'latin1');
    expectError(await create(body), 400, 'invalid_request', /^name is not UTF-8$/);
    expect((await allPets(send)).filter(pet => pet.name.endsWith(name.slice(5)))).toEqual([]);
  });

  test('201, 413: a body of 16 KiB, and one of one byte more', async () => {
    const padded = (bytes: number) => create(JSON.stringify(REX).padEnd(bytes));
    expect((await padded(16 * 1024)).status).toBe(201);
    expectError(await padded(16 * 1024 + 1), 413, 'payload_too_large');
  });

  test('201: the media type in capitals, with its encoding', async () => {
    expect((await create(REX, { 'Content-Type': 'Application/JSON;charset="UTF-8"' })).status).toBe(201);
  });

  test.each<[title: string, headers: object, body?: Buffer]>([
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['two media types', { 'Content-Type': 'application/json, text/plain' }],
    ['no media type', { 'Content-Type': undefined }],
    ['a compressed body', { 'Content-Encoding': 'gzip' }, gzipSync(JSON.stringify(REX))],
    ['a body that is said to be compressed', { 'Content-Encoding': 'br' }],
  ])('415: %s', async (_title, headers, body) => {
    expectError(await create(body ?? REX, headers), 415, 'unsupported_media_type');
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

    test('201: another key creates another animal, and so does the same one with another API key', async () => {
      const apiKey = await newApiKey(service, 'staging');
      const headers = { 'Idempotency-Key': 'mine', Authorization: `Bearer ${apiKey}` };
      const responses = [await once('mine', REX), await once('Mine', REX), await create(REX, headers)];
      for (const response of responses) expect(response.headers).not.toHaveProperty('idempotency-replayed');
      expect(new Set(responses.map(response => response.json<Pet>().id)).size).toBe(3);
    });

    test('422: the same key with another body', async () => {
      await once('taken', REX);
      expectError(await once('taken', { ...REX, name: 'Max' }), 422, 'idempotency_mismatch');
    });

    test('400: a key of more than 255 characters', async () => {
      expectError(await once('x'.repeat(256), REX), 400, 'invalid_request', /^Idempotency-Key /);
    });
  });
});
