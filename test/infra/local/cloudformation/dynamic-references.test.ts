import { expect, test } from 'vitest';
import { resolveDynamicReferences } from '../../../../infra/local/cloudformation/dynamic-references.ts';

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Zoo-Key-abcdef';
const secrets = new Map([
  [ARN, 'open sesame'],
  ['json', '{"user":"keeper"}'],
]);

function resolved(value: string): unknown {
  const resource = {
    stack: 'Zoo',
    logicalId: 'F',
    type: 'T',
    physicalId: 'F',
    properties: { A: [{ B: value }] },
  };
  return resolveDynamicReferences(resource, id => secrets.get(id)).properties;
}

test.each([
  [`{{resolve:secretsmanager:${ARN}:SecretString:::}}`, 'open sesame'],
  [`{{resolve:secretsmanager:${ARN}}}`, 'open sesame'],
  [`before {{resolve:secretsmanager:${ARN}:SecretString}} after`, 'before open sesame after'],
  ['{{resolve:secretsmanager:json:SecretString:user::}}', 'keeper'],
  ['nothing to resolve', 'nothing to resolve'],
])('resolves %s', (value, expected) => {
  expect(resolved(value)).toEqual({ A: [{ B: expected }] });
});

test.each([
  ['{{resolve:secretsmanager:other:SecretString:::}}', 'names a secret that no stack declares'],
  ['{{resolve:secretsmanager:json:SecretString:age::}}', 'names a field that the secret does not have'],
  ['{{resolve:ssm:/name}}', 'Zoo, F (T): the dynamic reference {{resolve:ssm:/name}} is not supported'],
])('refuses %s', (value, message) => {
  expect(() => resolved(value)).toThrow(message);
});
