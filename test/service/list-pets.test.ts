import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type LocalAws, startLocalAws } from '../../infra/local/local-aws.ts';
import { busyMachine } from '../../infra/start/options.ts';
import { changedAssembly } from './changed-assembly.ts';
import { client, created, expectError, nextPage, type Pet, pagesFrom } from './http-client.ts';
import { newApiKey } from './operator.ts';
import { PATIENCE, requireWithinModels, WAIT_SCALE } from './running-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'petstore-lists-'));
let runtime: LocalAws;
let staging: { readonly url: string; readonly apiKey: string };

/** 25 animals: a page of the default length and some more. Every third is sold, none pending. */
const pets: Pet[] = [];

const send = client(() => staging);

/** The file has its own service, since the tests compare whole lists. */
beforeAll(async () => {
  runtime = await startLocalAws({
    assembly: changedAssembly(folder, template => template),
    port: 0,
    dynamoDbEndpoint: inject('dynamoDbEndpoint'),
    waitScale: WAIT_SCALE,
    ...busyMachine(PATIENCE),
    report: requireWithinModels,
  });
  const apiKey = await newApiKey(runtime.awsEndpoint, 'staging');
  staging = { url: `${runtime.origin}/staging/v1`, apiKey };
  for (let number = 1; number <= 25; number += 1) {
    const status = number % 3 === 0 ? 'sold' : 'available';
    pets.push(await created(send, { name: `Pet ${number}`, categoryId: number, status }));
  }
});
afterAll(async () => {
  await runtime.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('GET /pets', () => {
  test('200: the first 20 in ascending order of id, and a link to the rest', async () => {
    const response = await send('GET /pets');
    expect(response.status).toBe(200);
    expect(response.json()).toEqual(pets.slice(0, 20));
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    const rest = await send(`GET ${nextPage(response)}`);
    expect(rest.json()).toEqual(pets.slice(20));
    expect(rest.headers).not.toHaveProperty('link');
  });

  test('200: digits as they were sent, in the order of the fields', async () => {
    const page = await send('GET /pets?limit=1');
    expect(page.text).toBe(`[{"id":${pets[0]?.id},"name":"Pet 1","categoryId":1,"status":"available"}]`);
  });

  test('200: the next page is an absolute address at the host that was called', async () => {
    const { hostname, port, pathname } = new URL(staging.url);
    expect(nextPage(await send('GET /pets'))).toMatch(`http://${hostname}:${port}${pathname}/pets?`);
    const throughName = await send('GET /pets', { headers: { Host: `localhost:${port}` } });
    expect(nextPage(throughName)).toMatch(`http://localhost:${port}${pathname}/pets?`);
    expect((await send(`GET ${nextPage(throughName)}`)).json()).toEqual(pets.slice(20));
  });

  test.each([1, 7, 24, 25, 100])('200: pages of %i hold every animal once', async limit => {
    const pages = await pagesFrom(send, `/pets?limit=${limit}`);
    expect(pages.flat()).toEqual(pets);
    expect(pages.map(page => page.length).slice(0, -1)).toEqual(pages.slice(1).map(() => limit));
    expect(pages.at(-1)).not.toEqual([]);
  });

  test('200: a filter by status holds on the following pages, too', async () => {
    const having = (expected: string) => pets.filter(({ status }) => status === expected);
    expect((await pagesFrom(send, '/pets?status=sold&limit=3')).flat()).toEqual(having('sold'));
    expect((await pagesFrom(send, '/pets?limit=5&status=available')).flat()).toEqual(having('available'));
  });

  test('200: an empty array when there is nothing to list', async () => {
    const response = await send('GET /pets?status=pending');
    expect([response.status, response.text, response.headers.link]).toEqual([200, '[]', undefined]);
  });

  test('200: a cursor works with another limit, and more than once', async () => {
    const next = new URL(nextPage(await send('GET /pets?limit=5')) ?? '');
    next.searchParams.set('limit', '2');
    for (let use = 0; use < 2; use += 1) {
      expect((await send(`GET ${next}`)).json()).toEqual(pets.slice(5, 7));
    }
  });

  test('200: unknown parameters and a trailing slash are ignored', async () => {
    expect((await send('GET /pets?color=red&limit=1')).json()).toEqual(pets.slice(0, 1));
    expect((await send('GET /pets/?limit=1')).json()).toEqual(pets.slice(0, 1));
  });

  test.each([
    ...['0', '101', '-1', '1.5', '1e1', '', 'ten', '05', '%2B5', '%205', '5%20', '0x5', 'NaN', '1,2'],
    '9223372036854775808',
  ])('400: limit=%s', async limit => {
    expectError(await send(`GET /pets?limit=${limit}`), 400, 'invalid_request', /^limit must /);
  });

  test.each(['lost', 'AVAILABLE', '', 'sold,pending', 'sold%20', '%00'])('400: status=%s', async status => {
    expectError(await send(`GET /pets?status=${status}`), 400, 'invalid_request', /^status must /);
  });

  test.each([
    ['limit', 'limit=5&limit=5'],
    ['status', 'status=sold&limit=5&status=pending'],
    ['cursor', 'cursor=a&cursor=a'],
  ])('400: %s given twice', async (name, query) => {
    const message = new RegExp(`^${name} must be given once$`);
    expectError(await send(`GET /pets?${query}`), 400, 'invalid_request', message);
  });

  test('400: one error names every parameter at fault', async () => {
    expectError(await send('GET /pets?limit=0&status=lost'), 400, 'invalid_request', /limit.*status/);
  });

  describe('cursors', () => {
    const cursorOf = async (query: string) => {
      const next = nextPage(await send(`GET /pets?${query}`)) ?? '';
      return new URL(next).searchParams.get('cursor') ?? '';
    };
    const refused = async (cursor: string, query = '') => {
      const response = await send(`GET /pets?cursor=${encodeURIComponent(cursor)}${query}`);
      expectError(response, 400, 'invalid_cursor', /^cursor /);
    };

    test('400: any character altered', async () => {
      const cursor = await cursorOf('limit=5');
      for (const [place, character] of [...cursor].entries()) {
        // The next letter: in base64 a changed last character often decodes to the same bytes.
        const altered = character === 'A' ? 'B' : String.fromCharCode(character.charCodeAt(0) ^ 1);
        await refused(`${cursor.slice(0, place)}${altered}${cursor.slice(place + 1)}`);
      }
    });

    test('400: truncated, extended, or forged', async () => {
      const cursor = await cursorOf('limit=5');
      const [position = '', signature = ''] = cursor.split('.');
      for (const forged of [
        ...[cursor.slice(0, -1), cursor.slice(1), `${cursor}A`, `${cursor}=`, ` ${cursor}`, `${cursor}.`],
        ...[
          position,
          `${position}.`,
          `.${signature}`,
          `${position.toUpperCase()}.${signature}`,
          `${cursor}\n`,
        ],
        ...['', '.', '0', 'null', String(pets[4]?.id), '🦊', '\0'],
      ]) {
        await refused(forged);
      }
    });

    test('400: issued for another filter', async () => {
      const unfiltered = await cursorOf('limit=5');
      await refused(unfiltered, '&status=sold');
      const filtered = await cursorOf('limit=3&status=sold');
      await refused(filtered);
      await refused(filtered, '&status=available');
    });
  });

  test('200: a request that was refused has added no animal', async () => {
    const refused = { name: 'Refused', categoryId: 7 };
    const create = (body: unknown, headers = {}) => send('POST /pets', { body, headers });
    await create({ name: 'Refused' });
    await create('{}'.padEnd(20_000));
    await create(refused, { 'Content-Type': 'text/plain' });
    await create(refused, { 'Idempotency-Key': 'x'.repeat(256) });
    expect((await pagesFrom(send, '/pets?limit=100')).flat()).toEqual(pets);
  });
});
