import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../infra/local/host/processes.ts';
import { descendantsOf, sendCtrlC } from '../infra/start/command.ts';
import { type Answer, allPets, client, type Pet } from './http-client.ts';
import { projectCopy } from './project-copy.ts';
import { PATIENT, type RunningService, requireWithinModels, startService } from './running-service.ts';

const CLIENTS = 8;
const ENOUGH_ACKNOWLEDGED = 60;

/** Creates animals with several clients, every other request with an Idempotency-Key, until the service is killed. */
async function createUntilKilled(service: RunningService): Promise<{ acknowledged: Pet[]; keys: string[] }> {
  const send = client(() => service.staging);
  const acknowledged: Pet[] = [];
  const keys: string[] = [];
  let killed = false;
  const work = Array.from({ length: CLIENTS }, async (_, number) => {
    for (let count = 0; !killed; count += 1) {
      const key = `client-${number}-request-${count}`;
      if (count % 2 === 0) keys.push(key);
      const headers = count % 2 === 0 ? { 'Idempotency-Key': key } : {};
      const answer: Answer | undefined = await send('POST /pets', {
        headers,
        body: { name: key, categoryId: number },
      }).catch(() => undefined);
      if (answer?.status === 201) acknowledged.push(answer.json());
      if (acknowledged.length >= ENOUGH_ACKNOWLEDGED && !killed) {
        killed = true;
        service.process.kill('SIGKILL');
      }
    }
  });
  await Promise.all([once(service.process, 'exit'), ...work]);
  return { acknowledged, keys };
}

function expectAddresses(service: Record<string, unknown>): void {
  expect(Object.keys(service)).toEqual(['production', 'staging', 'awsEndpoint', 'dns', 'edge', 'dashboard']);
  const keyOf = (prefix: string) => expect.stringMatching(`^${prefix}[0-9A-Za-z]{34}$`);
  const urlOf = (stage: string) => expect.stringMatching(`^http://127\\.0\\.0\\.1:\\d+/${stage}/v1$`);
  expect(service.production).toEqual({ url: urlOf('production'), apiKey: keyOf('pet_live_') });
  expect(service.staging).toEqual({ url: urlOf('staging'), apiKey: keyOf('pet_test_') });
  expect(service.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
}

test('a service killed while clients create keeps what it acknowledged and its keys, and repeated requests add nothing; a second instance is refused; --json prints one line and nothing else; Ctrl-C stops all processes with exit code 0', async () => {
  const project = projectCopy();
  const first = await startService(PATIENT, { project });
  await expect(startService(PATIENT, { project })).rejects.toThrow(
    `is in use by another running instance (pid ${first.process.pid})`,
  );
  const engineOf = () => Number(readFileSync(join(project, '.local/dynamodb/engine.pid'), 'utf8'));
  const engine = engineOf();
  expect(isRunning(engine)).toBe(true);
  const { acknowledged, keys } = await createUntilKilled(first);

  const second = await startService(PATIENT, { project });
  onTestFinished(() => {
    second.process.kill('SIGKILL');
  });
  expect(isRunning(engine)).toBe(false);
  expect(second.staging.apiKey).toBe(first.staging.apiKey);
  expect(second.production.apiKey).toBe(first.production.apiKey);
  const send = client(() => second.staging);
  const found = await allPets(send);
  expect(found).toEqual(expect.arrayContaining(acknowledged));
  const byFilter = await allPets(send, 'limit=100&status=available');
  expect(byFilter).toEqual(found);

  // A repeated request leaves one animal, whether or not the first one was carried out.
  for (const key of keys.slice(-2 * CLIENTS)) {
    const [, number] = key.split('-');
    const headers = { 'Idempotency-Key': key };
    const body = { name: key, categoryId: Number(number) };
    expect((await send('POST /pets', { headers, body })).status).toBe(201);
  }
  const names = (await allPets(send)).map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
  const below = descendantsOf(second.process.pid);
  const secondEngine = engineOf();
  expect(below).toContain(secondEngine);
  sendCtrlC(second.process);
  await second.ended;
  requireWithinModels(second.complaints());
  expect(second.process.exitCode).toBe(0);
  expectAddresses(JSON.parse(second.printed()));
  expect(second.printed().trim().split('\n')).toHaveLength(1);
  expect(isRunning(secondEngine)).toBe(false);
  await expect.poll(() => below.filter(isRunning)).toEqual([]);
  expect(existsSync(join(project, '.local/lock'))).toBe(false);
});
