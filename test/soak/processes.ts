import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AttributeValue,
  DynamoDBClient,
  ListTablesCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { type Engine, startEngine } from '../../infra/local/dynamodb/engine.ts';
import type { EngineName } from '../../infra/local/dynamodb/engine-program.ts';
import { type RunningService, requireWithinModels, startService } from '../service/running-service.ts';

/** The two environments of the service. */
export const STAGES = ['production', 'staging'] as const;
export type Stage = (typeof STAGES)[number];

/** What the waits of AWS are multiplied by. The leases of names are as long as on AWS: so is the life of a function. */
const WAIT_SCALE = 0.1;

const MOST_STARTS = 5;

/** Several times as long as a start takes on a busy machine. */
const LONGEST_RESTART_MS = 3 * 60_000;

interface ServiceAddresses {
  readonly engine: string;
  /** The port of the AWS endpoint, and the proxy in front of it that functions use. */
  readonly awsPort: number;
  readonly functionAwsEndpoint: string;
}

/** The service as `npm start` runs it, which can be killed and started again at the same port and with the same data. */
export class ServiceProcess {
  readonly #folder: string;
  readonly #addresses: ServiceAddresses;
  readonly #port: number;
  /** What all processes so far have written to standard error. */
  #complaints = '';
  #ended = false;
  running: RunningService | undefined;
  /** What went wrong with the process itself. */
  readonly faults: string[] = [];

  constructor(folder: string, port: number, addresses: ServiceAddresses) {
    this.#folder = folder;
    this.#port = port;
    this.#addresses = addresses;
  }

  url(stage: Stage): string {
    return `http://127.0.0.1:${this.#port}/${stage}/v1`;
  }

  get complaints(): string {
    return this.#complaints + (this.running?.complaints() ?? '');
  }

  /** Starts the service and kills it with SIGKILL after some time, whether or not it is ready by then. */
  async startAndKill(afterMs: number): Promise<void> {
    const starting = startService(this.#flags(), {
      project: this.#folder,
      onSpawn: child => {
        setTimeout(() => child.kill('SIGKILL'), afterMs);
      },
    });
    const running = await starting.catch(() => undefined);
    const hasEnded = !running || running.process.exitCode !== null || running.process.signalCode !== null;
    if (!hasEnded) await once(running.process, 'exit');
  }

  #flags(): string[] {
    const { engine, awsPort, functionAwsEndpoint } = this.#addresses;
    return [
      '--port',
      String(this.#port),
      '--wait-scale',
      String(WAIT_SCALE),
      '--dynamodb',
      engine,
      '--aws-port',
      String(awsPort),
      '--function-aws-endpoint',
      functionAwsEndpoint,
    ];
  }

  async start(): Promise<RunningService> {
    const running = await this.#started();
    this.running = running;
    running.process.once('exit', code => {
      this.#complaints += running.complaints();
      if (this.running !== running) return;
      this.running = undefined;
      if (!this.#ended)
        this.faults.push(`the service ended by itself with code ${code}: ${running.complaints()}`);
    });
    return running;
  }

  /**
   * A machine that is busy enough exceeds the 10 s that Lambda gives a function to start, and then `npm start` ends. Another
   * attempt isn't a violation, as long as one of them succeeds.
   */
  async #started(): Promise<RunningService> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await startService(this.#flags(), { project: this.#folder });
      } catch (error) {
        this.#complaints += (error as Error).message;
        if (attempt === MOST_STARTS) throw error;
      }
    }
  }

  /** Kills the service with SIGKILL. Returns when its process has ended. */
  async kill(): Promise<void> {
    const { running } = this;
    if (!running) return;
    this.running = undefined;
    const ended = once(running.process, 'exit');
    running.process.kill('SIGKILL');
    await ended;
  }

  /** Waits until the service runs. One that ended by itself is started again by the next kill only. */
  async whenRunning(): Promise<RunningService> {
    const giveUpAt = performance.now() + LONGEST_RESTART_MS;
    while (!this.running) {
      if (performance.now() > giveUpAt)
        throw new Error(['The service does not run.', ...this.faults].join(' '));
      await delay(100);
    }
    return this.running;
  }

  /** Stops the service as Ctrl-C does, and reports responses of the local AWS that break AWS's service models. */
  async stop(): Promise<void> {
    this.#ended = true;
    const { running } = this;
    if (running) {
      const ended = once(running.process, 'exit');
      running.process.kill('SIGTERM');
      await ended;
    }
    try {
      requireWithinModels(this.complaints);
    } catch (error) {
      this.faults.push((error as Error).message);
    }
  }
}

/** A port that nobody uses now, below the range from which the system gives out ports, so that it stays free. */
export async function freePort(from: number): Promise<number> {
  for (let port = from; ; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

export type TableItem = Record<string, AttributeValue | undefined>;

/** An engine with its database on disk, which can be killed and started again with the same data. */
export class EngineProcess {
  readonly #folder: string;
  #running: Engine | undefined;
  #client: DynamoDBClient | undefined;
  /** Undefined while the engine does not run. */
  endpoint: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async start(): Promise<void> {
    this.#client?.destroy();
    this.#client = undefined;
    this.#running = startEngine({
      name: process.env.PETSTORE_ENGINE as EngineName | undefined,
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
  async killAndRestart(isBusy: () => boolean): Promise<void> {
    this.endpoint = undefined;
    while (isBusy()) await delay(20);
    // A kill earlier could lose what was acknowledged, which DynamoDB on AWS does not.
    await delay((this.#running?.commitSeconds ?? 0) * 1000);
    process.kill(Number(readFileSync(join(this.#folder, 'engine.pid'), 'utf8')), 'SIGKILL');
    await this.#running?.stop();
    await this.start();
  }

  /**
   * The items of a table of a stage, by the beginning of its logical id: `Petstore-Staging-PetsTable…` is its name here. Read
   * from the engine itself, without the proxy.
   */
  async items(stage: Stage, logicalId: string): Promise<TableItem[]> {
    const client = this.#connected();
    const prefix = `Petstore-${stage[0]?.toUpperCase()}${stage.slice(1)}-${logicalId}`;
    const { TableNames = [] } = await client.send(new ListTablesCommand({}));
    const TableName = TableNames.find(table => table.startsWith(prefix));
    if (TableName === undefined) throw new Error(`There is no table ${prefix}…`);
    const pages = paginateScan({ client }, { TableName, ConsistentRead: true });
    return (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
  }

  /** A client of the engine that runs now. */
  #connected(): DynamoDBClient {
    const { endpoint = '' } = this;
    this.#client ??= new DynamoDBClient({
      endpoint,
      region: 'us-east-1',
      // That of the service: the engine separates data by access key.
      credentials: { accessKeyId: 'local', secretAccessKey: 'x' },
    });
    return this.#client;
  }

  async stop(): Promise<void> {
    this.endpoint = undefined;
    this.#client?.destroy();
    await this.#running?.stop();
  }
}
