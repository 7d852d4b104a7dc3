import { expect, test } from 'vitest';
import { readableTemplate } from './readable-template.ts';

test('a reader sees a line for each grant, with its condition', () => {
  const Condition = { Bool: { 'aws:SecureTransport': 'true' } };
  const Resource = {
    'Fn::Join': ['', [{ 'Fn::GetAtt': ['PetsTable1A2B3C4D', 'Arn'] }, '/index/byStatus']],
  };
  const PolicyName = 'PetsRoleDefaultPolicy5E6F7A8B';
  const PolicyDocument = { Statement: [{ Effect: 'Allow', Action: 'dynamodb:Query', Resource, Condition }] };
  const Properties = { PolicyDocument, PolicyName, Roles: [{ Ref: 'PetsRole1A2B3C4D' }] };
  const Resources = { [PolicyName]: { Type: 'AWS::IAM::Policy', Properties } };
  const template = { Parameters: {}, Mappings: {}, Outputs: {}, Resources };
  const grant = `Allow dynamodb:Query on \${PetsTable.Arn}/index/byStatus`;
  expect(readableTemplate(template).Resources['PetsRoleDefaultPolicy AWS::IAM::Policy']).toEqual([
    { [grant]: { Condition } },
  ]);
});
