import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../infra/local/virtual/random.ts';
import { synthesize } from '../../infra/start/synthesize.ts';
import { startFaultProxy } from '../fault-proxy.ts';
import { projectFolder } from '../service/running-service.ts';
import { AwsFaults, dynamoDbFault, forecast, phaseAt } from './faults/faults.ts';
import type { DomainLedger } from './ledger/domain-ledger.ts';
import type { Tally, Violations } from './ledger/violations.ts';
import { EngineProcess, freePort, ServiceProcess } from './processes.ts';

/** The workloads of a run. Orders need pets. */
export const PARTS = ['pets', 'orders', 'keys', 'domains'] as const;
export type Part = (typeof PARTS)[number];

/** What a run is asked for. */
export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly parts: readonly Part[];
  readonly keepsFolder: boolean;
}

/** What the workloads of a run have in common. */
export interface SoakContext {
  /** Milliseconds since the start of the run. */
  now(): number;
  /** Whether the time of the run is over: what was begun is finished, nothing new is begun. */
  isOver(): boolean;
  /** Whether the time to come to rest is over as well: what is not at its goal by now is a violation. */
  isRestOver(): boolean;
  readonly seed: number;
  readonly service: ServiceProcess;
  readonly engine: EngineProcess;
  readonly violations: Violations;
  readonly tally: Tally;
  readonly domains: DomainLedger;
  /** The requests that returned 500, by their X-Request-Id. */
  readonly serverErrors: Map<string, string>;
}

/** Ports below those that the system gives out, so that nobody takes them while the service restarts. */
const FIRST_PORT = 20_000;
const PORTS = 2000;

/** The service in a folder of its own, its engine, and the proxies between them. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts the engine and the proxies; the service is not started yet. */
export async function startWorld({ minutes, seed, keepsFolder }: SoakOptions) {
  const folder = projectFolder(await synthesize());
  /** A stream of random numbers of this run. */
  const random = (stream: number) => new Random(seed * 1000 + stream);
  const phases = forecast(random(1), minutes * 60_000);
  const engine = new EngineProcess(join(folder, '.engine'));
  await engine.start();

  let startedAt: number | undefined;
  let suspensions = 0;
  /** Milliseconds since `begin`. */
  const now = () => (startedAt === undefined ? 0 : performance.now() - startedAt);
  const rate = () => (startedAt === undefined || suspensions > 0 ? 0 : (phaseAt(phases, now())?.rate ?? 0));

  const dynamoDbRandom = random(2);
  const dynamoDbProxy = await startFaultProxy({
    upstream: () => engine.endpoint,
    choose: request => dynamoDbFault(request, rate(), dynamoDbRandom),
  });
  const awsFaults = new AwsFaults(random(3));
  const awsPort = await freePort(FIRST_PORT + PORTS + (process.pid % PORTS));
  const awsProxy = await startFaultProxy({
    upstream: () => `http://127.0.0.1:${awsPort}`,
    choose: request => awsFaults.choose(request, rate(), now()),
  });
  const service = new ServiceProcess(folder, await freePort(FIRST_PORT + (process.pid % PORTS)), {
    engine: dynamoDbProxy.endpoint,
    awsPort,
    functionAwsEndpoint: awsProxy.endpoint,
  });

  return {
    folder,
    engine,
    service,
    phases,
    dynamoDbProxy,
    awsProxy,
    now,
    random,
    /** Starts the clock and the faults. */
    begin() {
      startedAt = performance.now();
    },
    /** Without faults, as while the service starts: a start on AWS is a deploy, which no fault of this run concerns. */
    async suspendFaults<Result>(during: () => Promise<Result>): Promise<Result> {
      suspensions += 1;
      try {
        return await during();
      } finally {
        suspensions -= 1;
      }
    },
    async stop() {
      await service.kill();
      await engine.stop();
      dynamoDbProxy.stop();
      awsProxy.stop();
      if (!keepsFolder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Between two kills, from the end of a restart: long enough for work to begin that the next kill can interrupt. */
const PAUSE_MS = [3000, 20_000] as const;

/** One kill in so many is that of the engine, of which the service should notice some failed requests only. */
const ENGINE_SHARE = 0.25;

/** A start is killed now and then as well, after this time at most. */
const KILLED_START_SHARE = 0.15;
const KILLED_START_MS = 3000;

/** Kills the service, and now and then the engine, at random moments with SIGKILL, and starts them again. */
export async function killAtRandom(
  { service, engine, dynamoDbProxy, now, suspendFaults }: World,
  { isOver, tally }: SoakContext,
  random: Random,
): Promise<void> {
  const pauseUntil = now() + random.between(...PAUSE_MS);
  for (let next = pauseUntil; ; next = now() + random.between(...PAUSE_MS)) {
    while (now() < next && !isOver()) await delay(50);
    if (isOver()) return;
    if (random.chance(ENGINE_SHARE)) {
      await engine.killAndRestart(dynamoDbProxy.isBusy);
      tally.count('kills of the engine');
      continue;
    }
    await service.kill();
    tally.count('kills of the service');
    if (random.chance(KILLED_START_SHARE)) {
      await suspendFaults(() => service.startAndKill(random.between(100, KILLED_START_MS)));
      tally.count('kills of the service');
    }
    await suspendFaults(() => service.start());
  }
}
