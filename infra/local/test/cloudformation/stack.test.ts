// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of Fn::Sub.
import { describe, expect, test } from 'vitest';
import { Template } from '../../cloudformation/cloud-assembly.ts';
import { resolveDynamicReferences, resolveStack } from '../../cloudformation/stack.ts';
import { RESOURCE_TYPES } from '../../resource-types.ts';

function resolved(sections: Record<string, unknown>) {
  const template = Template.parse({ Resources: {}, ...sections });
  return resolveStack({ name: 'Zoo', template }, RESOURCE_TYPES);
}

function output(value: unknown, sections: Record<string, unknown> = {}) {
  return resolved({ ...sections, Outputs: { Value: { Value: value } } }).outputs.Value;
}

const table = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  },
};

describe('physical ids', () => {
  test('are names, composed of stack and logical id where the template gives none', () => {
    const named = { ...table, Properties: { ...table.Properties, TableName: 'pets' } };
    const ids = resolved({ Resources: { A: table, B: named } }).resources.map(({ physicalId }) => physicalId);
    expect(ids).toEqual(['Zoo-A', 'pets']);
  });

  test('have the form of AWS for an API and are the same each time', () => {
    const Properties = { Name: 'x', EndpointConfiguration: { Types: ['REGIONAL'] } };
    const Resources = { Api: { Type: 'AWS::ApiGateway::RestApi', Properties } };
    const [first] = resolved({ Resources }).resources;
    const [second] = resolved({ Resources }).resources;
    expect(first?.physicalId).toMatch(/^[a-z0-9]{10}$/);
    expect(second?.physicalId).toBe(first?.physicalId);
    expect(output({ 'Fn::GetAtt': ['Api', 'RootResourceId'] }, { Resources })).toBe(
      `${first?.physicalId}-root`,
    );
  });

  test('may be composed of other resources’ names', () => {
    const Resources = {
      Logs: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: { 'Fn::Sub': '/aws/${Pets}' } } },
      Pets: table,
    };
    expect(resolved({ Resources }).resources[0]?.physicalId).toBe('/aws/Zoo-Pets');
    expect(output({ 'Fn::GetAtt': ['Logs', 'Arn'] }, { Resources })).toBe(
      'arn:aws:logs:us-east-1:000000000000:log-group:/aws/Zoo-Pets:*',
    );
  });
});

describe('intrinsic functions', () => {
  const Resources = { Pets: table };
  const Mappings = { Limits: { 'us-east-1': { rate: '5' } } };

  test('refuse a mapping that does not exist', () => {
    const value = { 'Fn::FindInMap': ['Limits', 'mars-1', 'rate'] };
    expect(() => output(value, { Mappings })).toThrow('unable to get mapping for Limits::mars-1::rate');
  });

  test.each([
    ['Ref', { Ref: 'Pets' }, 'Zoo-Pets'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::StackName' }, 'Zoo'],
    ['GetAtt', { 'Fn::GetAtt': ['Pets', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Zoo-Pets'],
    [
      'GetAtt as text',
      { 'Fn::GetAtt': 'Pets.Arn' },
      'arn:aws:dynamodb:us-east-1:000000000000:table/Zoo-Pets',
    ],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }]] }, 'a-us-east-1'],
    ['Sub', { 'Fn::Sub': '${AWS::AccountId} ${Pets} ${!Literal}' }, '000000000000 Zoo-Pets ${Literal}'],
    ['Sub with variables', { 'Fn::Sub': ['${a}.${AWS::URLSuffix}', { a: 'b' }] }, 'b.amazonaws.com'],
    ['FindInMap', { 'Fn::FindInMap': ['Limits', { Ref: 'AWS::Region' }, 'rate'] }, '5'],
    ['Select and Split', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b'] }] }, 'b'],
  ])('%s', (_, value, expected) => {
    expect(output(value, { Resources, Mappings })).toBe(expected);
  });

  test('NoValue removes a property and a list item', () => {
    const Properties = {
      ...table.Properties,
      TableName: { Ref: 'AWS::NoValue' },
      Tags: [{ Ref: 'AWS::NoValue' }],
    };
    const [resource] = resolved({ Resources: { Pets: { ...table, Properties } } }).resources;
    expect(resource?.properties).toEqual({ ...table.Properties, Tags: [] });
    expect(resource?.physicalId).toBe('Zoo-Pets');
  });
});

describe('refuses by name', () => {
  test.each([
    [
      'a resource type',
      { Stream: { Type: 'AWS::Kinesis::Stream' } },
      'Zoo, Stream (AWS::Kinesis::Stream): this resource type is not supported by the local AWS',
    ],
    [
      'a property',
      { Pets: { ...table, Properties: { ...table.Properties, StreamSpecification: {} } } },
      'Zoo, Pets (AWS::DynamoDB::Table): the property StreamSpecification is not supported by the local AWS',
    ],
    [
      'a nested property',
      {
        Pets: {
          ...table,
          Properties: { ...table.Properties, TimeToLiveSpecification: { Enabled: true, Days: 1 } },
        },
      },
      'Zoo, Pets (AWS::DynamoDB::Table): the property TimeToLiveSpecification.Days is not supported by the local AWS',
    ],
    [
      'an intrinsic function',
      { Pets: { ...table, Properties: { ...table.Properties, TableName: { 'Fn::ImportValue': 'x' } } } },
      'Zoo, Pets (AWS::DynamoDB::Table): the intrinsic function Fn::ImportValue is not supported by the local AWS',
    ],
    [
      'an attribute',
      {
        Logs: {
          Type: 'AWS::Logs::LogGroup',
          Properties: { LogGroupName: { 'Fn::GetAtt': ['Pets', 'StreamArn'] } },
        },
        Pets: table,
      },
      'Zoo, Logs (AWS::Logs::LogGroup): the attribute StreamArn of Pets (AWS::DynamoDB::Table) is not supported by the local AWS',
    ],
    [
      'a reference to nothing',
      { Logs: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: { Ref: 'Nothing' } } } },
      'Zoo, Logs (AWS::Logs::LogGroup): Nothing is not declared in the template',
    ],
    [
      'a name that refers to itself',
      { Logs: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: { 'Fn::Sub': '${Logs}x' } } } },
      'Zoo, Logs (AWS::Logs::LogGroup): the name of Logs refers to itself',
    ],
  ])('%s', (_, Resources, message) => {
    expect(() => resolved({ Resources })).toThrow(message);
  });

  test('a parameter, unless nothing refers to it', () => {
    const Parameters = { Version: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/x' } };
    expect(resolved({ Parameters }).outputs).toEqual({});
    expect(() => output({ Ref: 'Version' }, { Parameters })).toThrow(
      'the parameter Version is not supported by the local AWS',
    );
  });
});

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Zoo-Key-abcdef';

function withSecret(value: string): unknown {
  const resource = {
    stack: 'Zoo',
    logicalId: 'F',
    type: 'T',
    physicalId: 'F',
    properties: { A: [{ B: value }] },
  };
  return resolveDynamicReferences(resource, id => (id === ARN ? 'open sesame' : undefined)).properties;
}

test.each([
  [`{{resolve:secretsmanager:${ARN}:SecretString:::}}`, 'open sesame'],
  [`{{resolve:secretsmanager:${ARN}}}`, 'open sesame'],
  [`before {{resolve:secretsmanager:${ARN}:SecretString}} after`, 'before open sesame after'],
  ['nothing to resolve', 'nothing to resolve'],
])('resolves %s', (value, expected) => {
  expect(withSecret(value)).toEqual({ A: [{ B: expected }] });
});

test.each([
  ['{{resolve:secretsmanager:other:SecretString:::}}', 'names a secret that no stack declares'],
  [`{{resolve:secretsmanager:${ARN}:SecretString:user::}}`, 'names a secret that no stack declares'],
  ['{{resolve:ssm:/name}}', 'Zoo, F (T): the dynamic reference {{resolve:ssm:/name}} is not supported'],
])('refuses %s', (value, message) => {
  expect(() => withSecret(value)).toThrow(message);
});
