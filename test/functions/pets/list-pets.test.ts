import { describe, expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { shardOf } from '../../../shared/time-id.ts';
import { expectError, jsonBody, type ReadResponse } from '../proxy-event.ts';
import { type PetFunctions, petFunctions } from './pet-functions.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;

async function functionsWith(count: number, shards = 1): Promise<PetFunctions> {
  const functions = await petFunctions({ shards });
  for (let number = 1; number <= count; number += 1) {
    const pet = { name: `Pet ${number}`, categoryId: 7, status: STATUSES[number % 3] };
    expect(await functions.create(jsonBody(pet))).toMatchObject({ status: 201 });
  }
  return functions;
}

const names = ({ body }: ReadResponse) => (body as Pet[]).map(({ name }) => name);

/** The query of the next page, if the response announces one. */
function nextQuery({ headers }: ReadResponse): Record<string, string> | undefined {
  if (headers.Link === undefined) return undefined;
  const [, url = ''] = /^<([^<>]+)>; rel="next"$/.exec(headers.Link) ?? [];
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin + pathname).toBe('https://api.example.com/staging/v1/pets');
  return Object.fromEntries(searchParams);
}

describe('200', () => {
  test.each([1, 4])('the first 20 by default, and a Link to the rest, with %i shards', async shards => {
    const functions = await functionsWith(21, shards);
    const response = await functions.list();
    expect(names(response)).toEqual(Array.from({ length: 20 }, (_, place) => `Pet ${place + 1}`));
    const query = nextQuery(response);
    expect(query).toEqual({ limit: '20', cursor: expect.any(String) });
    const rest = await functions.list({ query: query ?? {} });
    expect([names(rest), rest.headers.Link]).toEqual([['Pet 21'], undefined]);
    const used = new Set((response.body as Pet[]).map(({ id }) => shardOf(id)));
    expect(used.size > 1).toBe(shards > 1);
  });

  test('only pets of the status, a Link that keeps the filter, and the rest by any limit', async () => {
    const functions = await functionsWith(9);
    const response = await functions.list({ query: { status: 'pending', limit: '2' } });
    expect(names(response)).toEqual(['Pet 1', 'Pet 4']);
    const { cursor = '', ...query } = nextQuery(response) ?? {};
    expect(query).toEqual({ status: 'pending', limit: '2' });
    expect(names(await functions.list({ query: { status: 'pending', cursor } }))).toEqual(['Pet 7']);
  });
});

test('400: a cursor that is altered, of another filter, or malformed', async () => {
  const functions = await functionsWith(3);
  const { cursor = '' } = nextQuery(await functions.list({ query: { limit: '2' } })) ?? {};
  for (const query of [{ cursor: `${cursor}x` }, { cursor: '' }, { cursor, status: 'sold' }]) {
    const response = await functions.list({ query });
    expectError(response, 400, 'invalid_cursor', 'cursor is not valid for this list');
  }
});
