import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Secrets } from '../../../../infra/local/secretsmanager/secrets.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function secret(logicalId: string, properties: Record<string, unknown>) {
  return {
    stack: 'Zoo',
    logicalId,
    type: 'AWS::SecretsManager::Secret',
    physicalId: `arn:${logicalId}`,
    properties,
  };
}

test('a generated value has the declared length and characters', () => {
  const secrets = new Secrets();
  secrets.create([
    secret('A', {
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true, ExcludeCharacters: 'abcABC' },
    }),
  ]);
  expect(secrets.secretString('arn:A')).toMatch(/^[d-zD-Z0-9]{64}$/);
});

test('a generated value is inserted into its template', () => {
  const secrets = new Secrets();
  const GenerateSecretString = { SecretStringTemplate: '{"user":"keeper"}', GenerateStringKey: 'password' };
  secrets.create([secret('A', { GenerateSecretString })]);
  expect(JSON.parse(secrets.secretString('arn:A') ?? '')).toEqual({
    user: 'keeper',
    password: expect.stringMatching(/^.{32}$/),
  });
});

test('generated values are kept in a file that only its owner can read', () => {
  const file = join(temporaryFolder(), 'secrets.json');
  const declared = [secret('A', { Name: 'key', GenerateSecretString: {} })];
  const before = new Secrets(file);
  before.create(declared);
  const after = new Secrets(file);
  after.create(declared);
  expect(after.secretString('key')).toBe(before.secretString('arn:A'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
