import { expect, test } from 'vitest';
import { ofType } from '../../../infra/local/template.ts';
import { otherEnvironments } from './other-environments/assembly.ts';
import { templateOf } from './templates.ts';

const protectionOf = (template: Parameters<typeof ofType>[0]) =>
  new Set(
    [...ofType(template, 'AWS::DynamoDB::Table').values()].map(
      each => each.Properties.DeletionProtectionEnabled,
    ),
  );

test('the setting protected is for a stack that has been deployed: its tables and the stack resist deletion', () => {
  const production = otherEnvironments().getStackByName('Petstore-Production');
  expect(production.terminationProtection).toBe(true);
  expect(protectionOf(production.template)).toEqual(new Set([true]));
});

test('without it, the first deploy of a stack that keeps data can fail and be repeated', () => {
  const template = templateOf('Petstore-Production');
  expect(protectionOf(template)).toEqual(new Set([undefined]));
  const kept = Object.values(template.Resources).filter(({ DeletionPolicy }) =>
    DeletionPolicy?.startsWith('Retain'),
  );
  // The role for logs outlives the stack, for other APIs of the account; a rollback may leave it.
  const ofData = kept.filter(({ Type }) => !/^AWS::(IAM::Role|ApiGateway::Account)$/.test(Type));
  expect(ofData.length).toBeGreaterThan(7);
  expect(new Set(ofData.map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(
    new Set(['RetainExceptOnCreate']),
  );
});
