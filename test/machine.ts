import { spawnSync } from 'node:child_process';
import { needs } from '../infra/local/testing/needs.ts';

/** The tools that some tests run, each with a command that succeeds where the tool does what they ask of it. */
const TOOLS = {
  bash: ['bash', '-c', 'true'],
  curl: ['curl', '--version'],
  Python: ['python3', '-c', 'import json, urllib.request'],
  // The one of util-linux; script(1) of other systems takes other flags.
  'a terminal by script(1)': ['script', '-qec', 'stty -a', '/dev/null'],
} as const;

type Tool = keyof typeof TOOLS;

/**
 * The tools that only samples of documents need. Any other test that CI skips fails the run, and the workflow of pull
 * requests requires these, too.
 */
export const TOOLS_OF_SAMPLES: readonly string[] = ['curl', 'Python'] satisfies Tool[];

/** The options of a test that runs a tool. */
export function needsTool(tool: Tool) {
  const [command, ...parameters] = TOOLS[tool];
  return needs(tool, spawnSync(command, parameters, { stdio: 'ignore', timeout: 60_000 }).status === 0);
}
