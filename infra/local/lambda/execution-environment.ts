/**
 * An execution environment of a function: a worker thread (runtime-interface-client.ts) that has loaded the function's code
 * and runs one invocation at a time.
 */
import { randomBytes } from 'node:crypto';
import { parse } from 'node:path';
import { Worker } from 'node:worker_threads';
import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { type AccessKey, sessionCredentials } from '../iam/principal.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import { exitError, functionError, type InvocationResult, initTimedOut, timedOut } from './invocation.ts';

/** The servers that a function can reach. */
export interface FunctionNetwork {
  readonly awsEndpoint: string;
  /** The developer's, from which the credentials of functions are derived. */
  readonly accessKey: AccessKey;
  /** DynamoDB, if it is elsewhere. */
  readonly dynamoDbEndpoint?: string;
  /** The two resolvers that take the place of public ones, for example 127.0.0.1:5353. */
  readonly dnsResolvers: readonly [string, string];
  /** Undefined until the edge has started. */
  edge?(): EdgeRoute | undefined;
  /** Multiplies the waits of AWS. Functions have it as WAIT_SCALE unless it is 1, as it is on AWS. */
  readonly waitScale?: number;
  /** Multiplies time-outs, for busy machines. */
  readonly patience?: number;
  /** Variables of every function, which override its own. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The edge, which serves port 443 of this machine, and the certificate of the authority that signed its own. */
export interface EdgeRoute {
  readonly port: number;
  readonly authority: string;
}

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

/** The data that the worker thread is started with. */
export interface SandboxData {
  readonly handlerFile: string;
  /** The name of the exported handler. */
  readonly handlerName: string;
  readonly dnsResolvers: FunctionNetwork['dnsResolvers'];
  readonly edge: EdgeRoute | undefined;
  /** The part of the context object that is the same for every invocation. */
  readonly context: {
    readonly functionName: string;
    readonly functionVersion: string;
    readonly invokedFunctionArn: string;
    readonly memoryLimitInMB: string;
    readonly logGroupName: string;
    readonly logStreamName: string;
  };
}

/** An invocation, sent to the worker thread. The event is JSON text, which is copied fastest. */
export interface InvocationMessage {
  readonly requestId: string;
  readonly event: string;
  /** When the invocation times out, in milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** A message of the worker thread. Payloads are JSON text. */
export type SandboxMessage =
  | { readonly kind: 'ready' }
  /** The handler returned or threw. */
  | { readonly kind: 'response'; readonly payload: string; readonly failed: boolean }
  /** The thread ends: it could not be initialized, or an error was thrown outside of the handler. */
  | { readonly kind: 'crash'; readonly payload: string };

const RUNTIME_INTERFACE_CLIENT = new URL('./runtime-interface-client.ts', import.meta.url);

/** Lambda's limit for the initialization: the code outside the handler. */
const INIT_LIMIT_MS = 10_000;

/**
 * By default the young generation grows with the load: after 2,000 listings an environment took 66 MB, with this limit
 * 42 MB, and the processor time of a listing did not rise.
 */
const YOUNG_GENERATION_MB = 6;

export class ExecutionEnvironment {
  /** The error of a failed initialization, or undefined when the environment is ready. */
  readonly initialized: Promise<InvocationResult | undefined>;
  readonly #timeoutSeconds: number;
  readonly #worker: Worker;
  readonly #log: (line: string) => void;
  readonly #initTimer: NodeJS.Timeout;
  #resolveInitialized: (failure: InvocationResult | undefined) => void = () => {};
  #running: RunningInvocation | undefined;
  #unfinishedLine = '';
  #crash: InvocationResult | undefined;
  #isGone = false;

  constructor(configuration: FunctionConfiguration, network: FunctionNetwork, log: (line: string) => void) {
    const { patience = 1 } = network;
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
      env: { ...compileCache(), ...functionEnvironment(configuration, logStreamName, network) },
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
    this.#worker.stdout.setEncoding('utf8').on('data', (text: string) => this.#writeLines(text));
    this.#worker.stderr.setEncoding('utf8').on('data', (text: string) => this.#writeLines(text));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'Runtime exited with error: signal: killed'
          : error.message;
      this.#crash ??= exitError(this.#running?.requestId, reason);
    });
    this.#worker.on('exit', exitCode => this.#ended(exitCode));
    this.#initTimer = setTimeout(() => {
      this.#crash = initTimedOut(initLimitMs / 1000);
      this.terminate();
    }, initLimitMs);
  }

  /** Whether the environment has crashed, exited, timed out or was terminated. */
  get isGone(): boolean {
    return this.#isGone;
  }

  invoke(invocation: Invocation): Promise<InvocationResult> {
    const { requestId, event } = invocation;
    const timeoutMs = this.#timeoutSeconds * 1000;
    return new Promise(resolve => {
      const timer = setTimeout(() => this.#timeOut(), timeoutMs);
      this.#running = { ...invocation, resolve, timer };
      const message: InvocationMessage = { requestId, event, deadlineMs: Date.now() + timeoutMs };
      this.#worker.postMessage(message);
    });
  }

  async terminate(): Promise<void> {
    this.#isGone = true;
    await this.#worker.terminate();
  }

  #receive(message: SandboxMessage): void {
    switch (message.kind) {
      case 'ready':
        clearTimeout(this.#initTimer);
        this.#resolveInitialized(undefined);
        break;
      case 'response':
        this.#finish(message.failed ? functionError(message.payload) : { payload: message.payload });
        break;
      case 'crash':
        this.#isGone = true;
        this.#crash = functionError(message.payload);
        break;
      default:
        message satisfies never;
    }
  }

  #timeOut(): void {
    this.#crash = timedOut(this.#running?.requestId, this.#timeoutSeconds);
    this.terminate();
  }

  #ended(exitCode: number): void {
    this.#isGone = true;
    clearTimeout(this.#initTimer);
    const reason =
      exitCode === 0
        ? 'Runtime exited without providing a reason'
        : `Runtime exited with error: exit status ${exitCode}`;
    const failure = this.#crash ?? exitError(this.#running?.requestId, reason);
    this.#resolveInitialized(failure);
    this.#finish(failure);
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
 * Where Node.js caches compiled code, if it does: otherwise every worker thread strips the types of the runtime interface
 * client again, which takes half of the time of its start. The function does not see the variables.
 */
function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE = '0' } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE };
}

/** A file that does not exist, for settings whose default is a file of the developer. */
const NO_FILE = '/nonexistent/aws';

/** The environment variables of a function: its own and those of Lambda, none of this process. */
export function functionEnvironment(
  configuration: FunctionConfiguration,
  logStreamName: string,
  network: Pick<
    FunctionNetwork,
    'awsEndpoint' | 'accessKey' | 'dynamoDbEndpoint' | 'waitScale' | 'variables'
  >,
): Record<string, string> {
  const { awsEndpoint, dynamoDbEndpoint = awsEndpoint, waitScale = 1, variables } = network;
  const { dir, name: fileName } = parse(configuration.handlerFile);
  const { accessKeyId, secretAccessKey, sessionToken } = sessionCredentials(
    configuration.arn,
    network.accessKey,
  );
  return {
    ...configuration.environment,
    ...variables,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_CONFIG_FILE: NO_FILE,
    AWS_DEFAULT_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: awsEndpoint,
    ...(dynamoDbEndpoint !== awsEndpoint && { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint }),
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(configuration.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: configuration.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: configuration.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    AWS_REGION: REGION,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_SHARED_CREDENTIALS_FILE: NO_FILE,
    LAMBDA_TASK_ROOT: dir,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...(waitScale !== 1 && { WAIT_SCALE: String(waitScale) }),
    _HANDLER: `${fileName}.${configuration.handlerName}`,
  };
}
