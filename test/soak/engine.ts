import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../infra/local/dynamodb/dynamodb-local.ts';

/**
 * DynamoDB Local answers a TransactWriteItems up to 50 ms before it has committed it: a kill in that time loses what was
 * acknowledged, which DynamoDB on AWS does not. This is ten times as long.
 */
const COMMIT_MS = 500;

/** DynamoDB Local with its database on disk, which can be killed and started again with the same data. */
export class Engine {
  readonly #folder: string;
  #running: DynamoDbLocal | undefined;
  /** Undefined while the engine does not run. */
  endpoint: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async start(): Promise<void> {
    this.#running = startDynamoDbLocal(this.#folder, () => {
      this.endpoint = undefined;
    });
    this.endpoint = await this.#running.endpoint;
  }

  /**
   * Kills the engine with SIGKILL and starts it again. The proxy forwards nothing from now on, and the requests that it has
   * forwarded are awaited first.
   */
  async killAndRestart(isBusy: () => boolean): Promise<void> {
    this.endpoint = undefined;
    while (isBusy()) await delay(20);
    await delay(COMMIT_MS);
    process.kill(Number(readFileSync(join(this.#folder, 'engine.pid'), 'utf8')), 'SIGKILL');
    await this.#running?.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    this.endpoint = undefined;
    await this.#running?.stop();
  }
}
