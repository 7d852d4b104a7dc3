import { describe, expect, test } from 'vitest';
import {
  allPets,
  client,
  created,
  expectError,
  expectUnauthorized,
  type HttpResponse,
  nextPage,
  type Pet,
  pagesFrom,
} from './http-client.ts';
import { done, newApiKey, operate } from './operator.ts';
import { ENVIRONMENTS } from './running-service.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const KEY_PREFIXES = { production: 'pet_live_', staging: 'pet_test_' };

/** The other files test one environment in full. Both have the same template, except for what is tested here. */
describe.each(ENVIRONMENTS)('%s', environment => {
  const other = environment === 'production' ? 'staging' : 'production';
  const send = client(() => service[environment]);
  const sendToOther = client(() => service[other]);
  const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

  test('201, 200: each operation, at the base path of the environment', async () => {
    const { url } = service[environment];
    expect(new URL(url).pathname).toBe(`/${environment}/v1`);
    const first = await created(send, { name: 'First', categoryId: 7 });
    const second = await created(send, { name: 'Second', categoryId: 7 });

    const got = await send(`GET /pets/${first.id}`);
    expect([got.status, got.json()]).toEqual([200, first]);
    expect(got.headers.link).toBe(`<${url}/pets?status=available>; rel="successor-version"`);

    const page = await send('GET /pets?limit=1&status=available');
    expect(page.status).toBe(200);
    expect(nextPage(page)).toMatch(`${url}/pets?`);
    const listed = (await pagesFrom(send, '/pets?limit=100&status=available')).flat();
    expect(listed.filter(({ id }) => id === first.id || id === second.id)).toEqual([first, second]);

    expect((await send('GET /store/orders?status=approved')).status).toBe(200);
    const repeat = { headers: { 'Idempotency-Key': 'environments' }, body: { name: 'Once', categoryId: 1 } };
    const responses: HttpResponse[] = [await send('POST /pets', repeat), await send('POST /pets', repeat)];
    expect(responses.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true']);
    expect(responses[1]?.json<Pet>()).toEqual(responses[0]?.json<Pet>());
  });

  test('401: a key of the other environment, for every operation', async () => {
    const apiKey = await newApiKey(service, other);
    expect(apiKey).toMatch(new RegExp(`^${KEY_PREFIXES[other]}[0-9A-Za-z]{34}$`));
    expect((await sendToOther('GET /pets', bearer(apiKey))).status).toBe(200);
    await expectUnauthorized(send, bearer(apiKey).headers);
  });

  test('400: a cursor of the other environment', async () => {
    for (const name of ['One', 'Two']) await created(sendToOther, { name, categoryId: 1 });
    const next = new URL(nextPage(await sendToOther('GET /pets?limit=1')) ?? '');
    const cursor = encodeURIComponent(next.searchParams.get('cursor') ?? '');
    expect(cursor).not.toBe('');
    expectError(await send(`GET /pets?cursor=${cursor}`), 400, 'invalid_cursor', /^cursor /);
  });

  test('404: a pet of the other environment, which is not listed either', async () => {
    const { id } = await created(sendToOther, { name: `Only in ${other}`, categoryId: 1 });
    expectError(await send(`GET /pets/${id}`), 404, 'not_found');
    expect((await allPets(sendToOther)).filter(pet => pet.id === id)).toHaveLength(1);
    expect((await allPets(send)).filter(({ name }) => name === `Only in ${other}`)).toEqual([]);
  });

  test('not_found: a key of the other environment, for this one’s operator', async () => {
    const { id } = await done(service, other, 'keys.create', { name: 'Acme' });
    const reply = await operate(service, environment, { command: 'keys.revoke', id });
    expect(reply).toMatchObject({ error: { code: 'not_found' } });
  });
});
