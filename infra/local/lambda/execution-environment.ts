import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionConfiguration } from './function-configuration.ts';
import { functionEnvironment } from './function-environment.ts';
import type { DynamoDbRoute, FunctionNetwork } from './function-network.ts';
import type { InvocationResult } from './invoker.ts';
import { exitError, initTimedOut, timedOut } from './runtime-errors.ts';
import type { EnvironmentMessage, SandboxData, SandboxMessage } from './sandbox-messages.ts';

/** One invocation. */
export interface Invocation {
  readonly requestId: string;
  /** JSON text. */
  readonly event: string;
  /** Receives the lines that the function logs during the invocation, in addition to its log group. */
  readonly onLine?: (line: string) => void;
}

interface RunningInvocation extends Invocation {
  readonly resolve: (result: InvocationResult) => void;
  readonly timer: NodeJS.Timeout;
}

const RUNTIME_INTERFACE_CLIENT = new URL('./runtime-interface-client.ts', import.meta.url);

/** Lambda's limit for the initialization: the code outside the handler. */
const INIT_LIMIT_MS = 10_000;

/**
 * By default the young generation grows with the load: after 2,000 listings an environment took 66 MB, with this limit
 * 42 MB, and the processor time of a listing did not rise.
 */
const YOUNG_GENERATION_MB = 6;

/** An execution environment: a worker thread that has loaded a function's code and runs one invocation at a time. */
export class ExecutionEnvironment {
  /** The error of a failed initialization, or undefined when the environment is ready. */
  readonly initialized: Promise<InvocationResult | undefined>;
  readonly #timeoutSeconds: number;
  readonly #worker: Worker;
  readonly #log: (line: string) => void;
  readonly #dynamoDb: DynamoDbRoute | undefined;
  readonly #initTimer: NodeJS.Timeout;
  #resolveInitialized: (failure: InvocationResult | undefined) => void = () => {};
  #running: RunningInvocation | undefined;
  #unfinishedLine = '';
  #crashPayload: string | undefined;
  #isGone = false;

  constructor(configuration: FunctionConfiguration, network: FunctionNetwork, log: (line: string) => void) {
    const { patience = 1 } = network;
    const dynamoDb = network.dynamoDb?.();
    this.#dynamoDb = dynamoDb;
    const initLimitMs = patience * INIT_LIMIT_MS;
    this.#timeoutSeconds = patience * configuration.timeoutSeconds;
    this.#log = log;
    this.initialized = new Promise(resolve => {
      this.#resolveInitialized = resolve;
    });
    const date = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
    const logStreamName = `${date}/[$LATEST]${randomBytes(16).toString('hex')}`;
    const workerData: SandboxData = {
      handlerFile: configuration.handlerFile,
      handlerName: configuration.handlerName,
      dnsResolvers: network.dnsResolvers,
      edge: network.edge?.(),
      engine: dynamoDb?.engine,
      context: {
        functionName: configuration.name,
        functionVersion: '$LATEST',
        invokedFunctionArn: configuration.arn,
        memoryLimitInMB: String(configuration.memoryMb),
        logGroupName: configuration.logGroup,
        logStreamName,
      },
    };
    this.#worker = new Worker(RUNTIME_INTERFACE_CLIENT, {
      workerData,
      env: {
        ...compileCache(),
        ...functionEnvironment(configuration, logStreamName, { ...network, dynamoDb }),
      },
      argv: [],
      execArgv: [],
      name: configuration.name,
      resourceLimits: {
        maxOldGenerationSizeMb: configuration.memoryMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
      stdout: true,
      stderr: true,
    });
    this.#worker.on('message', (message: SandboxMessage) => this.#receive(message));
    // Node.js itself writes to these streams, not through the messages of the runtime interface client.
    this.#worker.stdout.setEncoding('utf8').on('data', (text: string) => this.#writeLines(text));
    this.#worker.stderr.setEncoding('utf8').on('data', (text: string) => this.#writeLines(text));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'Runtime exited with error: signal: killed'
          : error.message;
      this.#crashPayload ??= exitError(this.#running?.requestId, reason);
    });
    this.#worker.on('exit', exitCode => this.#ended(exitCode));
    this.#initTimer = setTimeout(() => {
      this.#crashPayload = initTimedOut(initLimitMs / 1000);
      this.terminate();
    }, initLimitMs);
  }

  /** Whether the environment has crashed, exited, timed out or was terminated. */
  get isGone(): boolean {
    return this.#isGone;
  }

  invoke(invocation: Invocation): Promise<InvocationResult> {
    const timeoutMs = this.#timeoutSeconds * 1000;
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#timeOut(), timeoutMs);
      this.#running = { ...invocation, resolve, timer };
      this.#send({
        kind: 'invocation',
        requestId: invocation.requestId,
        event: invocation.event,
        deadlineMs: Date.now() + timeoutMs,
      });
    });
  }

  /** Roles may have changed: what the environment was allowed is asked for again. */
  forgetDecisions(): void {
    this.#send({ kind: 'forget decisions' });
  }

  async terminate(): Promise<void> {
    this.#isGone = true;
    await this.#worker.terminate();
  }

  #send(message: EnvironmentMessage): void {
    this.#worker.postMessage(message);
  }

  #receive(message: SandboxMessage): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(this.#initTimer);
        this.#resolveInitialized(undefined);
        break;
      case 'log':
        this.#writeLines(message.text);
        break;
      case 'question': {
        const { question, accessKeyId, permissions } = message;
        this.#send({ kind: 'decision', question, denial: this.#denial(accessKeyId, permissions) });
        break;
      }
      case 'answer':
        this.#finish(
          message.failed
            ? { payload: message.payload, functionError: 'Unhandled' }
            : { payload: message.payload },
        );
        break;
      case 'crash':
        this.#isGone = true;
        this.#crashPayload = message.payload;
        break;
    }
  }

  #denial(...asked: Parameters<DynamoDbRoute['denial']>): string | undefined {
    try {
      return this.#dynamoDb?.denial(...asked);
    } catch (error) {
      // The record of the grants that were used cannot be written, for example.
      return `The permission could not be checked: ${(error as Error).message}`;
    }
  }

  #timeOut(): void {
    this.#crashPayload = timedOut(this.#running?.requestId, this.#timeoutSeconds);
    this.terminate();
  }

  #ended(exitCode: number): void {
    this.#isGone = true;
    clearTimeout(this.#initTimer);
    const reason =
      exitCode === 0
        ? 'Runtime exited without providing a reason'
        : `Runtime exited with error: exit status ${exitCode}`;
    const payload = this.#crashPayload ?? exitError(this.#running?.requestId, reason);
    this.#resolveInitialized({ payload, functionError: 'Unhandled' });
    this.#finish({ payload, functionError: 'Unhandled' });
  }

  #finish(result: InvocationResult): void {
    if (this.#unfinishedLine !== '') {
      this.#writeLines('\n');
    }
    const running = this.#running;
    this.#running = undefined;
    if (running !== undefined) {
      clearTimeout(running.timer);
      running.resolve(result);
    }
  }

  #writeLines(text: string): void {
    const lines = (this.#unfinishedLine + text).split('\n');
    this.#unfinishedLine = lines.pop() ?? '';
    for (const line of lines) {
      this.#log(line);
      this.#running?.onLine?.(line);
    }
  }
}

/**
 * Where Node.js keeps compiled code, if it does: without it every worker thread strips the types of the runtime interface
 * client anew, half of the time of its start. The function does not see the variables.
 */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE = '0' } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE };
}
