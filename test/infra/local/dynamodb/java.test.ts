import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dynamoDbLocalCommand, startFailure } from '../../../../infra/local/dynamodb/dynamodb-local.ts';
import { LocalRuntimeError } from '../../../../infra/local/host/local-runtime-error.ts';

test('the command runs the jar of the package', () => {
  const { folder, command } = dynamoDbLocalCommand(8000, '/data/dynamodb', '/tmp');
  expect(existsSync(join(folder, 'DynamoDBLocal.jar'))).toBe(true);
  expect(command.join(' ')).toContain('-sharedDb -disableTelemetry -port 8000 -dbPath /data/dynamodb');
  expect(dynamoDbLocalCommand(8000, undefined, '/tmp').command).toContain('-inMemory');
});

test.each([
  [127, 'sh: 1: java: not found'],
  [1, 'java.lang.UnsupportedClassVersionError: … has been compiled by a more recent version'],
  [1, 'The operation couldn’t be completed. Unable to locate a Java Runtime.'],
])('the error without a suitable Java says what to install: %i %s', (exitCode, output) => {
  const failure = startFailure(exitCode, output);
  expect(failure).toBeInstanceOf(LocalRuntimeError);
  expect(failure.message).toMatch(/Java 17 .*openjdk-17-jre-headless.*--dynamodb <url>/);
});

test('the error of any other failure has the engine’s last lines without stack traces', () => {
  const output = 'a\nb\nException: no\n\tat x.y(Z.java:1)\nCaused by: it\n\t... 16 more\n';
  expect(startFailure(1, output).message).toBe(
    'DynamoDB Local did not start (exit code 1): b | Exception: no | Caused by: it',
  );
});
