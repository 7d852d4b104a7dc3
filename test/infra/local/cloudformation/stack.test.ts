// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of Fn::Sub.
import { describe, expect, test } from 'vitest';
import { resolveStack } from '../../../../infra/local/cloudformation/stack.ts';
import { Template } from '../../../../infra/local/cloudformation/template.ts';
import { RESOURCE_TYPES } from '../../../../infra/local/resource-types.ts';

function resolved(sections: Record<string, unknown>, parameters: Record<string, string> = {}) {
  const template = Template.parse({ Resources: {}, ...sections });
  return resolveStack({ name: 'Zoo', template, parameters }, RESOURCE_TYPES);
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
    const Resources = { Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'x' } } };
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
    ['Select and Split', { 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b'] }] }, 'b'],
    ['FindInMap', { 'Fn::FindInMap': ['Sizes', 'small', 'kg'] }, '5'],
    ['If', { 'Fn::If': ['IsZoo', 'yes', 'no'] }, 'yes'],
  ])('%s', (_, value, expected) => {
    const Mappings = { Sizes: { small: { kg: 5 } } };
    const Conditions = {
      IsZoo: {
        'Fn::And': [
          { 'Fn::Equals': [{ Ref: 'AWS::StackName' }, 'Zoo'] },
          { 'Fn::Not': [{ Condition: 'No' }] },
        ],
      },
      No: { 'Fn::Or': [{ 'Fn::Equals': ['a', 'b'] }] },
    };
    expect(output(value, { Resources, Mappings, Conditions })).toBe(expected);
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

  test('a parameter has the value that the assembly gives, or its default', () => {
    const Parameters = { Size: { Type: 'String', Default: 'small' } };
    const Outputs = { Size: { Value: { Ref: 'Size' } } };
    expect(resolved({ Parameters, Outputs }).outputs).toEqual({ Size: 'small' });
    expect(resolved({ Parameters, Outputs }, { Size: 'big' }).outputs).toEqual({ Size: 'big' });
  });

  test('a resource whose condition is false is not created', () => {
    const Conditions = { Never: { 'Fn::Equals': ['a', 'b'] } };
    expect(resolved({ Conditions, Resources: { Pets: { ...table, Condition: 'Never' } } }).resources).toEqual(
      [],
    );
  });
});

describe('refuses by name', () => {
  test.each([
    [
      'a resource type',
      { Stream: { Type: 'AWS::Kinesis::Stream' } },
      'Zoo, Stream (AWS::Kinesis::Stream): this resource type is not supported by the local runtime',
    ],
    [
      'a property',
      { Pets: { ...table, Properties: { ...table.Properties, StreamSpecification: {} } } },
      'Zoo, Pets (AWS::DynamoDB::Table): the property StreamSpecification is not supported by the local runtime',
    ],
    [
      'a nested property',
      {
        Pets: {
          ...table,
          Properties: { ...table.Properties, TimeToLiveSpecification: { Enabled: true, Days: 1 } },
        },
      },
      'Zoo, Pets (AWS::DynamoDB::Table): the property TimeToLiveSpecification.Days is not supported by the local runtime',
    ],
    [
      'an intrinsic function',
      { Pets: { ...table, Properties: { ...table.Properties, TableName: { 'Fn::ImportValue': 'x' } } } },
      'Zoo, Pets (AWS::DynamoDB::Table): the intrinsic function Fn::ImportValue is not supported by the local runtime',
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
      'Zoo, Logs (AWS::Logs::LogGroup): the attribute StreamArn of Pets (AWS::DynamoDB::Table) is not supported by the local runtime',
    ],
    [
      'a reference to nothing',
      { Logs: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: { Ref: 'Nothing' } } } },
      'Zoo, Logs (AWS::Logs::LogGroup): Nothing is not declared in the template',
    ],
    [
      'an unknown condition in a policy',
      {
        Policy: {
          Type: 'AWS::IAM::Policy',
          Properties: {
            PolicyName: 'x',
            PolicyDocument: {
              Statement: [
                {
                  Effect: 'Allow',
                  Action: '*',
                  Resource: '*',
                  Condition: { IpAddress: { 'aws:SourceIp': '::1' } },
                },
              ],
            },
          },
        },
      },
      'Zoo, Policy (AWS::IAM::Policy): the property PolicyDocument.Statement.0.Condition.IpAddress.aws:SourceIp is not supported by the local runtime',
    ],
    [
      'a name that refers to itself',
      { Logs: { Type: 'AWS::Logs::LogGroup', Properties: { LogGroupName: { 'Fn::Sub': '${Logs}x' } } } },
      'Zoo, Logs (AWS::Logs::LogGroup): the name of Logs refers to itself',
    ],
  ])('%s', (_, Resources, message) => {
    expect(() => resolved({ Resources })).toThrow(message);
  });

  test('a parameter that is read from SSM', () => {
    const Parameters = { Version: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/x' } };
    expect(resolved({ Parameters }).outputs).toEqual({});
    expect(() => output({ Ref: 'Version' }, { Parameters })).toThrow(
      'the parameter Version is read from SSM',
    );
  });
});
