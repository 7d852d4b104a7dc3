import { randomBytes } from 'node:crypto';
import { parse } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Permission } from '../aws-api/operation.ts';
import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { sessionCredentials } from '../iam/principal.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import { exitError, type InvocationResult, initTimedOut, timedOut } from './invocation.ts';

/** The edge, which answers at port 443 of this machine, and the certificate of the authority that signed its own. */
export interface EdgeRoute {
  readonly port: number;
  readonly authority: string;
}

/** The engine of DynamoDB, which functions call themselves, with their requests checked (dynamodb-guard.ts). */
export interface DynamoDbRoute {
  /** Such as http://127.0.0.1:8000. */
  readonly engine: string;
  /** AWS's message why the role of an access key lacks one of the permissions; undefined when it has them. */
  denial(accessKeyId: string, permissions: readonly Permission[]): string | undefined;
}

/** The servers that a function can reach. */
export interface FunctionNetwork {
  readonly awsEndpoint: string;
  /** DynamoDB, where that is elsewhere. */
  readonly dynamoDbEndpoint?: string;
  /** Undefined where functions cannot be guarded who call the engine: they then call DynamoDB at its endpoint. */
  dynamoDb?(): DynamoDbRoute | undefined;
  /** The addresses of the two resolvers that take the place of public ones, for example 127.0.0.1:5353. */
  readonly dnsResolvers: readonly [string, string];
  /** Undefined until the edge has started. */
  edge?(): EdgeRoute | undefined;
  /** What the waits of AWS are multiplied by. Functions have it as WAIT_SCALE unless it is 1, as it is on AWS. */
  readonly waitScale?: number;
  /**
   * What time-outs are multiplied by where a processor is shared with much else. Functions have it as DYNAMODB_PATIENCE
   * unless it is 1, as it is on AWS.
   */
  readonly patience?: number;
}

/** The data that an execution environment is started with. */
export interface SandboxData {
  readonly handlerFile: string;
  /** The name of the exported handler. */
  readonly handlerName: string;
  /** The addresses of the two DNS resolvers, for example 127.0.0.1:5353. */
  readonly dnsResolvers: readonly [string, string];
  readonly edge: EdgeRoute | undefined;
  /** The origin of DynamoDB's engine, if the function calls it itself. */
  readonly engine: string | undefined;
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

/** An invocation, sent to the execution environment. The event is JSON text, which is copied fastest. */
export interface InvocationMessage {
  readonly kind: 'invocation';
  readonly requestId: string;
  readonly event: string;
  /** When the invocation times out, in milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** A message to the execution environment. */
export type EnvironmentMessage =
  | InvocationMessage
  /** The answer to a question: AWS's message if something is denied. */
  | { readonly kind: 'decision'; readonly question: number; readonly denial: string | undefined }
  /** Something was deployed: roles may have changed. */
  | { readonly kind: 'forget decisions' };

/** Asks whether a request to DynamoDB's engine is allowed. */
export interface PermissionQuestion {
  readonly question: number;
  readonly accessKeyId: string;
  readonly permissions: readonly Permission[];
}

/** A message of the execution environment. */
export type SandboxMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly text: string }
  | ({ readonly kind: 'question' } & PermissionQuestion)
  /** The handler answered or threw. The payload is JSON text. */
  | { readonly kind: 'answer'; readonly payload: string; readonly failed: boolean }
  /** The environment ends: it could not be initialized, or an error was thrown outside of the handler. */
  | { readonly kind: 'crash'; readonly payload: string };

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

/** A file that does not exist, for settings whose default is a file of the developer. */
const NO_FILE = '/nonexistent/aws';

/** The environment variables of a function: its own and those of Lambda, none of this process. */
export function functionEnvironment(
  configuration: FunctionConfiguration,
  logStreamName: string,
  {
    awsEndpoint,
    dynamoDbEndpoint = awsEndpoint,
    dynamoDb,
    waitScale = 1,
    patience = 1,
  }: Pick<FunctionNetwork, 'awsEndpoint' | 'dynamoDbEndpoint' | 'waitScale' | 'patience'> & {
    readonly dynamoDb?: Pick<DynamoDbRoute, 'engine'> | undefined;
  },
): Record<string, string> {
  const { dir, name: fileName } = parse(configuration.handlerFile);
  const dynamoDbUrl = dynamoDb?.engine ?? dynamoDbEndpoint;
  const { accessKeyId, secretAccessKey, sessionToken } = sessionCredentials(configuration.arn);
  return {
    ...configuration.environment,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_CONFIG_FILE: NO_FILE,
    AWS_DEFAULT_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: awsEndpoint,
    ...(dynamoDbUrl !== awsEndpoint && { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbUrl }),
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
    ...(patience !== 1 && { DYNAMODB_PATIENCE: String(patience) }),
    LAMBDA_TASK_ROOT: dir,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...(waitScale !== 1 && { WAIT_SCALE: String(waitScale) }),
    _HANDLER: `${fileName}.${configuration.handlerName}`,
  };
}
