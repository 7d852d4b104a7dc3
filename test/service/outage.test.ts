import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { descendantsOf, expectNothingLeftBy } from '../infra/start/command.ts';
import { duringOutage, enginePid } from './during-outage.ts';
import { type Answer, allPets, client, created, expectError, type Pet } from './http-client.ts';
import { expectNoKeyLeaked } from './key-leakage.ts';
import { newApiKey, operate } from './operator.ts';
import { storyOf } from './request-story.ts';
import { IN_MEMORY, type RunningService, startService } from './running-service.ts';
import { malformedKeys, statusesOf } from './unknown-keys.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService(IN_MEMORY, { isUnderNpm: true });
});
// It ends as one whose npm is killed: no process may be left, its engine included.
afterAll(async () => {
  expect(descendantsOf(service.process.pid)).toContain(enginePid(service));
  await expectNothingLeftBy(service.process);
  await service.stop();
});

const send = client(() => service.staging);

const ANSWER_LIMIT_MS = 5000;

async function tookMs(request: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await request;
  return performance.now() - startedAt;
}

async function expectUnavailable(request: Promise<Answer>): Promise<void> {
  const answer = await request;
  expectError(answer, 503, 'unavailable');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

async function newKeyHeaders() {
  return { Authorization: `Bearer ${await newApiKey(service.awsEndpoint, 'staging')}` };
}

async function expectNoNewKey(): Promise<void> {
  const reply = await operate(service.awsEndpoint, 'staging', { command: 'keys.create', name: 'Late' });
  expect(reply).toMatchObject({ ok: false, error: { code: 'unavailable' } });
}

/**
 * Goes through an outage and returns how much longer the slowest 503 took than the slowest answer before: the rest is
 * what a busy machine takes for as many requests at once.
 */
async function longestWaitMs(): Promise<number> {
  const pet = await created(send, { name: 'Before', categoryId: 1 });
  const reads = ['GET /pets', 'GET /pets?status=sold', `GET /pets/${pet.id}`];
  const [usualKey, newKey] = [await newKeyHeaders(), await newKeyHeaders()];
  const usual = await Promise.all([
    ...reads.map(read => tookMs(send(read))),
    ...reads.map(read => tookMs(send(read, { headers: usualKey }))),
  ]);
  const headers = { 'Idempotency-Key': `outage-${pet.id}` };
  const body = { name: `Once ${pet.id}`, categoryId: 2 };
  const perhaps = { name: `Perhaps ${pet.id}`, categoryId: 3 };

  const [, ...unavailable] = await duringOutage(service, () =>
    Promise.all([
      expectNoNewKey(),
      ...reads.map(read => tookMs(expectUnavailable(send(read)))),
      tookMs(expectUnavailable(send('POST /pets', { body: perhaps }))),
      tookMs(expectUnavailable(send('POST /pets', { body, headers }))),
      tookMs(expectUnavailable(send('GET /pets', { headers: newKey }))),
    ]),
  );

  // The engine may need a moment to come back.
  const status = async () => (await send('GET /pets', { headers: newKey })).status;
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
  expect((await send(`GET /pets/${pet.id}`)).json()).toEqual(pet);
  const repeated = await send('POST /pets', { body, headers });
  expect(repeated.status).toBe(201);
  const pets = await allPets(send);
  expect(pets.filter(({ name }) => name === body.name)).toEqual([repeated.json<Pet>()]);
  expect(pets.filter(({ name }) => name === perhaps.name).length).toBeLessThanOrEqual(1);
  return Math.max(...unavailable) - Math.max(...usual);
}

describe('while the tables do not answer', () => {
  test('503: within 5 s and the usual time, for known keys and new ones; the service recovers afterwards', async () => {
    let longestMs = await longestWaitMs();
    // A busy machine may suspend the service for seconds, but hardly in three outages in a row.
    for (let outages = 1; outages < 3 && longestMs >= ANSWER_LIMIT_MS; outages += 1) {
      longestMs = await longestWaitMs();
    }
    expect(longestMs).toBeLessThan(ANSWER_LIMIT_MS);
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
    const newKey = await newKeyHeaders();
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

test('no key, nor a part of one, is written anywhere but in the answer that created it', () =>
  expectNoKeyLeaked(service));
