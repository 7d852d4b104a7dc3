import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isRunning } from '../../infra/local/host/processes.ts';
import { descendantsOf, isOpen, sendCtrlC, startCommand, terminal } from '../infra/start/command.ts';
import { replaceFile } from '../infra/start/replace-file.ts';
import { type Answer, allPets, client, type Pet } from './http-client.ts';
import { projectFolder } from './project-folder.ts';
import {
  type Environment,
  PATIENT,
  type RunningService,
  requireWithinModels,
  startService,
} from './running-service.ts';

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
  await Promise.all([service.ended, ...work]);
  return { acknowledged, keys };
}

/** The service at a terminal: its banner, and then what it reports line by line. */
async function startAtTerminal(project: string) {
  const started = startCommand(['--watch', '--port', '0', ...PATIENT], terminal(), project);
  let complaints = '';
  const lines = createInterface({ input: started.stderr });
  const reports = lines[Symbol.asyncIterator]();
  lines.on('line', line => {
    complaints += `${line}\n`;
  });
  const printed = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  let banner = '';
  for (let line = await printed.next(); !line.done; line = await printed.next()) {
    banner += `${line.value}\n`;
    if (line.value.includes('Ctrl-C')) break;
  }
  const environmentOf = (name: string): Environment => {
    const [, url = '', apiKey = ''] =
      new RegExp(`^ *${name} +(http\\S+)\\n +(pet_\\S+)$`, 'm').exec(banner) ?? [];
    return { url, apiKey };
  };
  return {
    process: started,
    banner,
    production: environmentOf('production'),
    staging: environmentOf('staging'),
    complaints: () => complaints,
    /** Waits for a report that begins like this. */
    async reported(beginning: string): Promise<void> {
      for (let line = await reports.next(); !line.done; line = await reports.next()) {
        if (line.value.startsWith(beginning)) return;
      }
      throw new Error(`The service ended without saying: ${beginning}`);
    },
    /** Whether it ends without printing another line. */
    printsNoMore: async () => (await printed.next()).done === true,
  };
}

const project = projectFolder(inject('assembly'));
const engineOfProject = () => Number(readFileSync(join(project, '.local/dynamodb/engine.pid'), 'utf8'));

let first: RunningService;
let engine: number;
let refusal: Error;
let acknowledged: Pet[];
let keys: string[];
let again: Awaited<ReturnType<typeof startAtTerminal>>;

beforeAll(async () => {
  first = await startService(PATIENT, { project });
  refusal = await startService(PATIENT, { project }).catch(error => error);
  engine = engineOfProject();
  expect(isRunning(engine)).toBe(true);
  ({ acknowledged, keys } = await createUntilKilled(first));
  again = await startAtTerminal(project);
});
afterAll(() => {
  first?.process.kill('SIGKILL');
  rmSync(project, { recursive: true, force: true });
});

const send = client(() => again.staging);

describe('a service whose data is kept', () => {
  test('prints its addresses and keys with --json in one line, and nothing else', () => {
    expect(first.printed().trim().split('\n')).toHaveLength(1);
    const printed = JSON.parse(first.printed());
    expect(Object.keys(printed)).toEqual([
      'production',
      'staging',
      'awsEndpoint',
      'dns',
      'edge',
      'dashboard',
    ]);
    const keyOf = (prefix: string) => expect.stringMatching(`^${prefix}[0-9A-Za-z]{34}$`);
    const urlOf = (stage: string) => expect.stringMatching(`^http://127\\.0\\.0\\.1:\\d+/${stage}/v1$`);
    expect(printed.production).toEqual({ url: urlOf('production'), apiKey: keyOf('pet_live_') });
    expect(printed.staging).toEqual({ url: urlOf('staging'), apiKey: keyOf('pet_test_') });
    expect(printed.dashboard).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
  });

  test('refuses to run twice', () => {
    expect(refusal.message).toContain(`is in use by another running instance (pid ${first.process.pid})`);
  });
});

describe('a service that was killed while clients create, once it runs again', () => {
  test('has what it acknowledged and its keys, and the engine of before is gone', async () => {
    expect(isRunning(engine)).toBe(false);
    expect(again.staging.apiKey).toBe(first.staging.apiKey);
    expect(again.production.apiKey).toBe(first.production.apiKey);
    const found = await allPets(send);
    expect(found).toEqual(expect.arrayContaining(acknowledged));
    const byFilter = await allPets(send, 'limit=100&status=available');
    expect(byFilter).toEqual(found);
  });

  test('adds one animal for a repeated request, whether or not the first one was carried out', async () => {
    for (const key of keys.slice(-2 * CLIENTS)) {
      const [, number] = key.split('-');
      const headers = { 'Idempotency-Key': key };
      const body = { name: key, categoryId: Number(number) };
      expect((await send('POST /pets', { headers, body })).status).toBe(201);
    }
    const names = (await allPets(send)).map(({ name }) => name);
    expect(names).toHaveLength(new Set(names).size);
  });
});

describe('a service at a terminal', () => {
  test('prints a curl line that works as it is', async () => {
    const [curl = ''] = /curl .*\/pets$/m.exec(again.banner) ?? [];
    const { stdout: answer } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\n\r\n\[\]$/);
  });

  test('deploys a changed source with --watch; a broken one leaves the running version', async () => {
    const message = async () => (await send('GET /pets/1')).json<{ message: string }>().message;
    const file = join(project, 'functions/pets/get-pet.ts');
    const source = readFileSync(file, 'utf8');

    replaceFile(file, source.replace('PET_NOT_FOUND)', "'Changed while running.')"));
    await again.reported('Deployed the change');
    expect(await message()).toBe('Changed while running.');

    writeFileSync(file, `${source}\nconst pet = ;\n`);
    await again.reported('The change was not deployed');
    expect(await message()).toBe('Changed while running.');

    replaceFile(file, source);
    await again.reported('Deployed the change');
    expect(await message()).toBe('There is no animal with this id.');
  });

  test('stops all its processes with exit code 0 at Ctrl-C, and leaves no address open', async () => {
    const below = descendantsOf(again.process.pid);
    const lastEngine = engineOfProject();
    expect(below).toContain(lastEngine);
    const ended = once(again.process, 'exit');
    sendCtrlC(again.process);
    expect(await ended).toEqual([0, null]);
    requireWithinModels(again.complaints());
    expect(isRunning(lastEngine)).toBe(false);
    await expect.poll(() => below.filter(isRunning)).toEqual([]);
    expect(existsSync(join(project, '.local/lock'))).toBe(false);
    expect(await again.printsNoMore()).toBe(true);
    const addresses = again.banner.match(/http:\S+/g) ?? [];
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(await isOpen(address), address).toBe(false);
  });
});
