import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Dashboard, startDashboard } from '../dashboard/server/start-dashboard.ts';
import { type LocalAws, type LocalAwsOptions, startLocalAws } from '../local/local-aws.ts';
import { recordRunning, recordStopped } from '../operator/connection/running-file.ts';
import { localTarget } from '../operator/connection/target.ts';
import { banner, jsonLine, type ReadyEnvironment, type ReadyService } from './banner.ts';
import { busyMachine, type StartOptions } from './options.ts';
import { MORE_PATIENCE, ReadyKeys, TIMED_OUT } from './ready-key.ts';
import { synthesize, watchSources } from './synthesize.ts';

const DATA_FOLDER = resolve(import.meta.dirname, '../../.local');

const PARENT_CHECK_MS = 100;

/** Signals within this time are one Ctrl-C: the terminal sends it to every process, and npm forwards it as well. */
const ONE_KEYPRESS_MS = 1000;

interface Starter {
  /** The id of the process that started this one, which may be gone before the start is over. */
  readonly parent: number;
  /** Takes one-line messages for the person at the terminal. */
  report(line: string): void;
}

/** Starts the service, prints where it runs, and stops it on a signal. */
export async function startService(options: StartOptions, { parent, report }: Starter): Promise<void> {
  if (!options.memory) requireDataFormat(DATA_FOLDER);
  const assembly = await synthesize(report);
  report('Starting a DynamoDB engine and deploying the stacks …');
  const stopping = new AbortController();
  const starting = startLocalAws({
    assembly,
    port: options.port,
    waitScale: options.waitScale,
    ...(options.certificateMinutes && { certificateMinutes: options.certificateMinutes }),
    ...busyMachine(options.patience),
    ...(!options.memory && { dataFolder: DATA_FOLDER }),
    ...(options.engine && { engine: options.engine }),
    ...(options.dynamodb && { dynamoDbEndpoint: options.dynamodb }),
    awsPort: options.awsPort,
    ...(process.env.PETSTORE_GRANT_LEDGER && { grantLedger: process.env.PETSTORE_GRANT_LEDGER }),
    signal: stopping.signal,
    report: withAdvice(report),
  });
  // Before the service says that it is ready, so that no change after that is missed.
  if (options.watch) watchSources(async () => redeploy(await starting, report));
  const announced = starting.then(runtime => announce(runtime, options));
  // Waits for the rest of the start, which creates API keys and would fail if parts of the service were gone.
  stopOnSignal(parent, async () => {
    stopping.abort();
    const [start] = await Promise.allSettled([starting, announced]);
    recordStopped();
    if (start.status === 'fulfilled') await start.value.stop();
  });
  await announced.catch(error => {
    if (!stopping.signal.aborted) throw error;
  });
}

/** Says once, behind its error, what to do about a function that has run out of time. */
function withAdvice(report: Starter['report']): LocalAwsOptions['report'] {
  let isSaid = false;
  return (line, errorType) => {
    report(line);
    if (isSaid || errorType !== TIMED_OUT) return;
    isSaid = true;
    report(MORE_PATIENCE);
  };
}

/** Waits until the service is ready for use, then records and prints where it is. */
async function announce(runtime: LocalAws, options: StartOptions): Promise<void> {
  const service = await readyService(runtime, options);
  recordRunning(service);
  if (options.json) {
    process.stdout.write(`${jsonLine(service)}\n`);
  } else {
    const data = options.memory ? undefined : DATA_FOLDER;
    process.stdout.write(banner(service, { data, engine: runtime.engine, logs: runtime.logFolder }));
  }
}

/** Every environment with its base URL and an API key, by stage, and their dashboard. */
async function readyService(
  runtime: LocalAws,
  { memory, port }: Pick<StartOptions, 'memory' | 'port'>,
): Promise<ReadyService> {
  const keys = new ReadyKeys(memory ? undefined : resolve(DATA_FOLDER, 'api-keys.json'));
  const ready = [...runtime.outputs.values()].map(
    async ({ BaseUrl: url = '', OperatorFunction: operator = '' }): Promise<[string, ReadyEnvironment]> => {
      const [, stage = ''] = new URL(url).pathname.split('/');
      return [stage, { url, apiKey: await keys.keyFor(stage, url, operator, runtime) }];
    },
  );
  const { awsEndpoint, awsCredentials, dns, edge } = runtime;
  const environments = Object.fromEntries(await Promise.all(ready));
  const service = { environments, awsEndpoint, awsCredentials, dns, edge };
  const { url: dashboard, fallbackUrl: dashboardFallback } = await dashboardOf(service, port);
  return { ...service, dashboard, dashboardFallback };
}

/** Serves the dashboard on the port after that of the HTTP interface, where pages that were left open look for it. */
async function dashboardOf(
  { environments, ...service }: Omit<ReadyService, 'dashboard' | 'dashboardFallback'>,
  port: number,
): Promise<Dashboard> {
  const baseUrls = Object.fromEntries(Object.entries(environments).map(([stage, { url }]) => [stage, url]));
  // Production last: the dashboard starts with the first one.
  const stages = Object.keys(environments).toSorted(
    (left, right) => Number(left === 'production') - Number(right === 'production'),
  );
  const targets = stages.map(stage => localTarget(stage, { ...service, baseUrls }));
  const dashboardPort = port === 0 || port === 65_535 ? 0 : port + 1;
  return startDashboard(targets, { port: dashboardPort, canMove: true });
}

async function redeploy(runtime: LocalAws, report: Starter['report']): Promise<void> {
  const startedAt = Date.now();
  report('A source has changed. Deploying the change …');
  try {
    await runtime.deploy(await synthesize());
    report(`Deployed the change in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  } catch (error) {
    report(`The change wasn't deployed; the previous version keeps running. ${(error as Error).message}`);
  }
}

/** Stops on a signal, and when the npm that started this is gone: after SIGKILL, npm cannot forward a signal. */
function stopOnSignal(parent: number, stop: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined;
  const onStop = async () => {
    if (stoppingSinceMs !== undefined) {
      // A second signal stops without waiting.
      if (performance.now() - stoppingSinceMs > ONE_KEYPRESS_MS) process.exit(1);
      return;
    }
    stoppingSinceMs = performance.now();
    await stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onStop);

  if (process.env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onStop();
  }, PARENT_CHECK_MS);
}

/** Raised when what is stored changes so that older data can no longer be read: in tables, or in files of the local AWS. */
const DATA_FORMAT = '5';

/** The data folder has data that this version of the service cannot read. */
export class DataFormatError extends Error {
  override readonly name = 'DataFormatError';
}

/** Refuses a data folder of another format and leaves it as it is; marks a new one with this version's format. */
export function requireDataFormat(dataFolder: string): void {
  const file = join(dataFolder, 'data-format');
  const isNew = !existsSync(join(dataFolder, 'dynamodb'));
  if (isNew) {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(file, DATA_FORMAT);
    return;
  }
  const format = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown';
  if (format === DATA_FORMAT) return;
  throw new DataFormatError(
    `The data in ${dataFolder} is from a different version of the service (format ${format}, not ${DATA_FORMAT}). Start a new folder: mv '${dataFolder}' '${dataFolder}-${format}'. Or use --memory.`,
  );
}
