import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { descendantsOf, isRunning } from '../../infra/local/processes.ts';
import { expectNothingLeftBy, isOpen, replaceFile, startCommand } from '../infra/start/command.ts';
import { needsTool } from '../machine.ts';
import { expectOutage } from './during-outage.ts';
import { allPets, client, type HttpResponse, type Pet } from './http-client.ts';
import { expectNoKeyLeaked } from './key-leakage.ts';
import {
  type Environment,
  PATIENT,
  type RunningService,
  requireWithinModels,
  startService,
} from './running-service.ts';
import { serviceOnDisk } from './service-on-disk.ts';
import { story } from './story.ts';

/**
 * One service with its data on disk, in the order of its life: its tables do not respond for a while, it is killed, and it
 * is started again.
 */
const { project, start } = serviceOnDisk();
let first: RunningService;
beforeAll(async () => {
  first = await start();
});

const engineOfProject = () => Number(readFileSync(join(project, '.local/dynamodb/engine.pid'), 'utf8'));

story('the life of a service', () => {
  test('a service does not run twice with the same data', async () => {
    await expect(startService([], { project })).rejects.toThrow(
      `is in use by another running instance (pid ${first.process.pid})`,
    );
  });

  /** How soon: test/shared/aws/retries.test.ts, with a clock of its own. */
  test('503: for known keys and new ones while the tables do not respond; the service recovers afterwards', () =>
    expectOutage(first));

  test('no key, nor a part of one, is written anywhere but in the response that created it', () =>
    expectNoKeyLeaked(first, [first.folder, join(project, '.local')]));

  describe('a service that was killed while clients create, once it runs again', () => {
    let acknowledged: Pet[];
    let keys: string[];
    let again: Awaited<ReturnType<typeof startAtTerminal>>;
    let engineBefore: number;
    beforeAll(async () => {
      engineBefore = engineOfProject();
      expect(isRunning(engineBefore)).toBe(true);
      ({ acknowledged, keys } = await createUntilKilled(first));
      again = await startAtTerminal(project, ['--watch', ...PATIENT]);
    });
    const send = client(() => again.staging);

    test('has what it acknowledged and its keys, and the engine of before is gone', async () => {
      expect(isRunning(engineBefore)).toBe(false);
      expect(again.staging.apiKey).toBe(first.staging.apiKey);
      expect(again.production.apiKey).toBe(first.production.apiKey);
      const found = await allPets(send);
      expect(found).toEqual(expect.arrayContaining(acknowledged));
      const byFilter = await allPets(send, 'limit=100&status=available');
      expect(byFilter).toEqual(found.filter(({ status }) => status === 'available'));
      expect(byFilter.length).toBeGreaterThanOrEqual(acknowledged.length);
    });

    test('has one pet for a repeated request, whether or not the first one was carried out', async () => {
      for (const key of keys.slice(-2 * CLIENTS)) {
        const [, number] = key.split('-');
        const headers = { 'Idempotency-Key': key };
        const body = { name: key, categoryId: Number(number) };
        expect((await send('POST /pets', { headers, body })).status).toBe(201);
      }
      const names = (await allPets(send)).map(({ name }) => name).filter(name => name.startsWith('client-'));
      expect(names.length).toBeGreaterThanOrEqual(acknowledged.length);
      expect(names).toHaveLength(new Set(names).size);
    });

    test('has printed a curl line that works as it is', needsTool('curl'), async () => {
      const [curl = ''] = /curl .*\/pets$/m.exec(again.banner) ?? [];
      const { stdout: response } = await promisify(execFile)('sh', ['-c', `${curl} -s`]);
      expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(response).toMatch(/\r\n\r\n\[.*\]$/);
    });

    test('deploys a changed source with --watch; a broken one leaves the running version, and no assembly', async () => {
      const message = async () => (await send('GET /pets/1')).json<{ message: string }>().message;
      const file = join(project, 'shared/pets/operations.ts');
      const source = readFileSync(file, 'utf8');

      replaceFile(file, source.replace('There is no animal with this id.', 'Changed while running.'));
      await again.reported(/^Deployed the change/);
      expect(await message()).toBe('Changed while running.');

      const assemblies = join(project, '.cache/assemblies');
      const deployed = readdirSync(assemblies);
      writeFileSync(file, `${source}\nconst pet = ;\n`);
      await again.reported(/^The change wasn't deployed; .* The stack can't be synthesized:$/);
      await again.reported(/shared\/pets\/operations\.ts/);
      expect(await message()).toBe('Changed while running.');
      expect(readdirSync(assemblies)).toEqual(deployed);

      replaceFile(file, source);
      await again.reported(/^Deployed the change/);
      expect(await message()).toBe('There is no animal with this id.');
    });

    test('ends with all its processes when its npm is killed, and leaves no open port and no lock', async () => {
      expect(descendantsOf(again.process.pid)).toContain(engineOfProject());
      await expectNothingLeftBy(again.process);
      requireWithinModels(again.complaints());
      expect(existsSync(join(project, '.local/lock'))).toBe(false);
      expect(await again.printsNoMore()).toBe(true);
      const urls = again.banner.match(/http:\S+/g) ?? [];
      expect(urls.length).toBeGreaterThan(3);
      for (const url of urls) expect(await isOpen(url), url).toBe(false);
    });
  });
});

const CLIENTS = 8;
const ENOUGH_ACKNOWLEDGED = 60;

/** Creates pets with several clients, every other request with an Idempotency-Key, until the service is killed. */
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
      const response: HttpResponse | undefined = await send('POST /pets', {
        headers,
        body: { name: key, categoryId: number },
      }).catch(() => undefined);
      if (response?.status === 201) acknowledged.push(response.json());
      if (acknowledged.length >= ENOUGH_ACKNOWLEDGED && !killed) {
        killed = true;
        service.process.kill('SIGKILL');
      }
    }
  });
  await Promise.all([service.ended, ...work]);
  return { acknowledged, keys };
}

/** Starts the service of a project as `npm start` does at a terminal, and waits for its banner. */
async function startAtTerminal(project: string, flags: readonly string[]) {
  const started = startCommand(['--port', '0', ...flags], { project, isUnderNpm: true });
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
    /** That of its npm. */
    process: started,
    banner,
    production: environmentOf('production'),
    staging: environmentOf('staging'),
    /** What it has written to standard error so far. */
    complaints: () => complaints,
    /** Waits for a line of its reports. */
    async reported(expected: RegExp): Promise<void> {
      for (let line = await reports.next(); !line.done; line = await reports.next()) {
        if (expected.test(line.value)) return;
      }
      throw new Error(`The service ended without reporting ${expected}.`);
    },
    /** Whether it has ended without printing another line. */
    printsNoMore: async () => (await printed.next()).done === true,
  };
}
