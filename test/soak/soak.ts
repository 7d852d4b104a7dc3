import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { synthesize } from '../../infra/start/synthesize.ts';
import { projectFolder } from '../service/project-folder.ts';
import { Random } from '../simulation/random.ts';
import { createPets } from './clients/pet-creator.ts';
import { readAllPets } from './clients/pet-reader.ts';
import type { SoakContext } from './context.ts';
import { Engine } from './engine.ts';
import { dynamoDbFault } from './faults/dynamodb-faults.ts';
import { startFaultProxy } from './faults/fault-proxy.ts';
import { forecast, type Phase, phaseAt } from './faults/forecast.ts';
import { checkPets } from './final/check-pets.ts';
import { type Kill, killAtRandom } from './kills.ts';
import { PetLedger } from './ledger/pet-ledger.ts';
import { SecretSearch } from './ledger/secret-search.ts';
import { type Violation, Violations } from './ledger/violations.ts';
import type { SoakOptions } from './options.ts';
import { Latencies, type LatencySlot } from './report/latencies.ts';
import { Tally } from './report/tally.ts';
import { freePort, ServiceProcess, STAGES } from './service-process.ts';

export interface SoakResult {
  readonly seed: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly tried: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly kills: readonly Kill[];
  readonly phases: readonly Phase[];
  readonly latency: ReturnType<Latencies['summary']>;
  readonly latencies: readonly LatencySlot[];
  readonly violationCounts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

const PROGRESS_MS = 5000;

/** Ports below those that the system gives out, so that nobody takes them while the service restarts. */
const FIRST_PORT = 20_000;

export async function soak(options: SoakOptions, progress: (line: string) => void): Promise<SoakResult> {
  const { minutes, seed } = options;
  const lengthMs = minutes * 60_000;
  progress(`Soak of ${minutes} min with the seed ${seed}: synthesizing and starting …`);
  const folder = projectFolder(await synthesize());
  const random = (stream: number) => new Random(seed * 1000 + stream);
  const phases = forecast(random(1), lengthMs);
  const engine = new Engine(join(folder, '.engine'));
  await engine.start();

  let startedAt = Number.POSITIVE_INFINITY;
  let suspended = 1;
  const now = () => performance.now() - startedAt;
  const rate = () => (suspended > 0 ? 0 : (phaseAt(phases, now())?.rate ?? 0));
  const dynamoDbRandom = random(2);
  const dynamoDbProxy = await startFaultProxy({
    upstream: () => engine.endpoint,
    choose: request => dynamoDbFault(request, rate(), dynamoDbRandom),
  });
  const awsPort = await freePort(FIRST_PORT + 1000 + (seed % 1000));
  const awsProxy = await startFaultProxy({
    upstream: () => `http://127.0.0.1:${awsPort}`,
    choose: () => undefined,
  });
  const service = new ServiceProcess(folder, await freePort(FIRST_PORT + (seed % 1000)), {
    engine: dynamoDbProxy.endpoint,
    awsPort,
    functionAwsEndpoint: awsProxy.endpoint,
  });

  const violations = new Violations(now);
  const tally = new Tally();
  const latencies = new Latencies();
  const secrets = new SecretSearch();
  const kills: Kill[] = [];
  const ledgers = (stage: string) => new PetLedger(stage, violations.add);
  const context: SoakContext = {
    now,
    isOver: () => now() >= lengthMs,
    seed,
    service,
    violations,
    secrets,
    tally,
    latencies,
    pets: { production: ledgers('production'), staging: ledgers('staging') },
  };

  const timer = setInterval(() => {
    const phase = phaseAt(phases, now())?.kind ?? 'settling';
    progress(
      `${(now() / 1000).toFixed(0).padStart(4)} s  ${phase.padEnd(8)} ${tally.of('requests')} requests, ${tally.of('animals created')} animals, ${kills.length} kills, ${violations.total} violations`,
    );
  }, PROGRESS_MS);
  try {
    const first = await service.start();
    startedAt = performance.now();
    suspended = 0;
    for (const stage of STAGES) secrets.add(first[stage].apiKey);
    const workloads = STAGES.flatMap((stage, index) => {
      const key = () => first[stage].apiKey;
      return [
        createPets(context, stage, `${stage}-a`, key, random(10 + index)),
        createPets(context, stage, `${stage}-b`, key, random(20 + index)),
        readAllPets(context, stage, key, random(30 + index)),
      ];
    });
    const suspendFaults = async <Result>(during: () => Promise<Result>) => {
      suspended += 1;
      try {
        return await during();
      } finally {
        suspended -= 1;
      }
    };
    const killing = killAtRandom({
      service,
      engine,
      random: random(3),
      now,
      isOver: context.isOver,
      suspendFaults,
      onKill: kill => kills.push(kill),
    });
    await Promise.all([killing, ...workloads]);
    progress(`${(now() / 1000).toFixed(0).padStart(4)} s  The time is over: checking everything …`);
    for (const stage of STAGES) await checkPets(context, stage, () => first[stage].apiKey, engine);
    await service.stop();
    for (const fault of service.faults) violations.add('service defect', fault);
  } finally {
    clearInterval(timer);
    await service.kill();
    await engine.stop();
    dynamoDbProxy.stop();
    awsProxy.stop();
    if (!options.keepsFolder) rmSync(folder, { recursive: true, force: true });
    else progress(`The folder of the service: ${folder}`);
  }
  return {
    seed,
    minutes,
    seconds: Math.round(now() / 1000),
    tried: tally.toJSON(),
    faults: Object.fromEntries(
      [...dynamoDbProxy.faults].map(([name, count]) => [`DynamoDB: ${name}`, count]),
    ),
    kills,
    phases,
    latency: latencies.summary(),
    latencies: latencies.slots(),
    violationCounts: Object.fromEntries(violations.counts),
    violations: violations.kept,
  };
}
