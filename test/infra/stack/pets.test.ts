import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { STAGING } from '../../../infra/stack/environments.ts';
import { PetstoreStack } from '../../../infra/stack/petstore-stack.ts';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

/** Bundles and assemblies are written to a folder of this test, which is removed afterwards. */
const folder = mkdtempSync(join(tmpdir(), 'petstore-stack-'));
beforeAll(() => {
  vi.stubEnv('TMPDIR', folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.each([0, 17, -1, 1.5, Number.NaN])('petShards %d is rejected, naming the setting', petShards => {
  expect(() => new PetstoreStack(new App(), { ...STAGING, petShards })).toThrow(
    `petShards of Petstore-Staging must be 1 to 16, not ${petShards}.`,
  );
});

test.each(STACKS)('the functions of %s that add or list animals have the same number of shards', stack => {
  const functions = resourcesOf(templateOf(stack), 'AWS::Lambda::Function');
  // The operator function changes animals by id, which contains the shard; it neither adds nor lists any.
  functions.delete('OperatorOperateFunction');
  const petVariables = [...functions.values()]
    .map(({ Properties }) => Properties.Environment?.Variables ?? {})
    .filter(variables => variables.PETS_TABLE);
  expect(new Set(petVariables.map(({ PET_SHARDS }) => PET_SHARDS)).size).toBe(1);
});
