import { describe, expect, test } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { expectError, jsonBody, type ReadResponse } from '../proxy-event.ts';
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

/** The query of the next page, if the response announces one. */
function nextQuery({ headers }: ReadResponse): Record<string, string> | undefined {
  if (headers.Link === undefined) return undefined;
  const [, url = ''] = /^<([^<>]+)>; rel="next"$/.exec(headers.Link) ?? [];
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin + pathname).toBe('https://api.example.com/staging/v1/pets');
  return Object.fromEntries(searchParams);
}

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

  test('each pet has exactly id, name, categoryId and status', async () => {
    const functions = await functionsWith(1);
    const { text } = await functions.list();
    expect(text).toMatch(/^\[\{"id":\d{1,16},"name":"Pet 1","categoryId":7,"status":"pending"\}\]$/);
  });

  test.each([1, 4])('every page by following the Links, with %i shards', async shards => {
    const functions = await functionsWith(7, shards);
    expect(await followLinks(functions, { limit: '3' })).toEqual([numbered(1, 3), numbered(4, 6), ['Pet 7']]);
    expect(await followLinks(functions, { limit: '100' })).toEqual([numbered(1, 7)]);
  });

  test('no Link on a last page that is full', async () => {
    const functions = await functionsWith(6);
    expect(await followLinks(functions, { limit: '3' })).toEqual([numbered(1, 3), numbered(4, 6)]);
    expect(await followLinks(functions, { limit: '6' })).toEqual([numbered(1, 6)]);
    expect(await followLinks(functions, { limit: '1', status: 'sold' })).toEqual([['Pet 2'], ['Pet 5']]);
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
  test.each([
    ['a limit of 101', { limit: '101' }, 'limit must be an integer from 1 to 100'],
    [
      'everything at once',
      { limit: 'x', status: 'SOLD', cursor: ['a', 'b'] },
      'limit must be an integer from 1 to 100; status must be one of available, pending, sold; cursor must be given once',
    ],
  ])('%s', async (_, query, message) => {
    const functions = await petFunctions({ tables: false });
    expectError(await functions.list({ query }), 400, 'invalid_request', message);
  });

  test('a cursor that is altered, is of another filter, or is none', async () => {
    const functions = await functionsWith(6);
    const { cursor = '' } = nextQuery(await functions.list({ query: { limit: '2' } })) ?? {};
    const { cursor: ofSold = '' } =
      nextQuery(await functions.list({ query: { limit: '1', status: 'sold' } })) ?? {};
    const refused = [
      { cursor: `${cursor}x` },
      { cursor: cursor.slice(1) },
      { cursor: '' },
      { cursor: 'null' },
      { cursor, status: 'sold' },
      { cursor: ofSold },
      { cursor: ofSold, status: 'pending' },
    ];
    for (const query of refused) {
      const response = await functions.list({ query });
      expectError(response, 400, 'invalid_cursor', 'cursor is not one that this service gave for this list');
    }
  });
});
