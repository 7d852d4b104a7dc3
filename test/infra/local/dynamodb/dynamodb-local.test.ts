import { expect, onTestFinished, test } from 'vitest';
import { startDynamoDbLocal } from '../../../../infra/local/dynamodb/dynamodb-local.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('stop ends an engine that is not ready yet', async () => {
  const folder = temporaryFolder();
  const first = startDynamoDbLocal(folder, () => {});
  const second = startDynamoDbLocal(undefined, () => {});
  await Promise.all([first.stop(), second.stop()]);
  await expect(first.endpoint).rejects.toThrow('DynamoDB Local');
  await expect(second.endpoint).rejects.toThrow('DynamoDB Local');
});

test('a folder that cannot be used is an error of one line', async () => {
  const engine = startDynamoDbLocal('/proc/nowhere', () => {});
  onTestFinished(engine.stop);
  await expect(engine.endpoint).rejects.toThrow(/^DynamoDB Local did not start .*[^\n]*$/);
});
