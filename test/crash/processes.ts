import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ENGINE_OF_THE_RUN, type Engine, startEngine } from '../../infra/local/testing/engine.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { type RunningService, startService } from '../service/running-service.ts';

/** What the waits of AWS are multiplied by. */
const WAIT_SCALE = 0.1;

/**
 * A machine that is busy enough exceeds the 10 s that Lambda gives a function to start, and then `npm start` ends. Another
 * attempt isn't a violation, as long as one of them succeeds.
 */
const MOST_STARTS = 5;

/** The service as `npm start` runs it, which can be killed and started again with the same data. */
export class ServiceProcess {
  readonly #folder: string;
  readonly #flags: readonly string[];
  #current = Promise.withResolvers<RunningService>();
  #isEnding = false;
  /** What went wrong with the process itself. */
  readonly defects: string[] = [];

  constructor(folder: string, dynamoDbEndpoint: string) {
    this.#folder = folder;
    this.#flags = ['--wait-scale', String(WAIT_SCALE), '--dynamodb', dynamoDbEndpoint];
  }

  /** The service; while it is killed and started again, whoever asks for it waits. */
  get running(): Promise<RunningService> {
    return this.#current.promise;
  }

  async start(): Promise<void> {
    const running = await this.#started();
    this.#isEnding = false;
    running.ended.then(() => {
      if (this.#isEnding) return;
      this.defects.push(`The service ended by itself: ${running.complaints()}`);
      this.#current = Promise.withResolvers();
      this.start().catch(this.#current.reject);
    });
    this.#current.resolve(running);
  }

  /** Kills the service with SIGKILL. Returns when its process has ended. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Stops the service as Ctrl-C does. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Starts the service and kills it with SIGKILL after some time, whether or not it is ready by then. */
  async startAndKill(afterMs: number): Promise<void> {
    const starting = startService(this.#flags, {
      project: this.#folder,
      onSpawn: child => {
        setTimeout(() => child.kill('SIGKILL'), afterMs);
      },
    });
    await starting.then(({ ended }) => ended).catch(() => undefined);
  }

  async #started(): Promise<RunningService> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await startService(this.#flags, { project: this.#folder });
      } catch (error) {
        if (attempt === MOST_STARTS) throw error;
      }
    }
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.#isEnding) return;
    const { process, ended } = await this.running;
    this.#isEnding = true;
    this.#current = Promise.withResolvers();
    process.kill(signal);
    await ended;
  }
}

/** An engine with its database on disk, which can be killed and started again with the same data. */
export class EngineProcess {
  readonly #folder: string;
  #running: Engine | undefined;
  /** Undefined while the engine does not run. */
  endpoint: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async start(): Promise<void> {
    this.#running = startEngine({
      name: ENGINE_OF_THE_RUN,
      databaseFolder: this.#folder,
      onDied: () => {
        this.endpoint = undefined;
      },
    });
    this.endpoint = await this.#running.endpoint;
  }

  /**
   * Kills the engine with SIGKILL and starts it again. The proxy forwards nothing from now on, and the requests that it has
   * forwarded are awaited first.
   */
  async killAndRestart({ isBusy }: FaultProxy): Promise<void> {
    this.endpoint = undefined;
    while (isBusy()) await delay(20);
    // A kill earlier could lose what was acknowledged, which DynamoDB on AWS does not.
    await delay((this.#running?.commitSeconds ?? 0) * 1000);
    process.kill(Number(readFileSync(join(this.#folder, 'engine.pid'), 'utf8')), 'SIGKILL');
    await this.#running?.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
  }
}
