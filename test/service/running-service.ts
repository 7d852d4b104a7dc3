import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const PROJECT = resolve(import.meta.dirname, '../..');

/** Where the processes of a project, or of a copy of it, keep what Node.js has compiled. */
export const compileCacheOf = (project: string) => join(project, '.cache/compiled');

/** A hundredth of every wait of AWS: minutes on AWS are seconds here. */
export const WAIT_SCALE = 0.01;

/** A busy machine isn't an outage; test/service/outage-and-crash.test.ts tests what the time-outs do. */
export const PATIENCE = 20;

/** Flags for a service that keeps nothing and waits little. */
const IN_MEMORY = ['--memory', '--wait-scale', String(WAIT_SCALE)];

export const PATIENT = ['--patience', String(PATIENCE)];

export const ENVIRONMENTS = ['production', 'staging'] as const;

/** Where one environment is reached, and a key for it. */
export interface Environment {
  readonly url: string;
  readonly apiKey: string;
}

export interface RunningService {
  readonly production: Environment;
  readonly staging: Environment;
  readonly awsEndpoint: string;
  readonly awsCredentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly dns: string;
  readonly edge: { readonly https: string; readonly ca: string };
  /** The URL of the dashboard, with its token. */
  readonly dashboard: string;
  readonly process: ChildProcess;
  /** Its temporary files, removed when it stops. A service that keeps nothing has its logs here, too. */
  readonly folder: string;
  /** The file that tells the petstore command where it runs, instead of the developer's own. */
  readonly runningFile: string;
  /** What it has written to standard output so far. */
  printed(): string;
  /** What it has written to standard error so far. */
  complaints(): string;
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** The AWS endpoint of a service, and the access key that it accepts. */
export type AwsAccess = Pick<RunningService, 'awsEndpoint' | 'awsCredentials'>;

/** The options of AWS's own clients of a service. */
export const awsClientOptions = ({ awsEndpoint, awsCredentials }: AwsAccess) => ({
  endpoint: awsEndpoint,
  region: 'us-east-1',
  credentials: awsCredentials,
});

/** What `npm start` runs. */
export const NPM_START = ['infra/start/start.ts'];

interface ServiceStart {
  /** A copy of the project, which keeps its own data. */
  readonly project?: string;
  readonly onSpawn?: (child: ChildProcess) => void;
}

/** Starts the whole service as `npm start -- --json` does, on free ports. By default it keeps nothing. */
export async function startService(
  flags: readonly string[] = [...IN_MEMORY, ...PATIENT],
  { project = PROJECT, onSpawn }: ServiceStart = {},
): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-service-'));
  const runningFile = join(folder, 'running.json');
  const command = [...NPM_START, '--port', '0', '--json', ...flags];
  const child = spawn(process.execPath, command, {
    cwd: project,
    env: {
      ...process.env,
      TMPDIR: folder,
      PETSTORE_RUNNING_FILE: runningFile,
      NODE_COMPILE_CACHE: compileCacheOf(project),
      // As under npm, so that it ends with this process, whatever ends that.
      npm_lifecycle_event: 'start',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onSpawn?.(child);
  // Not at 'exit': its output may be incomplete then.
  const ended = once(child, 'close');
  ended.then(() => rmSync(folder, { recursive: true, force: true }));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error(`The service did not start: ${complaints}`))),
  ]);
  return {
    ...JSON.parse(line),
    process: child,
    folder,
    runningFile,
    printed: () => printed,
    complaints: () => complaints,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      requireWithinModels(complaints);
    },
  };
}

/** Throws if the service has reported a response of a local AWS service that AWS's service model does not have. */
export function requireWithinModels(reported: string): void {
  const violations = reported.split('\n').filter(line => line.includes('broke its service model'));
  if (violations.length > 0) throw new Error(violations.join('\n'));
}

/**
 * Stops a service as Ctrl-C does: the terminal sends the signal to every process, and npm forwards it as well. The two are
 * of different kinds here, since the system may deliver two of one kind as one.
 */
export function sendCtrlC(service: ChildProcess): void {
  service.kill('SIGINT');
  service.kill('SIGTERM');
}

/** Written by every build of the client, perhaps by a test at the same time. */
const CLIENT_DIST = join(PROJECT, 'infra', 'client', 'dist');

/**
 * Copies the project into a temporary folder, with its own data and with sources that may be changed. The folder already
 * has the assembly and the bundles of the unchanged sources, and what was compiled of them. The caller removes it.
 */
export function projectFolder(assembly: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-copy-'));
  for (const name of [
    'cdk.json',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'infra',
    'functions',
    'shared',
  ]) {
    cpSync(join(PROJECT, name), join(folder, name), {
      recursive: true,
      filter: path => !path.startsWith(CLIENT_DIST),
    });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(compileCacheOf(PROJECT), { recursive: true });
  cpSync(assembly, join(folder, '.cache', 'assemblies', basename(assembly)), { recursive: true });
  linkBundles(folder);
  symlinkSync(compileCacheOf(PROJECT), compileCacheOf(folder));
  return folder;
}

/** So that only what a test changes is bundled again. */
function linkBundles(folder: string): void {
  const bundles = join(PROJECT, '.cache', 'bundles');
  const copied = join(folder, '.cache', 'bundles');
  mkdirSync(copied);
  for (const name of readdirSync(bundles)) {
    if (!name.includes('.')) symlinkSync(join(bundles, name), join(copied, name));
  }
}
