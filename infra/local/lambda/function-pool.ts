import { availableParallelism } from 'node:os';
import { ExecutionEnvironment, type FunctionNetwork, type Invocation } from './execution-environment.ts';
import type { FunctionConfiguration } from './function-configuration.ts';
import { type InvocationResult, LambdaError, withinResponseLimit } from './invocation.ts';

interface WaitingInvocation extends Invocation {
  readonly resolve: (result: InvocationResult) => void;
  readonly reject: (error: Error) => void;
  timer?: NodeJS.Timeout;
}

/** AWS allows a function 1,000 concurrent executions. */
const DEFAULT_CONCURRENCY = 10;
/** Below the period of the scheduled functions: between two runs their environments would only take memory. */
const IDLE_LIMIT_MS = 60_000;
/** Longer than a burst of thousands takes, shorter than API Gateway's 29 s; the patience multiplies both. */
const QUEUE_LIMIT_MS = 25_000;
/** Shorter than the queue's limit, so that an invocation in the queue of another function can still get the slot. */
const SHARED_IDLE_LIMIT_MS = 5000;

/** The execution environments of one function, which are started on demand and kept while they are in use. */
export class FunctionPool implements SlotHolder {
  #configuration: FunctionConfiguration;
  readonly #network: FunctionNetwork;
  readonly #log: (line: string) => void;
  readonly #slots: EnvironmentSlots;
  readonly #environments = new Set<ExecutionEnvironment>();
  /** The idle environments with the timers that end them. The last used one is used next. */
  readonly #idle: { environment: ExecutionEnvironment; timer: NodeJS.Timeout }[] = [];
  readonly #queue: WaitingInvocation[] = [];
  #starting = 0;
  #running = 0;
  #isRetired = false;

  constructor(
    configuration: FunctionConfiguration,
    network: FunctionNetwork,
    log: (line: string) => void,
    slots: EnvironmentSlots,
  ) {
    this.#configuration = configuration;
    this.#network = network;
    this.#log = log;
    this.#slots = slots;
  }

  get environmentCount(): number {
    return this.#environments.size;
  }

  get configuration(): FunctionConfiguration {
    return this.#configuration;
  }

  /** Replaces the function's code by that of a new assembly, which further environments load. */
  moveTo(configuration: FunctionConfiguration): void {
    this.#configuration = configuration;
  }

  invoke(invocation: Invocation): Promise<InvocationResult> {
    const { name, reservedConcurrency } = this.#configuration;
    const { patience = 1 } = this.#network;
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
      }, patience * QUEUE_LIMIT_MS).unref();
      this.startIfNeeded();
    });
  }

  /** Accepts no further invocations, but finishes those it has. */
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
      this.#forget(idle.environment);
    }
    return undefined;
  }

  /** Starts at most one environment per processor at the same time: more would slow each other down. */
  startIfNeeded(): void {
    const limit = this.#configuration.reservedConcurrency ?? DEFAULT_CONCURRENCY;
    while (
      this.#starting < Math.min(this.#queue.length, availableParallelism()) &&
      this.#environments.size < limit &&
      this.#slots.take(this)
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
      // Further invocations may still need one.
      this.startIfNeeded();
      return;
    }
    this.#forget(environment);
    const waiting = this.#next();
    waiting?.resolve(failure);
    this.startIfNeeded();
  }

  async #run(environment: ExecutionEnvironment, waiting: WaitingInvocation): Promise<void> {
    this.#running++;
    const result = await environment.invoke(waiting);
    this.#running--;
    waiting.resolve(withinResponseLimit(result));
    this.#release(environment);
  }

  #release(environment: ExecutionEnvironment): void {
    if (environment.isGone) {
      this.#forget(environment);
      this.startIfNeeded();
      return;
    }
    const waiting = this.#next();
    if (waiting !== undefined) {
      this.#run(environment, waiting);
    } else if (this.#isRetired) {
      this.#end(environment);
    } else {
      this.#keepIdle(environment);
    }
  }

  #next(): WaitingInvocation | undefined {
    const waiting = this.#queue.shift();
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #keepIdle(environment: ExecutionEnvironment): void {
    const limitMs = this.#environments.size > OWN_SLOTS ? SHARED_IDLE_LIMIT_MS : IDLE_LIMIT_MS;
    const timer = setTimeout(() => this.#idleTooLong(environment, limitMs), limitMs).unref();
    this.#idle.push({ environment, timer });
  }

  /** Ends an idle environment, unless the environment in the shared slot has ended meanwhile and this one has its own. */
  #idleTooLong(environment: ExecutionEnvironment, limitMs: number): void {
    this.#idle.splice(
      this.#idle.findIndex(idle => idle.environment === environment),
      1,
    );
    if (limitMs === SHARED_IDLE_LIMIT_MS && this.#environments.size <= OWN_SLOTS) this.#keepIdle(environment);
    else this.#end(environment);
  }

  #end(environment: ExecutionEnvironment): void {
    environment.terminate();
    this.#forget(environment);
  }

  #forget(environment: ExecutionEnvironment): void {
    this.#environments.delete(environment);
    this.#slots.giveBack(this);
  }
}

/** The slots of each function, so that no function can block another one. */
export const OWN_SLOTS = 2;
export const SHARED_SLOTS = 4;

/** The environments of one function. */
export interface SlotHolder {
  readonly environmentCount: number;
  /** Starts the environments that are needed, if there are slots for them. */
  startIfNeeded(): void;
}

/**
 * Limits the execution environments of all functions together. Each one takes up to 40 MB, and two of each function keep
 * the processors of one machine busy: more of them help only functions that wait, for example for a silent name server.
 * So every function has two slots of its own, and all functions share some more.
 */
export class EnvironmentSlots {
  readonly #waiting = new Set<SlotHolder>();
  #sharedTaken = 0;

  /** Takes a slot for one more environment. Without a free one, the holder is called as soon as there is one. */
  take(holder: SlotHolder): boolean {
    if (holder.environmentCount < OWN_SLOTS) return true;
    if (this.#sharedTaken >= SHARED_SLOTS) {
      this.#waiting.add(holder);
      return false;
    }
    this.#sharedTaken++;
    return true;
  }

  /** Gives back the slot of an environment that has ended. The holder no longer counts it. */
  giveBack(holder: SlotHolder): void {
    if (holder.environmentCount < OWN_SLOTS) return;
    this.#sharedTaken--;
    for (const next of [...this.#waiting]) {
      if (this.#sharedTaken >= SHARED_SLOTS) return;
      // It is added again, behind the others, if it needs more than it gets.
      this.#waiting.delete(next);
      next.startIfNeeded();
    }
  }
}
