import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const FOLDER = resolve(import.meta.dirname, '../../.github/workflows');

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'continue-on-error'?: unknown;
}

interface Concurrency {
  readonly group: string;
  readonly 'cancel-in-progress': unknown;
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  /** A job that calls another workflow has this instead of steps. */
  readonly uses?: string;
  readonly 'runs-on'?: string;
  readonly 'timeout-minutes'?: number;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly 'continue-on-error'?: unknown;
}

/** A workflow, and the text that it was parsed from: the parser drops comments. */
export interface Workflow {
  readonly text: string;
  readonly on: Readonly<Record<string, { readonly branches?: readonly string[] } | null>>;
  readonly permissions?: unknown;
  readonly concurrency?: Concurrency;
  readonly jobs: Readonly<Record<string, Job>>;
}

export function parseWorkflow(text: string): Workflow {
  return { ...parse(text), text };
}

/** The workflows of the project by file name. */
export function workflows(): Map<string, Workflow> {
  const files = readdirSync(FOLDER).filter(name => /\.ya?ml$/.test(name));
  return new Map(files.map(name => [name, parseWorkflow(readFileSync(resolve(FOLDER, name), 'utf8'))]));
}

/** An expression as a workflow writes it. */
export const expression = (text: string) => `\${{ ${text} }}`;

export const stepsOf = ({ steps = [] }: Job) => steps;
