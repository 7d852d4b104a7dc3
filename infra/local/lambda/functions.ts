import { randomUUID } from 'node:crypto';
import type { LogGroups } from '../logs/log-groups.ts';
import type { FunctionNetwork } from './execution-environment.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import { EnvironmentSlots, FunctionPool } from './function-pool.ts';
import { type InvocationResult, type InvokeFunction, LambdaError } from './invocation.ts';
import type { IsPermitted } from './permissions.ts';

interface DeployedFunction {
  readonly pool: FunctionPool;
  readonly log: FunctionLog;
}

/** Takes one-line messages for the person at the terminal; of a function that failed, also the type of its error. */
export type Report = (line: string, errorType?: string) => void;

interface FunctionsOptions extends FunctionNetwork {
  readonly logGroups: LogGroups;
  report: Report;
}

/** Lambda's limit for the event of a synchronous invocation. */
export const REQUEST_LIMIT_BYTES = 6_291_456;

/** The deployed functions. */
export class LambdaFunctions {
  readonly #options: FunctionsOptions;
  #functions: ReadonlyMap<string, DeployedFunction> = new Map();
  readonly #retired = new Set<FunctionPool>();
  readonly #slots = new EnvironmentSlots();
  readonly #errors = new Map<string, number>();
  #isPermitted: IsPermitted = () => false;
  #isStopping = false;

  constructor(options: FunctionsOptions) {
    this.#options = options;
  }

  /** Lambda's metric Errors: how many invocations of a function threw, timed out or crashed, by its name. */
  get errors(): ReadonlyMap<string, number> {
    return this.#errors;
  }

  /** Replaces the deployed functions. Unchanged ones keep running; the others finish their invocations. */
  deploy(configurations: readonly FunctionConfiguration[], isPermitted: IsPermitted): void {
    const previous = this.#functions;
    this.#functions = new Map(
      configurations.map(configuration => {
        const unchanged = previous.get(configuration.arn);
        if (unchanged?.pool.configuration.fingerprint === configuration.fingerprint) {
          unchanged.pool.moveTo(configuration);
          return [configuration.arn, unchanged];
        }
        return [configuration.arn, this.#create(configuration)];
      }),
    );
    this.#isPermitted = isPermitted;
    for (const [arn, { pool }] of previous) {
      if (this.#functions.get(arn)?.pool !== pool) {
        pool.retire();
        this.#retired.add(pool);
      }
    }
  }

  /** Invokes a function for a service if a permission allows it. */
  readonly invokeForService: InvokeFunction = async (functionArn, event, caller) => {
    if (this.#functions.has(functionArn) && !this.#isPermitted(functionArn, caller)) {
      throw new LambdaError(
        'AccessDeniedException',
        `No permission allows ${caller.principal} to invoke ${functionArn} for ${caller.sourceArn}`,
      );
    }
    return this.invoke(functionArn, JSON.stringify(event) ?? 'null');
  };

  /** Invokes a function. The event is JSON text. */
  async invoke(
    functionArn: string,
    event: string,
    { requestId = randomUUID(), onLine }: { requestId?: string; onLine?: (line: string) => void } = {},
  ): Promise<InvocationResult> {
    const { pool, log } = this.deployed(functionArn);
    // A character has at most three bytes, so most events need not be counted.
    if (event.length * 3 > REQUEST_LIMIT_BYTES && Buffer.byteLength(event) > REQUEST_LIMIT_BYTES) {
      throw new LambdaError(
        'RequestTooLargeException',
        `Request must be smaller than ${REQUEST_LIMIT_BYTES} bytes for the InvokeFunction operation`,
      );
    }
    const result = await pool.invoke({ requestId, event, ...(onLine && { onLine }) });
    // A function that is interrupted by the end of the runtime has not failed.
    if (result.functionError !== undefined && !this.#isStopping) {
      const { name } = pool.configuration;
      this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1);
      log.functionError(requestId, result);
    }
    return { ...result, requestId };
  }

  /** Throws ResourceNotFoundException when there is no such function. */
  deployed(functionArn: string): DeployedFunction {
    const deployed = this.#functions.get(functionArn);
    if (deployed === undefined) {
      throw new LambdaError('ResourceNotFoundException', `Function not found: ${functionArn}`);
    }
    return deployed;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const pools = [...this.#functions.values()].map(({ pool }) => pool);
    await Promise.all([...pools, ...this.#retired].map(pool => pool.stop()));
  }

  #create(configuration: FunctionConfiguration): DeployedFunction {
    const { logGroups, report, ...network } = this.#options;
    const log = functionLog(configuration, logGroups, report);
    return { pool: new FunctionPool(configuration, network, log.line, this.#slots), log };
  }
}

/** The log of a function: each line goes to its log group, and errors also to the terminal, in short. */
interface FunctionLog {
  line(text: string): void;
  /** Logs the error of a failed invocation, as Lambda does. */
  functionError(requestId: string, result: InvocationResult): void;
}

const REPORT_LENGTH = 300;

function functionLog(
  { name, logGroup }: FunctionConfiguration,
  logGroups: LogGroups,
  report: Report,
): FunctionLog {
  const reportShortly = (text: string, errorType?: string) =>
    report(`${name}: ${text.replace(/\s+/g, ' ').slice(0, REPORT_LENGTH)}`, errorType);
  return {
    line: text => {
      logGroups.write(logGroup, text);
      const message = errorMessage(text);
      if (message !== undefined) {
        reportShortly(message);
      }
    },
    functionError: (requestId, { payload }) => {
      const message: { errorType?: string; errorMessage?: string } = JSON.parse(payload);
      const timestamp = new Date().toISOString();
      logGroups.write(logGroup, JSON.stringify({ timestamp, level: 'ERROR', requestId, message }));
      reportShortly(`${message.errorType}: ${message.errorMessage}`, message.errorType);
    },
  };
}

/** The message of a line that is JSON with level ERROR or FATAL. */
function errorMessage(line: string): string | undefined {
  if (!/^\{.*"level":\s*"(ERROR|FATAL)"/.test(line)) {
    return undefined;
  }
  try {
    const { level, message, msg, error } = JSON.parse(line);
    const content = message ?? msg ?? line;
    const cause = typeof error?.message === 'string' ? ` (${error.message})` : '';
    return `${level} ${typeof content === 'string' ? content : JSON.stringify(content)}${cause}`;
  } catch {
    return undefined;
  }
}
