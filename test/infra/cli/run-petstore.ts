import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const LAUNCHER = resolve(import.meta.dirname, '../../../infra/bin/petstore');

/** A home directory without AWS settings. It is the working directory too, which so is not the checkout. */
export const EMPTY_HOME = mkdtempSync(join(tmpdir(), 'petstore-home-'));

export interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

type Environment = Readonly<Record<string, string>>;

function environmentWith(environment: Environment): Environment {
  return {
    PATH: process.env.PATH ?? '',
    HOME: EMPTY_HOME,
    // Otherwise the SDK looks for the credentials of a virtual machine in the network.
    AWS_EC2_METADATA_DISABLED: 'true',
    PETSTORE_RUNNING_FILE: join(EMPTY_HOME, 'running.json'),
    ...environment,
  };
}

/** What follows `petstore`; words if one of them has a space in it. */
export type Line = string | readonly string[];

export const wordsOf = (line: Line) => (typeof line === 'string' ? line.split(' ') : line);

/** Nothing, if the command only says that the service takes seconds to respond: on a busy machine that is no fault. */
export function withoutPatience(stderr: string): string {
  return stderr === 'Waiting for the service to respond …\n' ? '' : stderr;
}

/** Runs the real command without a terminal. */
export async function petstore(line: Line, environment: Environment = {}): Promise<Run> {
  const child = spawn(LAUNCHER, wordsOf(line), {
    cwd: EMPTY_HOME,
    env: environmentWith(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  const [exitCode] = await once(child, 'close');
  return { stdout, stderr: withoutPatience(stderr), exitCode };
}

/** Runs the real command in a terminal, by script(1), and types an answer as soon as it asks. */
export function petstoreInTerminal(
  line: Line,
  environment: Environment,
  typed = '',
  size: TerminalSize = DEFAULT_SIZE,
): Promise<TerminalRun> {
  return inTerminal(line, environment, [['[y/N] ', typed]], size);
}

/** Runs the real command in a terminal and types Ctrl-C as soon as a text appears. */
export function interruptedInTerminal(
  line: Line,
  environment: Environment,
  text: string,
): Promise<TerminalRun> {
  return inTerminal(line, environment, [[text, '\x03']]);
}

interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const DEFAULT_SIZE: TerminalSize = { columns: 140, rows: 24 };

export interface TerminalRun {
  readonly screen: string;
  readonly exitCode: number | null;
}

/** What is typed once the screen shows a text and, if one is given, an event has come. */
type Typing = readonly (readonly [awaited: string, typed: string, event?: Promise<unknown>])[];

export async function inTerminal(
  line: Line,
  environment: Environment,
  typing: Typing,
  { columns, rows }: TerminalSize = DEFAULT_SIZE,
): Promise<TerminalRun> {
  const quoted = [LAUNCHER, ...wordsOf(line)].map(word => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows ${rows}; ${quoted}`, '/dev/null'], {
    cwd: EMPTY_HOME,
    env: environmentWith({ TERM: 'xterm', SHELL: '/bin/sh', ...environment }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  const left = [...typing];
  child.stdout.setEncoding('utf8').on('data', text => {
    screen += text;
    const [[awaited, typed, event] = [undefined, '']] = left;
    if (awaited === undefined || !screen.includes(awaited)) return;
    left.shift();
    void Promise.resolve(event).then(() => child.stdin.write(typed));
  });
  const [exitCode] = await once(child, 'close');
  return { screen: screen.replaceAll('\r\n', '\n'), exitCode };
}
