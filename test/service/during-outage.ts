import { expect } from 'vitest';
import { commandLineOf, descendantsOf, isSuspended } from '../../infra/local/processes.ts';
import { allPets, client, created, expectError, type HttpResponse, type Pet } from './http-client.ts';
import { eventually, newApiKey, operate } from './operator.ts';
import type { RunningService } from './running-service.ts';

/** The engine of the tables runs under a supervisor of the service: a shell, whose command line ends with the engine's. */
function enginePid(service: RunningService): number {
  const engine = descendantsOf(service.process.pid).find(pid =>
    /^(?!\/bin\/sh ).*(java|dynoxide) /.test(commandLineOf(pid)),
  );
  if (engine === undefined) throw new Error('The service has no engine.');
  return engine;
}

/** Suspends the engine while `act` runs, and returns what that returns. */
export async function duringOutage<Outcome>(
  service: RunningService,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const engine = enginePid(service);
  process.kill(engine, 'SIGSTOP');
  try {
    // On a busy machine some threads still respond for a while.
    await eventually(() => expect(isSuspended(engine)).toBe(true));
    return await act();
  } finally {
    process.kill(engine, 'SIGCONT');
  }
}

async function expectUnavailable(request: Promise<HttpResponse>): Promise<void> {
  const response = await request;
  expectError(response, 503, 'unavailable');
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
}

/** The headers of a key that has not been used. */
async function newKeyHeaders(service: RunningService) {
  return { Authorization: `Bearer ${await newApiKey(service, 'staging')}` };
}

async function expectNoNewKey(service: RunningService): Promise<void> {
  const reply = await operate(service, 'staging', { command: 'keys.create', name: 'Late' });
  expect(reply).toMatchObject({ ok: false, error: { code: 'unavailable' } });
}

/** Goes through an outage: every operation gets 503, with a known key and with a new one, and recovers afterwards. */
export async function expectOutage(service: RunningService): Promise<void> {
  const send = client(() => service.staging);
  const pet = await created(send, { name: 'Before', categoryId: 1 });
  const newKey = await newKeyHeaders(service);
  const headers = { 'Idempotency-Key': `outage-${pet.id}` };
  const body = { name: `Once ${pet.id}`, categoryId: 2 };
  const perhaps = { name: `Perhaps ${pet.id}`, categoryId: 3 };

  await duringOutage(service, () =>
    Promise.all([
      expectNoNewKey(service),
      ...['GET /pets', 'GET /pets?status=sold', `GET /pets/${pet.id}`].map(read =>
        expectUnavailable(send(read)),
      ),
      expectUnavailable(send('POST /pets', { body: perhaps })),
      expectUnavailable(send('POST /pets', { body, headers })),
      expectUnavailable(send('GET /pets', { headers: newKey })),
    ]),
  );

  // The engine may need a moment to come back.
  await expect.poll(async () => (await send('GET /pets', { headers: newKey })).status).toBe(200);
  expect((await send(`GET /pets/${pet.id}`)).json()).toEqual(pet);
  const repeated = await send('POST /pets', { body, headers });
  expect(repeated.status).toBe(201);
  const pets = await allPets(send);
  expect(pets.filter(({ name }) => name === body.name)).toEqual([repeated.json<Pet>()]);
  expect(pets.filter(({ name }) => name === perhaps.name).length).toBeLessThanOrEqual(1);
}
