import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expect, onTestFinished, test } from 'vitest';
import { Secrets, secretsManagerService } from '../secrets.ts';
import { recordingPrincipal, serveEndpoint } from '../testing/served-endpoint.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

function secret(logicalId: string, properties: Record<string, unknown>) {
  return {
    stack: 'Zoo',
    logicalId,
    type: 'AWS::SecretsManager::Secret',
    physicalId: `arn:aws:secretsmanager:${logicalId}`,
    properties,
  };
}

test('a generated value has the declared length, and letters and digits of each kind', () => {
  const secrets = new Secrets();
  secrets.create([secret('A', { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } })]);
  const value = secrets.secretString('arn:aws:secretsmanager:A');
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
  expect(after.secretString('key')).toBe(before.secretString('arn:aws:secretsmanager:A'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a value is read by name or ARN and replaced, and stays so after a restart', async () => {
  const file = join(temporaryFolder(), 'secrets.json');
  const declared = [secret('A', { Name: 'key', GenerateSecretString: { ExcludePunctuation: true } })];
  const secrets = new Secrets(file);
  secrets.create(declared);
  const { principal, asked } = recordingPrincipal();
  const { clientOptions } = await serveEndpoint(
    { secretsmanager: secretsManagerService(secrets) },
    principal,
  );
  const client = new SecretsManagerClient(clientOptions);
  onTestFinished(() => client.destroy());
  const read = async (SecretId: string) =>
    (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
  expect(await read('key')).toBe(secrets.secretString('key'));
  await client.send(new PutSecretValueCommand({ SecretId: 'key', SecretString: 'rotated' }));
  const ARN = 'arn:aws:secretsmanager:A';
  expect(await read(ARN)).toBe('rotated');
  expect(asked.map(({ permission }) => permission)).toEqual([
    `secretsmanager:GetSecretValue ${ARN}`,
    `secretsmanager:PutSecretValue ${ARN}`,
    `secretsmanager:GetSecretValue ${ARN}`,
  ]);
  await expect(read('other')).rejects.toThrow("Secrets Manager can't find the specified secret.");
  const after = new Secrets(file);
  after.create(declared);
  expect(after.secretString('key')).toBe('rotated');
});
