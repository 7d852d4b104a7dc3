import { expect, test } from 'vitest';
import { remainsOf } from '../../../../../infra/cli/environment/teardown-command.ts';
import { targetOf } from '../../../../../infra/cli/framework/target.ts';

const onAws = (stage: string, profile?: string) =>
  remainsOf(targetOf({ stage, color: false, ...(profile && { profile }) }));

test('the deletion of a personal environment names it, with the profile of the command', () => {
  expect(onAws('jane', 'zoo').deletion).toEqual([
    'npx cdk destroy Petstore-Jane -c environment=jane --profile zoo',
  ]);
});

test('the stack of production resists its deletion, and keeps tables and zone', () => {
  const { leaves, deletion } = onAws('production');
  expect(deletion).toEqual([
    'aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name Petstore-Production',
    'npx cdk destroy Petstore-Production',
  ]);
  expect(leaves.filter(line => line.includes('The deletion of the stack keeps'))).toHaveLength(2);
});

test('on this machine the data folder is deleted, which all environments share', () => {
  const target = targetOf({ stage: 'staging', color: false });
  expect(remainsOf({ ...target, isLocal: true }).deletion).toEqual([
    expect.stringMatching(/^rm -r \.local .*deletes the data of all environments/),
  ]);
});
