import { availableParallelism } from 'node:os';
import { ExecutionEnvironment, type Invocation } from './execution-environment.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import type { FunctionNetwork } from './function-network.ts';
import type { InvocationResult } from './invoker.ts';
import { LambdaError } from './lambda-error.ts';
import { responseTooLarge } from './runtime-errors.ts';

interface WaitingInvocation extends Invocation {
  readonly resolve: (result: InvocationResult) => void;
  readonly reject: (error: Error) => void;
  timer?: NodeJS.Timeout;
}

/** AWS allows a function 1,000 concurrent executions. Here each takes 30 MB. */
const DEFAULT_CONCURRENCY = 10;
const IDLE_LIMIT_MS = 5 * 60_000;
/** Longer than a burst takes, shorter than API Gateway's 29 s. */
const QUEUE_LIMIT_MS = 10_000;

/** The execution environments of one function, which are started on demand and kept while they are in use. */
export class FunctionPool {
  #configuration: FunctionConfiguration;
  readonly #network: FunctionNetwork;
  readonly #log: (line: string) => void;
  readonly #environments = new Set<ExecutionEnvironment>();
  /** The idle environments with the timers that end them. The last used one is used next. */
  readonly #idle: { environment: ExecutionEnvironment; timer: NodeJS.Timeout }[] = [];
  readonly #queue: WaitingInvocation[] = [];
  #starting = 0;
  #running = 0;
  #isRetired = false;

  constructor(configuration: FunctionConfiguration, network: FunctionNetwork, log: (line: string) => void) {
    this.#configuration = configuration;
    this.#network = network;
    this.#log = log;
  }

  get configuration(): FunctionConfiguration {
    return this.#configuration;
  }

  /** The same function in a new assembly: environments that are started from now on load the code from there. */
  moveTo(configuration: FunctionConfiguration): void {
    this.#configuration = configuration;
  }

  invoke(invocation: Invocation): Promise<InvocationResult> {
    const { name, reservedConcurrency } = this.#configuration;
    const reservedIsUsedUp =
      reservedConcurrency !== undefined && this.#running + this.#queue.length >= reservedConcurrency;
    if (reservedIsUsedUp) {
      return Promise.reject(new LambdaError('TooManyRequestsException', 'Rate Exceeded.'));
    }
    return new Promise((resolve, reject) => {
      const waiting: WaitingInvocation = { ...invocation, resolve, reject };
      const environment = this.#takeIdle();
      if (environment !== undefined) {
        this.#run(environment, waiting);
        return;
      }
      this.#queue.push(waiting);
      waiting.timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(new LambdaError('TooManyRequestsException', `${name} is busy: Rate Exceeded.`));
      }, QUEUE_LIMIT_MS).unref();
      this.#startIfNeeded();
    });
  }

  /** Takes no further invocations, but finishes those it has. */
  retire(): void {
    this.#isRetired = true;
    for (const { environment, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      this.#end(environment);
    }
  }

  async stop(): Promise<void> {
    this.retire();
    for (const { reject, timer } of this.#queue.splice(0)) {
      clearTimeout(timer);
      reject(new LambdaError('ServiceException', 'Lambda is stopping.'));
    }
    await Promise.all([...this.#environments].map(environment => environment.terminate()));
  }

  #takeIdle(): ExecutionEnvironment | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.environment.isGone) {
        return idle.environment;
      }
      // The environment crashed while idle: the function left something running.
      this.#environments.delete(idle.environment);
    }
    return undefined;
  }

  /** Starts at most one environment per processor at the same time: more would slow each other down. */
  #startIfNeeded(): void {
    const limit = this.#configuration.reservedConcurrency ?? DEFAULT_CONCURRENCY;
    while (
      this.#starting < Math.min(this.#queue.length, availableParallelism()) &&
      this.#environments.size < limit
    ) {
      this.#start();
    }
  }

  async #start(): Promise<void> {
    this.#starting++;
    const environment = new ExecutionEnvironment(this.#configuration, this.#network, this.#log);
    this.#environments.add(environment);
    const failure = await environment.initialized;
    this.#starting--;
    if (failure === undefined) {
      this.#release(environment);
      return;
    }
    this.#environments.delete(environment);
    const waiting = this.#next();
    waiting?.resolve(failure);
    this.#startIfNeeded();
  }

  async #run(environment: ExecutionEnvironment, waiting: WaitingInvocation): Promise<void> {
    this.#running++;
    const result = await environment.invoke(waiting);
    this.#running--;
    const tooLarge = responseTooLarge(result.payload);
    waiting.resolve(tooLarge === undefined ? result : { payload: tooLarge, functionError: 'Unhandled' });
    this.#release(environment);
  }

  #release(environment: ExecutionEnvironment): void {
    if (environment.isGone) {
      this.#environments.delete(environment);
      this.#startIfNeeded();
      return;
    }
    const waiting = this.#next();
    if (waiting !== undefined) {
      this.#run(environment, waiting);
    } else if (this.#isRetired) {
      this.#end(environment);
    } else {
      const timer = setTimeout(() => this.#endIdle(environment), IDLE_LIMIT_MS).unref();
      this.#idle.push({ environment, timer });
    }
  }

  #next(): WaitingInvocation | undefined {
    const waiting = this.#queue.shift();
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #endIdle(environment: ExecutionEnvironment): void {
    const index = this.#idle.findIndex(idle => idle.environment === environment);
    if (index >= 0) {
      this.#idle.splice(index, 1);
      this.#end(environment);
    }
  }

  #end(environment: ExecutionEnvironment): void {
    this.#environments.delete(environment);
    environment.terminate();
  }
}
