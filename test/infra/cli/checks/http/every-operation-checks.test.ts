import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  LIST_CHECKS,
  listChecks,
  refusalChecks,
} from '../../../../../infra/cli/checks/http/every-operation-checks.ts';
import type { RequestParts, Response } from '../../../../../infra/cli/checks/http/smoke-client.ts';
import { accepts, validRequest } from '../../../../../infra/cli/checks/http/valid-request.ts';
import { Int64 } from '../../../../../shared/int64.ts';
import type { OperationDeclaration } from '../../../../../shared/operation-declaration.ts';
import { OPERATIONS } from '../../../../../shared/operations.ts';
import { Cursor, Limit } from '../../../../../shared/paging.ts';
import { endOf } from '../environment-stand-in.ts';

const checkOf = (wanted: string) => LIST_CHECKS.find(({ name }) => name === wanted);

const HEADERS = { 'x-request-id': '0123456789' };

/** A list of pets that changes before some of the requests, by their number. */
function pets(ids: readonly number[], changes: Readonly<Record<number, readonly number[]>> = {}) {
  let listed = ids;
  let requests = 0;
  return (target: string): Pick<Response, 'headers' | 'text'> => {
    requests += 1;
    listed = changes[requests] ?? listed;
    const { searchParams: query } = new URL(target, 'https://zoo.example');
    const rest = listed.filter(id => id > Number(query.get('cursor') ?? 0));
    const page = rest.slice(0, Number(query.get('limit')));
    const link = `<https://zoo.example/pets?limit=1&cursor=${page.at(-1)}>; rel="next"`;
    return {
      headers: { ...HEADERS, ...(page.length < rest.length && { link }) },
      text: JSON.stringify(page.map(id => ({ id }))),
    };
  };
}

async function outcome(answer: (target: string) => Pick<Response, 'headers' | 'text'>): Promise<string> {
  const send = async (request: string) => ({ request, status: 200, ...answer(request.split(' ')[1] ?? '') });
  return endOf(checkOf('listPets announces the next page in Link'), { send, keys: { with: () => 'key' } });
}

describe('the check of the next page', () => {
  test('is ok when the page behind the link begins with the next entry', async () => {
    expect(await outcome(pets([1, 2]))).toBe('ok');
  });

  test('is skipped for a list of one entry', async () => {
    expect(await outcome(pets([1]))).toBe('skipped: the list has fewer than two entries');
  });

  test('is not disturbed by an entry that somebody removes meanwhile', async () => {
    expect(await outcome(pets([1, 2, 3], { 2: [1, 3] }))).toBe('ok');
    expect(await outcome(pets([1, 2, 3], { 3: [1, 3] }))).toBe('ok');
    expect(await outcome(pets([1, 2], { 2: [1] }))).toBe('skipped: the list has fewer than two entries');
    expect(await outcome(pets([1, 2], { 3: [1] }))).toBe('skipped: the list has fewer than two entries');
  });

  test('is broken by a list that leaves an entry out, or has no link', async () => {
    const leavingOut = (target: string) => pets(target.includes('cursor') ? [1, 3] : [1, 2, 3])(target);
    expect(await outcome(leavingOut)).toMatch(/^broken: GET .*cursor=1: expected the id 2 first, got \[/);
    const linkless = (target: string) => ({ ...pets([1, 2])(target), headers: HEADERS });
    expect(await outcome(linkless)).toMatch(/^broken: GET \/pets\?limit=1: .* link/);
  });

  test('is broken by a list that is another one each time', async () => {
    let requests = 0;
    const restless = (target: string) => {
      requests += 1;
      return { ...pets([1, requests + 1])(target), headers: HEADERS };
    };
    expect(await outcome(restless)).toMatch(/^broken: GET \/pets\?limit=1: .* link/);
  });
});

describe('the check of compressed lists', () => {
  /** What the check ends with, for these plain texts and compressed ones in turn. */
  async function ended(plain: readonly string[], decoded: readonly string[], encoding?: string) {
    const counts = { plain: 0, decoded: 0 };
    const send = async (request: string, { headers = {} }: RequestParts = {}) => {
      const kind = headers['Accept-Encoding'] === 'identity' ? 'plain' : 'decoded';
      const texts = { plain, decoded }[kind];
      const text = texts[Math.min(counts[kind]++, texts.length - 1)] ?? '';
      const isEncoded = kind === 'decoded' && encoding !== undefined;
      return {
        request,
        status: 200,
        headers: { ...HEADERS, ...(isEncoded && { 'content-encoding': encoding }) },
        text,
      };
    };
    const compressed = checkOf('listPets returns the same with gzip as without');
    return endOf(compressed, { send, keys: { with: () => 'key' } });
  }

  const [LONG, LONGER] = ['x'.repeat(1025), 'x'.repeat(1026)];

  test('is ok when both are the same, also after a change in between', async () => {
    expect(await ended([LONG], [LONG], 'gzip')).toBe('ok');
    expect(await ended([LONG, LONGER], [LONGER], 'gzip')).toBe('ok');
  });

  test('is ok while others create pets all the time', async () => {
    const listOf = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: 'x'.repeat(100) })));
    const [list, ...grown] = [20, 21, 22, 23, 24, 25, 26].map(listOf);
    expect(await ended([list ?? ''], grown, 'gzip')).toBe('ok');
    const changed = grown.map(text => text.replace('"id":3', '"id":33'));
    expect(await ended([list ?? ''], changed, 'gzip')).toMatch(/^broken: GET/);
  });

  test('is skipped for a list that is not compressed', async () => {
    expect(await ended(['x'.repeat(1024)], [LONG], 'gzip')).toMatch(/^skipped: it has at most 1024 bytes/);
  });

  test('is broken by a list that is not compressed, or is another one', async () => {
    expect(await ended([LONG], [LONG])).toMatch(/^broken: .*the header content-encoding: gzip, got none/);
    expect(await ended([LONG], [LONGER], 'gzip')).toMatch(/^broken: GET \/pets\?limit=100: expected x/);
  });
});

describe('the checks of an operation that is new', () => {
  const declared = (
    parts: Pick<OperationDeclaration, 'method' | 'path' | 'request' | 'errors'>,
  ): OperationDeclaration => ({
    name: 'newOperation',
    scope: 'pets:read',
    stability: 'stable',
    success: 200,
    ...parts,
  });
  const changing = (body: z.ZodMiniType) =>
    declared({
      method: 'PATCH',
      path: '/pets/{petId}',
      request: z.object({ path: z.object({ petId: z.string() }), body }),
      errors: ['not_found', 'invalid_request'],
    });

  const Toy = z.object({ name: z.string(), price: Int64, color: z._default(z.enum(['red', 'blue']), 'red') });

  /** What the check of the 404 sends, and the names of all checks. */
  async function checked(operation: OperationDeclaration) {
    const checks = refusalChecks([operation]);
    const sent: unknown[] = [];
    const send = async (request: string, parts: RequestParts = {}) => {
      sent.push([request, parts.body]);
      const body = { code: 'not_found', message: 'No.', status: 404 };
      const headers = { ...HEADERS, 'content-type': 'application/json' };
      return { request, status: 404, headers, text: JSON.stringify(body) };
    };
    const notFound = checks.find(({ name }) => name === 'newOperation returns 404 for an unknown id');
    expect(await endOf(notFound, { send, keys: { with: () => 'key' } })).toBe('ok');
    return { sent: sent[0], names: checks.map(({ name }) => name) };
  }

  test.each([
    ['every field is optional', z.partial(Toy), {}],
    [
      'one field has to be given',
      z.partial(Toy).check(z.refine(given => Object.keys(given).length > 1)),
      { name: 'smoke', price: 1, color: 'red' },
    ],
    ['all are required', Toy, { name: 'smoke', price: 1 }],
    [
      'they have patterns',
      z.object({
        chip: z.string().check(z.regex(/^[0-9]{15}$/)),
        day: z.iso.date(),
        tags: z.array(z.string()),
      }),
      { chip: '1'.repeat(15), day: '2030-12-05', tags: [] },
    ],
  ])('send a valid request for the 404 if %s', async (_, body, expected) => {
    const { sent, names } = await checked(changing(body));
    expect(sent).toEqual(['PATCH /pets/1', expected]);
    expect(names.includes('newOperation refuses an empty object')).toBe(!accepts(body, {}));
  });

  test('filter a list by status only if it has one', () => {
    const query = z.object({ limit: Limit, cursor: Cursor });
    const list = declared({ method: 'GET', path: '/toys', request: z.object({ query }), errors: [] });
    expect(listChecks([list]).map(({ name }) => name)).not.toContain('newOperation filters by status');
  });

  test.each(OPERATIONS)('know a valid request of $name: else add values to valid-request.ts', operation => {
    expect(validRequest(operation)).toBeDefined();
  });
});
