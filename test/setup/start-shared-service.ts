import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { descendantsOf, isRunning } from '../../infra/local/processes.ts';
import { setup as startEngine } from '../../infra/local/testing/engine.ts';
import {
  type RunningService,
  requireWithinModels,
  sendCtrlC,
  startService,
} from '../service/running-service.ts';
import { onServiceTestsEnd } from './reporters.ts';

/**
 * Starts the whole service once per run, for every test file that calls `sharedService()` of
 * test/service/shared-service.ts. Such a file
 *
 * - uses the API keys that it is given, and names, projects and domains that no other file uses;
 * - expects pets, keys and audit entries of other files beside its own, at any time;
 * - leaves the service as it found it: an outage, a restart or a changed template needs a service of its own.
 *
 * Orders are the exception: test/service/orders.test.ts alone places them in production, and
 * test/service/petstore-command.test.ts alone in staging.
 */

export type SharedServiceAddress = Pick<
  RunningService,
  'production' | 'staging' | 'awsEndpoint' | 'awsCredentials' | 'dns' | 'edge' | 'dashboard' | 'runningFile'
> & {
  readonly pid: number;
  /** Holds what the service has written to standard error since it was ready. */
  readonly errorFile: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    sharedService: SharedServiceAddress;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Two engines start in the time of one. The setup of this project comes before that of the whole run.
  const [service, stopEngine] = await Promise.all([startService(), startEngine(project)]);
  const { production, staging, awsEndpoint, awsCredentials, dns, edge, dashboard, runningFile, folder } =
    service;
  const errorFile = join(folder, 'standard-error.txt');
  service.process.stderr?.pipe(createWriteStream(errorFile));
  const pid = service.process.pid ?? 0;
  project.provide('sharedService', {
    production,
    staging,
    awsEndpoint,
    awsCredentials,
    dns,
    edge,
    dashboard,
    runningFile,
    pid,
    errorFile,
  });
  const stopService = async () => {
    const { exitCode, signalCode } = service.process;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(
        `The shared service ended before the tests did (${signalCode ?? exitCode}): ${service.complaints()}`,
      );
    }
    await expectCtrlCToStop(service);
  };
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stopService();
    return stopped;
  };
  onServiceTestsEnd(() => {
    // A failure is reported when all tests have run.
    stopOnce().catch(() => {});
  });
  return async () => {
    await stopOnce().finally(stopEngine);
  };
}

const END_LIMIT_MS = 60_000;

/** Ctrl-C stops all processes of a service with exit code 0; with --json it has printed one line and nothing else. */
async function expectCtrlCToStop(service: RunningService): Promise<void> {
  const below = descendantsOf(service.process.pid);
  sendCtrlC(service.process);
  await service.ended;
  requireWithinModels(service.complaints());
  const left = () => below.filter(isRunning).length;
  for (let waitedMs = 0; left() > 0 && waitedMs < END_LIMIT_MS; waitedMs += 50) await delay(50);
  const { exitCode, signalCode } = service.process;
  const lines = service.printed().trim().split('\n').length;
  if (exitCode !== 0 || lines !== 1 || left() > 0 || below.length === 0) {
    throw new Error(
      `Ctrl-C stopped the shared service with ${signalCode ?? exitCode}; it had printed ${lines} lines, and ${left()} of its ${below.length} processes still run.`,
    );
  }
}
