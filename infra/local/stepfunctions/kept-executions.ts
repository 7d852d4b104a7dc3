import * as z from 'zod';
import { KeptFile } from '../host/kept-file.ts';

/** How many ended executions are kept; AWS keeps them for 90 days. */
const MAX_ENDED = 200;

export const ExecutionStatus = z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']);
export type ExecutionStatus = z.output<typeof ExecutionStatus>;

/** An execution as it is described and kept. Times are in milliseconds, input and output JSON text. */
const Execution = z.strictObject({
  arn: z.string(),
  name: z.string(),
  stateMachineArn: z.string(),
  status: ExecutionStatus,
  input: z.string(),
  startMs: z.number(),
  stopMs: z.number().optional(),
  output: z.string().optional(),
  error: z.string().optional(),
  cause: z.string().optional(),
});
export type Execution = z.output<typeof Execution>;

/** The last executions that ended, in the order of their ends, among all that run; kept in a file if there is one. */
export class KeptExecutions {
  readonly #file: KeptFile<z.ZodArray<typeof Execution>>;
  readonly #byArn: Map<string, Execution>;

  constructor(path: string | undefined) {
    this.#file = new KeptFile(path, z.array(Execution));
    this.#byArn = new Map(this.#file.read()?.map(execution => [execution.arn, execution]));
  }

  get all(): Execution[] {
    return [...this.#byArn.values()];
  }

  find(arn: string): Execution | undefined {
    return this.#byArn.get(arn);
  }

  /** Adds or replaces an execution. Returns the ARNs of the ended ones that are dropped for it. */
  put(execution: Execution): string[] {
    // One that ends goes behind those that ended before it.
    this.#byArn.delete(execution.arn);
    this.#byArn.set(execution.arn, execution);
    const ended = this.all.filter(({ status }) => status !== 'RUNNING');
    const dropped = ended.slice(0, Math.max(0, ended.length - MAX_ENDED)).map(({ arn }) => arn);
    for (const arn of dropped) {
      this.#byArn.delete(arn);
    }
    this.#file.keep(this.all);
    return dropped;
  }
}
