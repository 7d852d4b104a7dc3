import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCloudAssembly } from '../../cloudformation/cloud-assembly.ts';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeCloudAssembly } from '../cloud-assembly-fixture.ts';

test('reads the stacks, and the folder of each asset by its S3 key', () => {
  const folder = writeCloudAssembly(temporaryFolder(), { Zoo: { Resources: {} } }, { abc: '' });
  const { stacks, assets } = readCloudAssembly(folder);
  expect(stacks.map(({ name }) => name)).toEqual(['Zoo']);
  expect(assets).toEqual(new Map([['abc.zip', join(folder, 'asset.abc')]]));
});

test('refuses a missing assembly and says what to do', () => {
  expect(() => readCloudAssembly('/nowhere')).toThrow(LocalAwsError);
  expect(() => readCloudAssembly('/nowhere')).toThrow('synthesize');
});

test('refuses a section of a template that is not supported', () => {
  const folder = writeCloudAssembly(temporaryFolder(), { Zoo: { Resources: {}, Transform: 'x' } });
  expect(() => readCloudAssembly(folder)).toThrow(
    'Zoo: the property Transform is not supported by the local AWS',
  );
});
