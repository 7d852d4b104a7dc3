import { afterAll, beforeAll, expect, test } from 'vitest';
import { duringOutage } from './during-outage.ts';
import { type Answer, allPets, client, created, expectError, type Pet } from './http-client.ts';
import { newApiKey, operate } from './operator.ts';
import { type RunningService, startService } from './running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const send = client(() => service.staging);

async function expectUnavailable(request: Promise<Answer>): Promise<void> {
  const startedAt = performance.now();
  const answer = await request;
  expectError(answer, 503, 'unavailable');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(performance.now() - startedAt).toBeLessThan(5000);
}

async function expectNoNewKey(): Promise<void> {
  const reply = await operate(service.awsEndpoint, 'staging', { command: 'keys.create', name: 'Late' });
  expect(reply).toMatchObject({ ok: false, error: { code: 'unavailable' } });
}

test('503: within 5 s while the tables do not answer, for known keys and new ones; then it goes on', async () => {
  const pet = await created(send, { name: 'Before', categoryId: 1 });
  await send(`GET /pets/${pet.id}`);
  const newKey = { Authorization: `Bearer ${await newApiKey(service.awsEndpoint, 'staging')}` };
  const headers = { 'Idempotency-Key': 'outage' };
  const body = { name: 'Once', categoryId: 2 };

  await duringOutage(service, async () => {
    await Promise.all([
      expectUnavailable(send('GET /pets')),
      expectUnavailable(send('GET /pets?status=sold')),
      expectUnavailable(send(`GET /pets/${pet.id}`)),
      expectUnavailable(send('POST /pets', { body: { name: 'Perhaps', categoryId: 3 } })),
      expectUnavailable(send('POST /pets', { body, headers })),
      expectUnavailable(send('GET /pets', { headers: newKey })),
      expectNoNewKey(),
    ]);
  });

  expect((await send('GET /pets', { headers: newKey })).status).toBe(200);
  expect((await send(`GET /pets/${pet.id}`)).json()).toEqual(pet);
  const repeated = await send('POST /pets', { body, headers });
  expect(repeated.status).toBe(201);
  const pets = await allPets(send);
  expect(pets.filter(({ name }) => name === 'Once')).toEqual([repeated.json<Pet>()]);
  expect(pets.filter(({ name }) => name === 'Perhaps').length).toBeLessThanOrEqual(1);
});

test('200, 201: an outage shorter than a second is not noticed', async () => {
  const answers = await duringOutage(service, async () => {
    const requests = [send('GET /pets'), send('POST /pets', { body: { name: 'Patient', categoryId: 1 } })];
    // Both are on their way once the service has answered a third that needs no table.
    await send('PUT /pets');
    return requests;
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 201]);
  expect((await allPets(send)).filter(({ name }) => name === 'Patient')).toHaveLength(1);
});
