import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT } from '../running-service.ts';

/** A project of somebody else with the client package in it, as `npm install <tarball>` leaves it. */
export interface ClientProject {
  readonly folder: string;
  /** The files of the tarball. */
  readonly packed: readonly string[];
  /** The module that browsers load. */
  readonly module: string;
  remove(): void;
}

/** Packs the client with npm pack and unpacks it in an empty project. */
export function projectWithClient(): ClientProject {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  const pack = ['pack', '--workspace', 'infra/client', '--pack-destination', folder, '--json'];
  execFileSync('npm', pack, { cwd: PROJECT, stdio: 'pipe' });
  const installed = join(folder, 'node_modules/petstore-client');
  mkdirSync(installed, { recursive: true });
  const tarball = join(folder, 'petstore-client-1.0.0.tgz');
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1']);
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  return {
    folder,
    packed: listed
      .trim()
      .split('\n')
      .map(name => name.replace('package/', ''))
      .toSorted(),
    module: readFileSync(join(installed, 'dist/petstore-client.js'), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The Node.js of this machine rather than the newer one that npm puts before it: the package supports older ones. */
export const HOST_NODE =
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(path => !path.includes('node_modules'))
    .map(path => join(path, 'node'))
    .find(path => existsSync(path)) ?? process.execPath;

/** The examples of the README as one program, with the address and the key of a running service put in. */
export function readmeProgram({ url, apiKey }: { url: string; apiKey: string }): string {
  const readme = readFileSync(join(PROJECT, 'infra/client/README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  return blocks
    .join('\n')
    .replaceAll('http://127.0.0.1:3000/staging/v1', url)
    .replaceAll('pet_test_…', apiKey);
}
