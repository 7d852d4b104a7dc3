import { describe, expect, test } from 'vitest';
import { allPets, client, created, expectError, expectUnauthorized, nextPage } from './http-client.ts';
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

  test('201, 200: creates, returns and lists a pet, and lists orders, at the base path of the environment', async () => {
    const { url } = service[environment];
    expect(new URL(url).pathname).toBe(`/${environment}/v1`);
    const pet = await created(send, { name: 'First', categoryId: 7 });
    const got = await send(`GET /pets/${pet.id}`);
    expect([got.status, got.json()]).toEqual([200, pet]);
    expect(got.headers.link).toBe(`<${url}/pets?status=available>; rel="successor-version"`);
    expect(await allPets(send, 'limit=100&status=available')).toContainEqual(pet);
    expect((await send('GET /store/orders?status=approved')).status).toBe(200);
  });

  test('401: a key of the other environment, for every operation', async () => {
    const apiKey = await newApiKey(service, other);
    expect(apiKey).toMatch(new RegExp(`^${KEY_PREFIXES[other]}[0-9A-Za-z]{34}$`));
    expect((await sendToOther('GET /pets', bearer(apiKey))).status).toBe(200);
    await expectUnauthorized(send, bearer(apiKey).headers);
  });

  test('400: a cursor of the other environment; 404: a pet of it, which is not listed either', async () => {
    const name = `Only in ${other}`;
    const pets = [await created(sendToOther, { name, categoryId: 1 })];
    pets.push(await created(sendToOther, { name, categoryId: 1 }));
    const next = new URL(nextPage(await sendToOther('GET /pets?limit=1')) ?? '');
    const cursor = encodeURIComponent(next.searchParams.get('cursor') ?? '');
    expect(cursor).not.toBe('');
    expectError(await send(`GET /pets?cursor=${cursor}`), 400, 'invalid_cursor', /^cursor /);
    expectError(await send(`GET /pets/${pets[0]?.id}`), 404, 'not_found');
    expect(await allPets(sendToOther)).toEqual(expect.arrayContaining(pets));
    expect((await allPets(send)).filter(pet => pet.name === name)).toEqual([]);
  });

  test('not_found: a key of the other environment, for this one’s operator', async () => {
    const { id } = await done(service, other, 'keys.create', { name: 'Acme' });
    const reply = await operate(service, environment, { command: 'keys.revoke', id });
    expect(reply).toMatchObject({ error: { code: 'not_found' } });
  });
});
