import { describe, expect, test, vi } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { outcomeInFastTime } from '../../shared/aws/fast-time.ts';
import { always, faultyEngine } from '../../shared/aws/faulty-engine.ts';
import { expectError, jsonBody, type ReadAnswer, TESTER } from '../proxy-event.ts';
import { type PetFunctions, petFunctions } from './pet-functions.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;

async function functionsWith(count: number, shards = 1): Promise<PetFunctions> {
  const functions = await petFunctions({ shards });
  for (let number = 1; number <= count; number += 1) {
    const status = STATUSES[number % 3];
    const { status: answered } = await functions.create(
      jsonBody({ name: `Pet ${number}`, categoryId: 7, status }),
    );
    expect(answered).toBe(201);
  }
  return functions;
}

const names = ({ body }: ReadAnswer) => (body as Pet[]).map(({ name }) => name);

/** The query of the next page, when the answer announces one. */
function nextQuery({ headers }: ReadAnswer): Record<string, string> | undefined {
  if (headers.Link === undefined) return undefined;
  const [, address = ''] = /^<([^<>]+)>; rel="next"$/.exec(headers.Link) ?? [];
  const { origin, pathname, searchParams } = new URL(address);
  expect(origin + pathname).toBe('https://api.example.com/staging/v1/pets');
  return Object.fromEntries(searchParams);
}

async function followLinks(functions: PetFunctions, first: Record<string, string>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let query: Record<string, string> | undefined = first; query; ) {
    const answer = await functions.list({ query });
    expect(answer.status).toBe(200);
    pages.push(names(answer));
    query = nextQuery(answer);
  }
  return pages;
}

const numbered = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, place) => `Pet ${from + place * step}`);

describe('200', () => {
  test('no animals: an empty array, and no Link', async () => {
    const answer = await functionsWith(0).then(functions => functions.list());
    expect(answer.text).toBe('[]');
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('Link');
  });

  test('the first 20 when no limit is given, and a Link to the rest', async () => {
    const functions = await functionsWith(21);
    const answer = await functions.list();
    expect(names(answer)).toEqual(numbered(1, 20));
    expect(nextQuery(answer)).toEqual({ limit: '20', cursor: expect.any(String) });
    expect(await followLinks(functions, {})).toEqual([numbered(1, 20), ['Pet 21']]);
  });

  test('each animal has exactly id, name, categoryId and status', async () => {
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

  test('only animals of the status, and a Link that keeps the filter', async () => {
    const functions = await functionsWith(9);
    const answer = await functions.list({ query: { status: 'pending', limit: '2' } });
    expect(names(answer)).toEqual(['Pet 1', 'Pet 4']);
    expect(nextQuery(answer)).toMatchObject({ status: 'pending', limit: '2' });
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
    ['limit 0', { limit: '0' }, 'limit must be an integer from 1 to 100'],
    ['limit 101', { limit: '101' }, 'limit must be an integer from 1 to 100'],
    ['limit empty', { limit: '' }, 'limit must be an integer from 1 to 100'],
    ['limit no integer', { limit: '1.5' }, 'limit must be an integer from 1 to 100'],
    ['limit twice', { limit: ['5', '5'] }, 'limit must be given once'],
    ['unknown status', { status: 'gone' }, 'status must be one of available, pending, sold'],
    ['empty status', { status: '' }, 'status must be one of available, pending, sold'],
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
      const answer = await functions.list({ query });
      expectError(answer, 400, 'invalid_cursor', 'cursor is not one that this service gave for this list');
    }
  });
});

test('401: the authorizer was not asked', async () => {
  const { list } = await petFunctions({ tables: false });
  expectError(await list({ authorizer: null }), 401, 'unauthorized');
  expectError(await list({ authorizer: { keyId: '' } }), 401, 'unauthorized');
});

test('403: a key without the scope pets:read', async () => {
  const { list } = await petFunctions({ tables: false });
  const answer = await list({ authorizer: { ...TESTER, scopes: 'pets:write orders:read' } });
  expectError(answer, 403, 'forbidden', 'The API key does not have the scope pets:read.');
});

test('503: the table does not answer', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const engine = await faultyEngine(always('request lost'));
  const functions = await petFunctions({ tables: false, endpoint: engine.endpoint, shards: 4 });
  let answer: ReadAnswer | undefined;
  const { tookMs } = await outcomeInFastTime(async () => {
    answer = await functions.list();
  }, engine);
  vi.restoreAllMocks();
  expectError(answer as ReadAnswer, 503, 'unavailable');
  expect(answer?.headers['Retry-After']).toBe('1');
  expect(tookMs).toBeLessThan(5000);
});

test('500: DynamoDB rejects the request', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const engine = await faultyEngine(always({ status: 400, type: 'ResourceNotFoundException' }));
  const functions = await petFunctions({ tables: false, endpoint: engine.endpoint });
  const answer = await functions.list();
  const lines = write.mock.calls.map(([line]) => String(line));
  vi.restoreAllMocks();
  expectError(answer, 500, 'internal_error');
  expect(answer.text).not.toContain('ResourceNotFound');
  expect(lines.join('')).toContain('ResourceNotFoundException');
});
