import { relative, resolve } from 'node:path';
import { LocalRuntimeError } from './local/local-runtime-error.ts';
import { type Runtime, startRuntime } from './local/runtime.ts';
import { banner, jsonLine, type ReadyEnvironment, type ReadyService } from './start/banner.ts';
import { HELP, readOptions, type StartOptions, UsageError } from './start/options.ts';
import { ReadyKeys } from './start/ready-key.ts';
import { noteRunning, noteStopped } from './start/running-file.ts';
import { SynthesisError, synthesize } from './start/synthesize.ts';
import { watchSources } from './start/watch-sources.ts';

const DATA_FOLDER = resolve(import.meta.dirname, '..', '.local');

/** Who started this, asked for at once: it may be gone before everything is up. */
const PARENT = process.ppid;
const PARENT_CHECK_MS = 100;

/** Everything but the answer goes to standard error, so that the answer can be piped. */
const report = (line: string) => process.stderr.write(`${line}\n`);

async function start(options: StartOptions): Promise<void> {
  report('Synthesizing the stacks and starting DynamoDB …');
  const assembly = await synthesize();
  const starting = startRuntime({
    assembly,
    port: options.port,
    waitScale: options.waitScale,
    ...(!options.memory && { dataFolder: DATA_FOLDER }),
    ...(options.dynamodb && { dynamoDbEndpoint: options.dynamodb }),
    report,
  });
  // Told to stop halfway through the start, it lets the start end first: only then is it known what there is to stop.
  stopWhenTold(async () => {
    noteStopped();
    await (await starting).stop();
  });
  const runtime = await starting;
  if (options.watch) watchSources(() => redeploy(runtime));

  const service = await readyService(runtime, options.memory);
  noteRunning(service);
  if (options.json) {
    process.stdout.write(`${jsonLine(service)}\n`);
  } else {
    const data = options.memory ? 'in memory, gone at the end' : relative('', DATA_FOLDER);
    process.stdout.write(banner(service, data, relative('', runtime.logFolder)));
  }
}

/** Every stack of the assembly with its base address and an API key, named by its stage. */
async function readyService(runtime: Runtime, memory: boolean): Promise<ReadyService> {
  const keys = new ReadyKeys(memory ? undefined : resolve(DATA_FOLDER, 'api-keys.json'));
  const environments: Record<string, ReadyEnvironment> = {};
  for (const { BaseUrl: url = '', OperatorFunction: operator = '' } of runtime.outputs.values()) {
    const [, stage = ''] = new URL(url).pathname.split('/');
    environments[stage] = { url, apiKey: await keys.keyFor(stage, url, operator, runtime.awsEndpoint) };
  }
  const { awsEndpoint, dns, edge } = runtime;
  return { environments, awsEndpoint, dns, edge };
}

async function redeploy(runtime: Runtime): Promise<void> {
  const startedAt = Date.now();
  try {
    await runtime.deploy(await synthesize());
    report(`The change is in place after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  } catch (error) {
    report(`The change is not in place, what ran before goes on. ${(error as Error).message}`);
  }
}

/** Stops on a signal, and when the npm that started this is gone: one killed the hard way cannot pass on a signal. */
function stopWhenTold(stop: () => Promise<void>): void {
  let isStopping = false;
  const onStop = async () => {
    // Whoever asks twice does not want to wait.
    if (isStopping) process.exit(1);
    isStopping = true;
    await stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onStop);

  if (process.env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(watch);
    onStop();
  }, PARENT_CHECK_MS);
}

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(HELP);
  else await start(options);
} catch (error) {
  const isForTheUser =
    error instanceof UsageError || error instanceof LocalRuntimeError || error instanceof SynthesisError;
  report(isForTheUser ? error.message : String((error as Error).stack ?? error));
  process.exit(error instanceof UsageError ? 2 : 1);
}
