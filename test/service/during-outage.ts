import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { allPets, client, created, expectError, type HttpResponse, type Pet } from './http-client.ts';
import { eventually, newApiKey, operate } from './operator.ts';
import { descendantsOf, type RunningService } from './running-service.ts';

/** DynamoDB Local runs under a supervisor of the service. */
function enginePid(service: RunningService): number {
  const below = descendantsOf(service.process.pid).join();
  const listing = execFileSync('ps', ['-o', 'pid=,comm=', '-p', below], { encoding: 'utf8' });
  const processes = listing.split('\n').map(line => line.trim().split(/\s+/));
  const [pid] = processes.find(([, command]) => command?.endsWith('java')) ?? [];
  return Number(pid);
}

/** SIGSTOP suspends the threads of a process one by one; on a busy machine some still respond for a while. */
function statesOfThreads(pid: number): Set<string | undefined> {
  const listing = execFileSync('ps', ['-L', '-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return new Set(
    listing
      .trim()
      .split('\n')
      .map(state => state[0]),
  );
}

/** Suspends DynamoDB Local while `act` runs, and returns what that returns. */
export async function duringOutage<Outcome>(
  service: RunningService,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const engine = enginePid(service);
  process.kill(engine, 'SIGSTOP');
  try {
    await eventually(() => expect(statesOfThreads(engine)).toEqual(new Set(['T'])));
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
