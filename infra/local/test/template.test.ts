import { expect, test } from 'vitest';
import { grantsOf, ofType, stableName } from '../template.ts';

test.each([
  ['PetsTable1A2B3C4D', 'PetsTable'],
  // Words that end or begin with letters of a hash.
  ['PublicApiv1petsHEAD8E16C2D2', 'PublicApiv1petsHEAD'],
  ['PublicApiACCESSDENIED0CC469F9', 'PublicApiACCESSDENIED'],
  ['PublicApi304346B0DELETEv1pets63DC8008', 'PublicApiDELETEv1pets'],
  ['EveryMinuteAllowEventRuleFunction2EFB7B3A617DBFE1', 'EveryMinuteAllowEventRuleFunction'],
  ['PublicApiDeployment0CC469F9a52cb8e502b048610728a7c1a6ca0632', 'PublicApiDeployment'],
  ['Protection', 'Protection'],
])('%s is the name %s, whatever hashes it has', (logicalId, name) => {
  expect(stableName(logicalId)).toBe(name);
});

const allow = (Action: string, Resource: unknown, more: object = {}) => ({
  PolicyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource, ...more }] },
  Roles: [{ Ref: 'PetsRole1A2B3C4D' }],
});
const TABLE = { 'Fn::GetAtt': ['PetsTable1A2B3C4D', 'Arn'] };
const Condition = { Bool: { 'aws:SecureTransport': 'true' } };
const template = {
  Parameters: {},
  Mappings: {},
  Outputs: {},
  Resources: {
    PetsRoleDefaultPolicy5E6F7A8B: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        ...allow('dynamodb:Query', { 'Fn::Join': ['', [TABLE, '/index/byStatus']] }, { Condition }),
        PolicyName: 'PetsRoleDefaultPolicy5E6F7A8B',
      },
    },
    PetsRoleOverflowPolicy12345678: {
      Type: 'AWS::IAM::ManagedPolicy',
      Properties: { ...allow('dynamodb:Scan', TABLE), Path: '/' },
    },
  },
};

test('grants are those of inline and of managed policies, and places are names', () => {
  expect(grantsOf(template)).toEqual([
    { role: 'PetsRole', action: 'dynamodb:Query', place: 'PetsTable/index/byStatus', condition: Condition },
    { role: 'PetsRole', action: 'dynamodb:Scan', place: 'PetsTable', condition: undefined },
  ]);
});

test('two resources of a type that differ in their hash only are refused', () => {
  const [policy] = Object.values(template.Resources);
  const Resources = { Policy1A2B3C4D: policy, Policy5E6F7A8B: policy } as never;
  expect(() => ofType({ Resources }, 'AWS::IAM::Policy')).toThrow('have the name Policy.');
});
