import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { EngineProgram } from './engine-program.ts';

const DATABASE = 'dynoxide.db';

/** The npm package that has it for this platform; there may be none. */
const PACKAGE = `@dynoxide/${process.platform}-${process.arch}`;

/**
 * Dynoxide, a binary from an npm package: SQLite behind the DynamoDB API. It accepts any access key and any `Host`, and lets
 * every web page read its responses. Therefore it listens where a page would have to try trillions of addresses and ports.
 */
export const dynoxide: EngineProgram = {
  title: 'Dynoxide',
  mark: DATABASE,
  missing() {
    const file = executable();
    if (file === undefined) {
      return `Dynoxide isn't installed: the npm package ${PACKAGE} brings it, where it exists.`;
    }
    const { status } = spawnSync(file, ['--version'], { stdio: 'ignore' });
    return status === 0 ? undefined : `Dynoxide, which the npm package ${PACKAGE} brings, doesn't run here.`;
  },
  accessKeyId: () => 'local',
  host: randomLoopbackAddress,
  command: ({ host, port, databaseFolder, temporaryFolder }) => ({
    folder: temporaryFolder,
    command: [
      executable() ?? 'dynoxide',
      'serve',
      '--host',
      host,
      '--port',
      String(port),
      ...(databaseFolder === undefined ? [] : ['--db-path', join(databaseFolder, DATABASE)]),
    ],
  }),
  readyLine: /^Dynoxide listening on /m,
  portTaken: /already in use/,
  commitSeconds: 0,
};

function executable(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${PACKAGE}/dynoxide`);
  } catch {
    return undefined;
  }
}

/** Linux has all of 127.0.0.0/8, other systems have 127.0.0.1 only. */
export const HIDES_FROM_PAGES = process.platform === 'linux';

function randomLoopbackAddress(): string {
  return HIDES_FROM_PAGES ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1';
}
