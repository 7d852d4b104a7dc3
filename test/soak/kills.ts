import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import type { Engine } from './engine.ts';
import type { FaultProxy } from './faults/fault-proxy.ts';
import type { ServiceProcess } from './service-process.ts';

/** A kill, in milliseconds since the start of the run, and when what was killed was ready again. */
export interface Kill {
  readonly of: 'service' | 'engine';
  readonly atMs: number;
  readonly readyAtMs: number;
}

interface KillParts {
  readonly service: ServiceProcess;
  readonly engine: Engine;
  readonly dynamoDbProxy: FaultProxy;
  readonly random: Random;
  now(): number;
  isOver(): boolean;
  /** Faults are suspended while the service starts: a start on AWS is a deploy, which no fault of this run concerns. */
  suspendFaults<Result>(during: () => Promise<Result>): Promise<Result>;
  onKill(kill: Kill): void;
}

/** Between two kills, from the end of a restart: long enough for work to begin that the next kill can interrupt. */
const PAUSE_MS = [3000, 20_000] as const;

/** One kill in so many is that of the engine, of which the service should notice some failed requests only. */
const ENGINE_SHARE = 0.25;

/** A start is killed now and then as well, after this time at most. */
const KILLED_START_SHARE = 0.15;
const KILLED_START_MS = 3000;

/** Kills the service, and now and then the engine, at random moments with SIGKILL, and starts them again. */
export async function killAtRandom(parts: KillParts): Promise<void> {
  const { service, engine, dynamoDbProxy, random, now, isOver, suspendFaults, onKill } = parts;
  const pauseUntil = now() + random.between(...PAUSE_MS);
  for (let next = pauseUntil; ; next = now() + random.between(...PAUSE_MS)) {
    while (now() < next && !isOver()) await delay(50);
    if (isOver()) return;
    const atMs = now();
    if (random.chance(ENGINE_SHARE)) {
      await engine.killAndRestart(dynamoDbProxy.isBusy);
      onKill({ of: 'engine', atMs, readyAtMs: now() });
      continue;
    }
    await service.kill();
    if (random.chance(KILLED_START_SHARE)) {
      await suspendFaults(() => service.startAndKill(random.between(100, KILLED_START_MS)));
      onKill({ of: 'service', atMs: now(), readyAtMs: now() });
    }
    await suspendFaults(() => service.start());
    onKill({ of: 'service', atMs, readyAtMs: now() });
  }
}
