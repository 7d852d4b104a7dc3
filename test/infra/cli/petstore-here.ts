import { join } from 'node:path';
import { vi } from 'vitest';
import { type Answer, startOperatorStandIn } from '../operator/operator-stand-in.ts';
import { EMPTY_HOME, type Line, type Run, withoutPatience, wordsOf } from './run-petstore.ts';

type Environment = Readonly<Record<string, string>>;

let latest: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in this process, which takes a hundredth of the time that a process of its own takes. Commands of
 * concurrent tests run one after another, because what the process prints is captured. With columns, standard output and
 * standard error are a terminal of that width.
 */
export function petstoreHere(line: Line, environment: Environment = {}, columns?: number): Promise<Run> {
  const run = latest.then(() => runHere(wordsOf(line), environment, columns));
  latest = run.catch(() => {});
  return run;
}

/** Runs a command whose operator function has these answers, in turn. `sent` are the payloads that it got. */
export async function answered(line: Line, ...answers: Answer[]) {
  const { environment, invocations } = await startOperatorStandIn(...answers);
  const run = await petstoreHere(line, environment);
  return { ...run, invocations, sent: invocations.map(({ payload }) => payload) };
}

async function runHere(
  words: readonly string[],
  environment: Environment,
  columns: number | undefined,
): Promise<Run> {
  const { runCommandLine } = await import('../../../infra/cli/framework/run-command-line.ts');
  const { petstoreProgram } = await import('../../../infra/bin/petstore-program.ts');
  const variables: Record<string, string | undefined> = {
    // As in a process of its own, the command sees no other settings of AWS than those that a test gives.
    ...Object.fromEntries(awsVariables().map(name => [name, undefined])),
    AWS_EC2_METADATA_DISABLED: 'true',
    HOME: EMPTY_HOME,
    NO_COLOR: '1',
    PETSTORE_RUNNING_FILE: join(EMPTY_HOME, 'running.json'),
    ...environment,
  };
  // Restored when the command has ended, so a file that uses this needs no process of its own (isolated-files.ts).
  const before = Object.fromEntries(Object.keys(variables).map(name => [name, process.env[name]]));
  setVariables(variables);
  const printed = { stdout: '', stderr: '' };
  const restorations = (['stdout', 'stderr'] as const).map(name => {
    const stream = process[name];
    const write = vi.spyOn(stream, 'write').mockImplementation((text: string | Uint8Array) => {
      printed[name] += text;
      return true;
    });
    const { isTTY, columns: columnsBefore } = stream;
    Object.assign(stream, { isTTY: columns !== undefined, columns });
    return () => {
      write.mockRestore();
      Object.assign(stream, { isTTY, columns: columnsBefore });
    };
  });
  const exitCodeBefore = process.exitCode;
  process.exitCode = undefined;
  try {
    const exitCode = await runCommandLine(await petstoreProgram(words), words);
    return { stdout: printed.stdout, stderr: withoutPatience(printed.stderr), exitCode };
  } finally {
    for (const restore of restorations) restore();
    process.exitCode = exitCodeBefore;
    setVariables(before);
  }
}

const awsVariables = () => Object.keys(process.env).filter(name => name.startsWith('AWS_'));

function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else Object.assign(process.env, { [name]: value });
  }
}
