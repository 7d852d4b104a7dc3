import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { hashOf, keyIdOf } from '../../../../shared/api-keys/api-key.ts';
import { Skipped } from '../check.ts';
import { broken, expectError, expectHeader, expectList, expectObject, expectStatus } from './expectations.ts';
import type { HttpCheck } from './http-checks.ts';
import type { Response } from './smoke-client.ts';

/** Sold, so that no client is offered it. A list with one of them is large enough to be compressed. */
const SMOKE_PET = { name: 'Petstore smoke '.padEnd(2 * 255 - 15, '🐾'), categoryId: 1, status: 'sold' };

/** What operations do beyond what every list does: one check or more for each of them. */
export const OPERATION_CHECKS: readonly HttpCheck[] = [
  {
    name: 'createPet creates an animal, and getPet finds it immediately',
    writes: 'pets',
    async run({ send }) {
      const created = await send('POST /pets', { body: SMOKE_PET });
      const { id, ...fields } = expectObject(created, 201);
      if (!isDeepStrictEqual(fields, SMOKE_PET)) {
        throw broken(created, 'the animal as it was sent', created.text);
      }
      expectHeader(created, 'location', new RegExp(`^https?://.+/v1/pets/${id}$`));
      expectSame(await send(`GET /pets/${id}`), created, 200);
    },
  },
  {
    name: 'createPet with an Idempotency-Key creates one animal however often it is sent',
    writes: 'pets',
    async run({ send }) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await send('POST /pets', { headers, body: SMOKE_PET });
      expectStatus(first, 201);
      const again = await send('POST /pets', { headers, body: SMOKE_PET });
      expectSame(again, first, 201);
      expectHeader(again, 'idempotency-replayed', 'true');
      const other = await send('POST /pets', { headers, body: { ...SMOKE_PET, name: 'Another' } });
      expectError(other, 422, 'idempotency_mismatch');
    },
  },
  {
    name: 'createPet reaches its tables, which refuse the pet (nothing is created)',
    async run({ send, keys, session }) {
      const key = keys.with('pets:write');
      const idempotencyKey = randomUUID();
      const input = { keyId: keyIdOf(hashOf(key)), idempotencyKey };
      await session.change('pets.rehearse', input, '', { isConfirmed: true });
      const headers = { 'Idempotency-Key': idempotencyKey };
      const refused = await send('POST /pets', { key, headers, body: SMOKE_PET });
      expectError(refused, 422, 'idempotency_mismatch');
    },
  },
  {
    name: 'getPet returns an animal from the list',
    async run({ send }) {
      const [pet] = expectList(await send('GET /pets?limit=1'));
      if (pet === undefined) throw new Skipped('there are no animals yet');
      const response = await send(`GET /pets/${pet.id}`);
      const found = expectObject(response, 200);
      if (found.id !== pet.id) throw broken(response, `the animal ${pet.id}`, response.text);
    },
  },
];

function expectSame(response: Response, other: Response, status: number): void {
  expectStatus(response, status);
  if (response.text !== other.text) throw broken(response, other.text, response.text);
}
