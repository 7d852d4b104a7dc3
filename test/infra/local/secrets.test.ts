import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Secrets } from '../../../infra/local/secrets.ts';
import { temporaryFolder } from './temporary-folder.ts';

function secret(logicalId: string, properties: Record<string, unknown>) {
  return {
    stack: 'Zoo',
    logicalId,
    type: 'AWS::SecretsManager::Secret',
    physicalId: `arn:${logicalId}`,
    properties,
  };
}

test('a generated value has the declared length, and letters and digits of each kind', () => {
  const secrets = new Secrets();
  secrets.create([secret('A', { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } })]);
  const value = secrets.secretString('arn:A');
  expect(value).toMatch(/^[A-Za-z0-9]{64}$/);
  for (const kind of [/[a-z]/, /[A-Z]/, /\d/]) expect(value).toMatch(kind);
});

test('a secret that the local AWS cannot generate is refused', () => {
  const withPunctuation = secret('A', { GenerateSecretString: { PasswordLength: 64 } });
  expect(() => new Secrets().create([withPunctuation])).toThrow('ExcludePunctuation');
  expect(() => new Secrets().create([secret('A', { SecretString: 'x' })])).toThrow('SecretString');
});

test('generated values are kept in a file that only its owner can read', () => {
  const file = join(temporaryFolder(), 'secrets.json');
  const declared = [secret('A', { Name: 'key', GenerateSecretString: { ExcludePunctuation: true } })];
  const before = new Secrets(file);
  before.create(declared);
  const after = new Secrets(file);
  after.create(declared);
  expect(after.secretString('key')).toBe(before.secretString('arn:A'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
