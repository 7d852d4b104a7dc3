import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '../..');
const CACHE = join(PROJECT, '.cache', 'assemblies');

/** The files that the cloud assembly depends on. */
const SOURCES = [
  'cdk.json',
  'package-lock.json',
  'infra/app.ts',
  'infra/stack/**/*.ts',
  'infra/openapi/**/*.{ts,md}',
  'functions/**/*.ts',
  'shared/**/*.ts',
];

/** The folders and files to watch for a change of any source. */
export const WATCHED = ['infra/app.ts', 'infra/stack', 'infra/openapi', 'functions', 'shared'].map(path =>
  join(PROJECT, path),
);

/** Longer than anyone leaves `npm start` running without starting it again. */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The app could not be synthesized; the message is what it printed. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

/** The folder of the cloud assembly of the current sources; synthesizes it unless it is in the cache. */
export async function synthesize(): Promise<string> {
  const assembly = join(CACHE, sourcesHash());
  if (existsSync(assembly)) {
    markAsUsed(assembly);
    return assembly;
  }
  mkdirSync(CACHE, { recursive: true });
  removeOldAssemblies();
  // Written beside its place and moved there when it is complete: another process may be doing the same.
  const unfinished = `${assembly}.${process.pid}`;
  await runApp(unfinished);
  try {
    renameSync(unfinished, assembly);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(assembly)) throw error;
  }
  return assembly;
}

function sourcesHash(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(SOURCES, { cwd: PROJECT }).toSorted()) {
    hash.update(`\n${file}\n`).update(readFileSync(join(PROJECT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Runs the command of cdk.json as the cdk command does, without its checks of the templates: those are for deploying. */
async function runApp(outputFolder: string): Promise<void> {
  const { app, context } = JSON.parse(readFileSync(join(PROJECT, 'cdk.json'), 'utf8'));
  const child = spawn(app, {
    cwd: PROJECT,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The same Node as this process, wherever the command line was.
      PATH: `${resolve(process.execPath, '..')}:${process.env.PATH}`,
      CDK_OUTDIR: outputFolder,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const exitCode = await new Promise((done, fail) => child.on('error', fail).on('close', done));
  if (exitCode !== 0) {
    rmSync(outputFolder, { recursive: true, force: true });
    throw new SynthesisError(`The stack cannot be synthesized:\n${printed.trim()}`);
  }
}

/** Keeps an assembly that is in use from being removed as old. */
function markAsUsed(assembly: string): void {
  const now = new Date();
  utimesSync(assembly, now, now);
}

function removeOldAssemblies(): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name);
    // Another process may have moved it since.
    const usedAtMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - usedAtMs > WEEK_MS) rmSync(folder, { recursive: true, force: true });
  }
}
