import { expect, test, vi } from 'vitest';
import type { GrantLedger } from '../../iam/grant-ledger.ts';
import type { RequestContext } from '../../iam/principal.ts';
import { declaredRoles } from '../../iam/roles.ts';

const PETS = 'arn:aws:dynamodb:us-east-1:000000000000:table/Pets';

function denial(
  statements: readonly unknown[],
  action: string,
  resource: string,
  context?: RequestContext,
  ledger?: GrantLedger,
): string | undefined {
  const resources = [
    {
      stack: 'Zoo',
      logicalId: 'Role',
      type: 'AWS::IAM::Role',
      physicalId: 'Zoo-Role',
      properties: { AssumeRolePolicyDocument: {} },
    },
    {
      stack: 'Zoo',
      logicalId: 'Policy',
      type: 'AWS::IAM::Policy',
      physicalId: 'Policy',
      properties: { PolicyName: 'Policy', Roles: ['Zoo-Role'], PolicyDocument: { Statement: statements } },
    },
  ];
  const role = declaredRoles(resources, ledger).get('arn:aws:iam::000000000000:role/Zoo-Role');
  return role?.assumedBy('create-pet').denial(action, resource, context);
}

test('a role allows what a statement allows', () => {
  const statements = [{ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: PETS }];
  expect(denial(statements, 'dynamodb:PutItem', PETS)).toBeUndefined();
});

test('a role allows what a managed policy of the stack allows', () => {
  const declared = (type: string, properties: object) => ({
    stack: 'Zoo',
    logicalId: type,
    type: `AWS::IAM::${type}`,
    physicalId: `Zoo-${type}`,
    properties: { ...properties },
  });
  const Statement = { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: PETS };
  const resources = [
    declared('Role', { AssumeRolePolicyDocument: {} }),
    declared('ManagedPolicy', { Path: '/', Roles: ['Zoo-Role'], PolicyDocument: { Statement } }),
  ];
  const [role] = declaredRoles(resources).values();
  expect(role?.assumedBy('create-pet').denial('dynamodb:PutItem', PETS)).toBeUndefined();
  expect(role?.assumedBy('create-pet').denial('dynamodb:GetItem', PETS)).toContain('is not authorized');
});

test('a call that several grants allow is recorded by the narrowest of them', () => {
  const resources = ['*', PETS, `${PETS.slice(0, -1)}*`];
  const statements = [
    { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: '*' },
    { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: resources },
  ];
  const record = vi.fn<GrantLedger['record']>();
  denial(statements, 'dynamodb:PutItem', PETS, undefined, { record });
  const grant = { action: 'dynamodb:PutItem', resource: PETS };
  expect(record.mock.calls).toMatchObject([[{ resource: PETS, grant }]]);
});

test('a role denies everything else with AWS’s message', () => {
  const statements = [{ Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: [PETS] }];
  expect(denial(statements, 'dynamodb:PutItem', PETS)).toBe(
    `User: arn:aws:sts::000000000000:assumed-role/Zoo-Role/create-pet is not authorized to perform: dynamodb:PutItem on resource: ${PETS} because no identity-based policy allows the dynamodb:PutItem action`,
  );
});

test.each([
  ['dynamodb:*', PETS],
  ['*', '*'],
  ['dynamodb:put*', PETS],
  ['dynamodb:PutIte?', `${PETS.slice(0, -1)}?`],
])('wildcards match: %s on %s', (Action, Resource) => {
  const statements = [{ Effect: 'Allow', Action, Resource }];
  expect(denial(statements, 'dynamodb:PutItem', PETS)).toBeUndefined();
  expect(denial(statements, 'lambda:InvokeFunction', 'x') === undefined).toBe(Action === '*');
});

test('a statement for a table does not cover its indexes', () => {
  const statements = [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource: `${PETS}/index/*` }];
  expect(denial(statements, 'dynamodb:Query', `${PETS}/index/byStatus`)).toBeUndefined();
  expect(denial(statements, 'dynamodb:Query', PETS)).toContain('not authorized');
});

test('a dot in a pattern matches a dot only', () => {
  const statements = [{ Effect: 'Allow', Action: 'a:b', Resource: 'x.y*' }];
  expect(denial(statements, 'a:b', 'xzy')).toContain('not authorized');
});

test('a Deny wins over an Allow', () => {
  const statements = [
    { Effect: 'Allow', Action: '*', Resource: '*' },
    { Effect: 'Deny', Action: 'dynamodb:DeleteItem', Resource: '*' },
  ];
  expect(denial(statements, 'dynamodb:PutItem', PETS)).toBeUndefined();
  expect(denial(statements, 'dynamodb:DeleteItem', PETS)).toContain(
    'with an explicit deny in an identity-based policy',
  );
});

const OWN = { StringEquals: { 'aws:ResourceTag/team': 'zoo' } };
const tagged = (team: string) => ({ keys: { 'aws:ResourceTag/team': [team] } });

test('a statement with a condition covers only the requests that meet it', () => {
  const statements = [{ Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: PETS, Condition: OWN }];
  expect(denial(statements, 'dynamodb:PutItem', PETS, tagged('zoo'))).toBeUndefined();
  expect(denial(statements, 'dynamodb:PutItem', PETS, tagged('farm'))).toContain('not authorized');
  expect(denial(statements, 'dynamodb:PutItem', PETS)).toContain('not authorized');
});

test('a Deny with a condition denies only the requests that meet it', () => {
  const statements = [
    { Effect: 'Allow', Action: '*', Resource: '*' },
    { Effect: 'Deny', Action: '*', Resource: '*', Condition: OWN },
  ];
  expect(denial(statements, 'dynamodb:PutItem', PETS, tagged('farm'))).toBeUndefined();
  expect(denial(statements, 'dynamodb:PutItem', PETS, tagged('zoo'))).toContain('explicit deny');
});

test('a condition that is not supported is refused by name', () => {
  const Condition = { NumericEquals: { 'aws:ResourceTag/team': '1' } };
  const statements = [{ Effect: 'Allow', Action: '*', Resource: '*', Condition }];
  expect(() => denial(statements, 'a:b', 'c')).toThrow(
    'Zoo, Policy (AWS::IAM::Policy): the property PolicyDocument.Statement.0.Condition.NumericEquals.aws:ResourceTag/team is not supported by the local AWS (the condition operator NumericEquals is not supported)',
  );
});
