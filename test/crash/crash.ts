import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../infra/local/testing/random.ts';
import { synthesize } from '../../infra/start/synthesize.ts';
import { type FaultProxy, startFaultProxy } from '../fault-proxy.ts';
import { ENVIRONMENTS, projectFolder } from '../service/running-service.ts';
import { environmentOf } from './clients.ts';
import { dynamoDbFault, weather } from './faults.ts';
import { checkAudit, checkKeys, checkOrders, checkPets, checkServerErrors } from './final-checks.ts';
import { Findings, type Run } from './findings.ts';
import { EngineProcess, ServiceProcess } from './processes.ts';
import { createPets, keepKeys, keepOrders } from './workloads.ts';

/** What a run is asked for. */
interface CrashOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly keepsFolder: boolean;
}

const REST_MS = 5 * 60_000;
const PROGRESS_MS = 5000;

/** Runs the service under load, faults and kills, and compares what it then has with what it has acknowledged. */
export async function crash({ minutes, seed, keepsFolder }: CrashOptions, progress: (line: string) => void) {
  const random = (stream: number) => new Random(seed * 1000 + stream);
  const folder = projectFolder(await synthesize());
  const engine = new EngineProcess(join(folder, '.engine'));
  await engine.start();
  let ranMs = 0;
  let runsSince: number | undefined;
  const now = () => ranMs + (runsSince === undefined ? 0 : performance.now() - runsSince);
  const isOver = () => now() >= minutes * 60_000;
  const rateAt = weather(random(1));
  const faults = random(2);
  const rate = () => (runsSince === undefined || isOver() ? 0 : rateAt(now()));
  /** Nothing fails while the service starts: a start on AWS is a deploy, which no fault of this run concerns. */
  const startUp = async (start: () => Promise<void>) => {
    ranMs = now();
    runsSince = undefined;
    await start();
    runsSince = performance.now();
  };
  const proxy = await startFaultProxy({
    upstream: () => engine.endpoint,
    choose: request => (faults.chance(rate()) ? dynamoDbFault(request, faults) : undefined),
  });
  const service = new ServiceProcess(folder, proxy.endpoint);
  const findings = new Findings(line => progress(`${seconds(now())}  ${line}`));
  const run: Run = {
    service,
    findings,
    now,
    isOver,
    requireTime(what) {
      if (now() > minutes * 60_000 + REST_MS) throw new Error(`There is no response to ${what}.`);
    },
  };
  const environments = ENVIRONMENTS.map(stage => environmentOf(stage, run));
  const showProgress = setInterval(() => {
    progress(`${seconds(now())}  ${(100 * rate()).toFixed(0).padStart(3)} % fail  ${countsText(findings)}`);
  }, PROGRESS_MS);
  try {
    await startUp(() => service.start());
    await Promise.all([
      killAgainAndAgain(run, { engine, proxy, random: random(3) }, startUp),
      ...environments.flatMap((environment, index) => {
        const stream = (number: number) => random(10 * (index + 1) + number);
        return [
          createPets(environment, run, 1, stream(1)),
          createPets(environment, run, 2, stream(2)),
          createPets(environment, run, 3, stream(3)),
          keepOrders(environment, run, stream(4)),
          keepOrders(environment, run, stream(5)),
          keepKeys(environment, run, stream(6)),
        ];
      }),
    ]);
    progress(`${seconds(now())}  Nothing fails any more: comparing everything …`);
    for (const environment of environments) {
      await checkPets(environment, run);
      await checkOrders(environment, run);
      await checkKeys(environment, run);
      await checkAudit(environment, run);
    }
    await service.stop();
    for (const environment of environments) checkServerErrors(environment, run, folder);
    for (const defect of service.defects) findings.report('service defect', defect);
  } finally {
    clearInterval(showProgress);
    await service.kill();
    await engine.stop();
    proxy.stop();
    for (const { api } of environments) api.close();
    if (!keepsFolder) rmSync(folder, { recursive: true, force: true });
  }
  for (const [name, times] of proxy.faults) findings.count(`faults: ${name}`, times);
  return findings;
}

/** In this order, so that a run of a minute has all of them. */
const KILLS = ['service', 'engine', 'start', 'service'] as const;

/** Between two kills, from the end of a restart: long enough for work to begin that the next kill can interrupt. */
const PAUSE_MS = [2000, 8000] as const;

/** A start is killed after this time at most. */
const KILLED_START_MS = 3000;

/** Kills the service, its engine and its starts with SIGKILL, one after the other, until the run is over. */
async function killAgainAndAgain(
  { service, findings, isOver }: Run,
  { engine, proxy, random }: { engine: EngineProcess; proxy: FaultProxy; random: Random },
  startUp: (start: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (let number = 0; ; number += 1) {
    await delay(random.between(...PAUSE_MS));
    if (isOver()) return;
    const killed = KILLS[number % KILLS.length];
    if (killed === 'engine') await engine.killAndRestart(proxy);
    else {
      await service.kill();
      await startUp(async () => {
        if (killed === 'start') await service.startAndKill(random.between(100, KILLED_START_MS));
        await service.start();
      });
    }
    findings.count(`kills: ${killed}`);
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(0).padStart(4)} s`;

function countsText(findings: Findings): string {
  const [kills, writes] = [findings.countOf('kills'), findings.countOf('acknowledged')];
  return `${kills} kills, ${writes} writes acknowledged, ${findings.violations.length} violations`;
}
