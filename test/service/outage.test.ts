import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { duringOutage } from './during-outage.ts';
import { type Answer, allPets, client, created, expectError, type Pet } from './http-client.ts';
import { expectNoKeyLeaked } from './key-leakage.ts';
import { newApiKey, operate } from './operator.ts';
import { storyOf } from './request-story.ts';
import { type RunningService, startService } from './running-service.ts';
import { malformedKeys, statusesOf, unknownKeys } from './unknown-keys.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const send = client(() => service.staging);

const ANSWER_LIMIT_MS = 5000;

/** Expects a request to be answered with 503 and returns how long that took. */
async function unavailableAfterMs(request: Promise<Answer>): Promise<number> {
  const startedAt = performance.now();
  const answer = await request;
  expectError(answer, 503, 'unavailable');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  return performance.now() - startedAt;
}

async function expectNoNewKey(): Promise<void> {
  const reply = await operate(service.awsEndpoint, 'staging', { command: 'keys.create', name: 'Late' });
  expect(reply).toMatchObject({ ok: false, error: { code: 'unavailable' } });
}

/** Goes through an outage and returns how long the slowest 503 took. */
async function slowestAnswerMs(): Promise<number> {
  const pet = await created(send, { name: 'Before', categoryId: 1 });
  await send(`GET /pets/${pet.id}`);
  const newKey = { Authorization: `Bearer ${await newApiKey(service.awsEndpoint, 'staging')}` };
  const headers = { 'Idempotency-Key': `outage-${pet.id}` };
  const body = { name: `Once ${pet.id}`, categoryId: 2 };
  const perhaps = { name: `Perhaps ${pet.id}`, categoryId: 3 };

  const [, ...answeredAfterMs] = await duringOutage(service, () =>
    Promise.all([
      expectNoNewKey(),
      unavailableAfterMs(send('GET /pets')),
      unavailableAfterMs(send('GET /pets?status=sold')),
      unavailableAfterMs(send(`GET /pets/${pet.id}`)),
      unavailableAfterMs(send('POST /pets', { body: perhaps })),
      unavailableAfterMs(send('POST /pets', { body, headers })),
      unavailableAfterMs(send('GET /pets', { headers: newKey })),
    ]),
  );

  expect((await send('GET /pets', { headers: newKey })).status).toBe(200);
  expect((await send(`GET /pets/${pet.id}`)).json()).toEqual(pet);
  const repeated = await send('POST /pets', { body, headers });
  expect(repeated.status).toBe(201);
  const pets = await allPets(send);
  expect(pets.filter(({ name }) => name === body.name)).toEqual([repeated.json<Pet>()]);
  expect(pets.filter(({ name }) => name === perhaps.name).length).toBeLessThanOrEqual(1);
  return Math.max(...answeredAfterMs);
}

describe('while the tables do not answer', () => {
  test('503: within 5 s, for known keys and new ones; the service recovers afterwards', async () => {
    let slowestMs = await slowestAnswerMs();
    // A busy machine may suspend the service for seconds, but hardly in three outages in a row.
    for (let outages = 1; outages < 3 && slowestMs >= ANSWER_LIMIT_MS; outages += 1) {
      slowestMs = await slowestAnswerMs();
    }
    expect(slowestMs).toBeLessThan(ANSWER_LIMIT_MS);
  });

  test('200, 201: requests outlast an outage of less than a second', async () => {
    const answers = await duringOutage(service, async () => {
      const requests = [send('GET /pets'), send('POST /pets', { body: { name: 'Patient', categoryId: 1 } })];
      // Both are on their way once the service has answered a third that needs no table.
      await send('PUT /pets');
      return requests;
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 201]);
    expect((await allPets(send)).filter(({ name }) => name === 'Patient')).toHaveLength(1);
  });

  test('401: keys with any mistake, and 503 for a well-formed one that nobody has', async () => {
    await duringOutage(service, async () => {
      expect(await statusesOf(send, malformedKeys())).toEqual(new Set([401]));
      const Authorization = `Bearer ${generateKey('pet_test_')}`;
      expectError(await send('GET /pets', { headers: { Authorization } }), 503, 'unavailable');
    });
  });

  test('503: the logs tell that the function, or the authorizer, could not reach the tables', async () => {
    await send('GET /pets');
    const newKey = { Authorization: `Bearer ${await newApiKey(service.awsEndpoint, 'staging')}` };
    const [known, unknown] = await duringOutage(service, () =>
      Promise.all([send('GET /pets'), send('GET /pets', { headers: newKey })]),
    );
    const story = { status: 503, operation: 'listPets' };
    expect(await storyOf(service.awsEndpoint, known)).toMatchObject({
      ...story,
      keyId: expect.stringMatching(/^key_/),
      answeredBy: 'function',
      why: expect.stringMatching(/^The function failed\. Unavailable: /),
    });
    expect(await storyOf(service.awsEndpoint, unknown)).toMatchObject({
      ...story,
      answeredBy: 'authorizer',
      why: expect.stringMatching(/^The authorizer failed\. Unavailable: /),
    });
  });
});

test('401: a hundred well-formed keys that nobody has', async () => {
  expect(await statusesOf(send, unknownKeys())).toEqual(new Set([401]));
});

test('no key, nor a part of one, is written anywhere but in the answer that created it', () =>
  expectNoKeyLeaked(service));
