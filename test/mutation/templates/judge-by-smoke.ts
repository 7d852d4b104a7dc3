import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type LocalAws, startLocalAws } from '../../../infra/local/local-aws.ts';
import { recordRunning } from '../../../infra/operator/connection/running-file.ts';
import type { Verdict } from './judge-by-tests.ts';
import type { TemplateMutant } from './template-mutant.ts';
import type { MutatedAssembly } from './template-mutants.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

/** A smoke that has not ended by then found something that never responds. */
const SMOKE_TIMEOUT_MS = 180_000;

/** Deploys one mutant after another to a running service, and checks each with `petstore smoke`. */
export async function judgeBySmoke(
  assembly: MutatedAssembly,
  mutants: readonly TemplateMutant[],
  onVerdict: (verdict: Verdict) => void,
): Promise<Verdict[]> {
  if (mutants.length === 0) return [];
  assembly.write();
  const runtime = await startLocalAws({
    assembly: assembly.folder,
    port: 0,
    waitScale: 0.01,
    report: () => {},
  });
  const runningFile = join(PROJECT, '.cache', `running-mutants-${process.pid}.json`);
  try {
    recordAddresses(runtime, runningFile);
    const broken = await brokenChecks(runningFile);
    if (broken !== undefined) throw new Error(`petstore smoke fails without a fault: ${broken}`);
    const verdicts: Verdict[] = [];
    for (const mutant of mutants) {
      const verdict = { id: mutant.id, caughtBy: await catcherOf(runtime, assembly, mutant, runningFile) };
      verdicts.push(verdict);
      onVerdict(verdict);
    }
    return verdicts;
  } finally {
    await runtime.stop();
    rmSync(runningFile, { force: true });
  }
}

async function catcherOf(
  runtime: LocalAws,
  assembly: MutatedAssembly,
  mutant: TemplateMutant,
  runningFile: string,
): Promise<string | undefined> {
  try {
    assembly.write(mutant);
    await runtime.deploy(assembly.folder);
  } catch (error) {
    return `the deployment to the local AWS: ${(error as Error).message}`;
  }
  try {
    const broken = await brokenChecks(runningFile);
    return broken === undefined ? undefined : `petstore smoke: ${broken}`;
  } finally {
    assembly.write();
    await runtime.deploy(assembly.folder);
  }
}

/** Tells the petstore command where the environments are. */
function recordAddresses(
  { outputs, awsEndpoint, awsCredentials, edge }: LocalAws,
  runningFile: string,
): void {
  process.env.PETSTORE_RUNNING_FILE = runningFile;
  const environments = Object.fromEntries(
    [...outputs.values()].map(({ BaseUrl: url = '' }) => [
      new URL(url).pathname.split('/')[1] ?? '',
      { url },
    ]),
  );
  recordRunning({ awsEndpoint, awsCredentials, environments, edge });
}

/** What `petstore smoke` finds wrong with staging, where it also writes. */
function brokenChecks(runningFile: string): Promise<string | undefined> {
  const words = ['infra/bin/petstore.js', 'smoke', '--local', '--stage', 'staging', '--json'];
  const options = {
    cwd: PROJECT,
    timeout: SMOKE_TIMEOUT_MS,
    env: { ...process.env, PETSTORE_RUNNING_FILE: runningFile },
  };
  return new Promise(resolve => {
    execFile(process.execPath, words, options, (error, stdout, stderr) => {
      resolve(error === null ? undefined : reasonOf(stdout) || stderr.trim() || error.message);
    });
  });
}

function reasonOf(stdout: string): string {
  try {
    return JSON.parse(stdout).broken.join(', ');
  } catch {
    return '';
  }
}
