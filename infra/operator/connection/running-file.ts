import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isRunning } from '../../local/processes.ts';

/** How the `petstore` command finds the service that runs on this machine. */
export interface RunningService {
  readonly awsEndpoint: string;
  /** The access key that the AWS endpoint accepts. */
  readonly awsCredentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Base URLs of the HTTP interface by stage. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** Where custom domains are served, and the certificate to trust there. */
  readonly edge: { readonly https: string; readonly ca: string };
  readonly pid: number;
}

/** In the checkout, wherever the command is called from. Tests that run beside a service name another file. */
const runningFile = () =>
  process.env.PETSTORE_RUNNING_FILE || resolve(import.meta.dirname, '../../../.local/running.json');

/** Records that this process runs the service. If several run, the one started last is found. */
export function recordRunning({
  awsEndpoint,
  awsCredentials,
  environments,
  edge,
}: Pick<RunningService, 'awsEndpoint' | 'awsCredentials' | 'edge'> & {
  readonly environments: Readonly<Record<string, { readonly url: string }>>;
}): void {
  const file = runningFile();
  const baseUrls = Object.fromEntries(Object.entries(environments).map(([stage, { url }]) => [stage, url]));
  const service: RunningService = { awsEndpoint, awsCredentials, baseUrls, edge, pid: process.pid };
  writePrivately(file, service);
}

/** Writes a file that only this user can read. */
export function writePrivately(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Moved into place once complete, so nobody reads half a file.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** The folder for what the command remembers on this machine. */
export const localFolder = () => dirname(runningFile());

/** Deletes the record, unless it's another process's. */
export function recordStopped(): void {
  if (readRecord()?.pid === process.pid) rmSync(runningFile(), { force: true });
}

/** The service that runs on this machine, if any. */
export function findRunning(): RunningService | undefined {
  const service = readRecord();
  // A process that was killed with SIGKILL leaves its record behind.
  return service && isRunning(service.pid) ? service : undefined;
}

function readRecord(): RunningService | undefined {
  try {
    return JSON.parse(readFileSync(runningFile(), 'utf8'));
  } catch {
    return undefined;
  }
}
