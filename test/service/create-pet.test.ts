import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../any-text.ts';
import { allPets, client, expectError, type Pet } from './http-client.ts';
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
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
    });
  });

  test('201: every name comes back as it was sent, and every int64 digit for digit', async () => {
    const kept = fc.asyncProperty(petName, int64, async (name, categoryId) => {
      const response = await create(`{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`);
      expect(response.text).toContain(`"categoryId":${categoryId},`);
      const pet = response.json<Pet>();
      expect(pet.name).toBe(name);
      expect((await send(`GET /pets/${pet.id}`)).text).toBe(response.text);
    });
    const examples: [string, bigint][] = [
      ['  Rex  ', 2n ** 63n - 1n],
      ['🦊'.repeat(255), -(2n ** 63n)],
      ['"\\</script>', 2n ** 53n + 1n],
    ];
    await fc.assert(kept, { numRuns: 20, examples });
  });

  test('400: bytes that are not UTF-8, and nothing is added', async () => {
    const name = `caf\xe9 ${crypto.randomUUID()}`;
    const body = Buffer.from(JSON.stringify({ name, categoryId: 1 }), 'latin1');
    expectError(await create(body), 400, 'invalid_request', /^name is not UTF-8$/);
    expect((await allPets(send)).filter(pet => pet.name.endsWith(name.slice(5)))).toEqual([]);
  });

  test.each<[title: string, headers: object, body?: Buffer]>([
    ['no media type', { 'Content-Type': undefined }],
    ['a compressed body', { 'Content-Encoding': 'gzip' }, gzipSync(JSON.stringify(REX))],
    ['a body that is said to be compressed', { 'Content-Encoding': 'br' }],
  ])('415: %s', async (_title, headers, body) => {
    expectError(await create(body ?? REX, headers), 415, 'unsupported_media_type');
  });

  test('201: a repeated request gets the same animal and Idempotency-Replayed', async () => {
    const animal = { ...REX, name: 'Repeated' };
    const once = (body: unknown) => create(body, { 'Idempotency-Key': 'again' });
    const first = await once(animal);
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    for (const sameAnimal of [animal, '{ "categoryId": 7.0, "name": "Repeated", "status": "available" }']) {
      const second = await once(sameAnimal);
      expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, 'true']);
      expect(second.text).toBe(first.text);
    }
    const { id } = first.json<Pet>();
    const later = (await allPets(send)).filter(pet => pet.id >= id && pet.name === animal.name);
    expect(later.map(pet => pet.id)).toEqual([id]);
  });
});
