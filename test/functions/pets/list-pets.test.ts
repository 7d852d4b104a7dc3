import { describe, expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { expectError, jsonBody, nextQuery as nextQueryAt, type ReadResponse } from '../proxy-event.ts';
import { type PetFunctions, petFunctions } from './pet-functions.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;

async function functionsWith(count: number, shards = 1): Promise<PetFunctions> {
  const functions = await petFunctions({ shards });
  for (let number = 1; number <= count; number += 1) {
    const status = STATUSES[number % 3];
    const { status: created } = await functions.create(
      jsonBody({ name: `Pet ${number}`, categoryId: 7, status }),
    );
    expect(created).toBe(201);
  }
  return functions;
}

const names = ({ body }: ReadResponse) => (body as Pet[]).map(({ name }) => name);

const nextQuery = (response: ReadResponse) => nextQueryAt(response, '/pets');

async function followLinks(functions: PetFunctions, first: Record<string, string>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let query: Record<string, string> | undefined = first; query; ) {
    const response = await functions.list({ query });
    expect(response.status).toBe(200);
    pages.push(names(response));
    query = nextQuery(response);
  }
  return pages;
}

const numbered = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, place) => `Pet ${from + place * step}`);

describe('200', () => {
  test('no pets: an empty array, and no Link', async () => {
    const response = await functionsWith(0).then(functions => functions.list());
    expect(response.text).toBe('[]');
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('Link');
  });

  test('the first 20 when no limit is given, and a Link to the rest', async () => {
    const functions = await functionsWith(21);
    const response = await functions.list();
    expect(names(response)).toEqual(numbered(1, 20));
    expect(nextQuery(response)).toEqual({ limit: '20', cursor: expect.any(String) });
    expect(await followLinks(functions, {})).toEqual([numbered(1, 20), ['Pet 21']]);
  });

  test.each([1, 4])('every page by following the Links, with %i shards', async shards => {
    const functions = await functionsWith(7, shards);
    expect(await followLinks(functions, { limit: '3' })).toEqual([numbered(1, 3), numbered(4, 6), ['Pet 7']]);
    expect(await followLinks(functions, { limit: '100' })).toEqual([numbered(1, 7)]);
  });

  test('only pets of the status, and a Link that keeps the filter', async () => {
    const functions = await functionsWith(9);
    const response = await functions.list({ query: { status: 'pending', limit: '2' } });
    expect(names(response)).toEqual(['Pet 1', 'Pet 4']);
    expect(nextQuery(response)).toMatchObject({ status: 'pending', limit: '2' });
    expect(await followLinks(functions, { status: 'available', limit: '2' })).toEqual([
      ['Pet 3', 'Pet 6'],
      ['Pet 9'],
    ]);
  });

  test('the next page by a cursor with another limit', async () => {
    const functions = await functionsWith(5);
    const { cursor = '' } = nextQuery(await functions.list({ query: { limit: '2' } })) ?? {};
    expect(names(await functions.list({ query: { cursor } }))).toEqual(numbered(3, 5));
  });
});

describe('400', () => {
  test('a limit out of range', async () => {
    const functions = await petFunctions({ tables: false });
    const response = await functions.list({ query: { limit: '101' } });
    expectError(response, 400, 'invalid_request', 'limit must be an integer from 1 to 100');
  });

  test('a cursor that is altered, of another filter, or malformed', async () => {
    const functions = await functionsWith(3);
    const { cursor = '' } = nextQuery(await functions.list({ query: { limit: '2' } })) ?? {};
    const refused = [{ cursor: `${cursor}x` }, { cursor: '' }, { cursor, status: 'sold' }];
    for (const query of refused) {
      const response = await functions.list({ query });
      expectError(response, 400, 'invalid_cursor', 'cursor is not valid for this list');
    }
  });
});
