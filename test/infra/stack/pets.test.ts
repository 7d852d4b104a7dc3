import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { STAGING } from '../../../infra/stack/environments.ts';
import { PetstoreStack } from '../../../infra/stack/petstore-stack.ts';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

/** Bundles and assemblies are made in the folder for temporary files, and go with it. */
const folder = mkdtempSync(join(tmpdir(), 'petstore-stack-'));
beforeAll(() => {
  vi.stubEnv('TMPDIR', folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.each([0, 17, -1, 1.5, Number.NaN])('petShards %d is refused by name', petShards => {
  expect(() => new PetstoreStack(new App(), { ...STAGING, petShards })).toThrow(
    `petShards of Petstore-Staging must be 1 to 16, not ${petShards}.`,
  );
});

test.each(STACKS)('the functions of %s that know the animals agree on the shards', stack => {
  const functions = resourcesOf(templateOf(stack), 'AWS::Lambda::Function');
  // The operator's changes animals by their ids, which say the shard; it neither adds nor lists any.
  functions.delete('OperatorOperateFunction');
  const onAnimals = [...functions.values()]
    .map(({ Properties }) => Properties.Environment?.Variables ?? {})
    .filter(variables => variables.PETS_TABLE);
  expect(new Set(onAnimals.map(({ PET_SHARDS }) => PET_SHARDS)).size).toBe(1);
});
