import type { LocalAwsError } from '../host/local-aws-error.ts';

/** The engines that can be started, by the name that `--engine` takes. */
export const ENGINE_NAMES = ['dynoxide', 'dynamodb-local'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Where an engine listens, and where it keeps its data; in memory without a folder. */
export interface EnginePlace {
  readonly host: string;
  readonly port: number;
  readonly databaseFolder: string | undefined;
  /** A folder of this run, which is removed after it. */
  readonly temporaryFolder: string;
}

/** A program that is a DynamoDB engine. */
export interface EngineProgram {
  readonly title: string;
  /** What to do before it can run here; undefined where it can, as far as can be known without starting it. */
  missing(): string | undefined;
  /** The file that only this engine has in a database folder. */
  readonly mark: string;
  /** The access key under which the engine has the data. */
  accessKeyId(databaseFolder: string | undefined): string;
  /** An address of this machine to listen on. */
  host(): string;
  command(place: EnginePlace): { readonly folder: string; readonly command: readonly string[] };
  /**
   * What it writes when it is ready. An open port is not enough: another process may have taken the port before the
   * engine did.
   */
  readonly readyLine: RegExp;
  /** What it writes when another process has its port. */
  readonly portTaken: RegExp;
  /** How long after its response a write may still be lost by a kill. */
  readonly commitSeconds: number;
  /** The error for one that ended before it was ready, where more is known than what it wrote. */
  startError?(exitCode: number | null, output: string): LocalAwsError | undefined;
}
