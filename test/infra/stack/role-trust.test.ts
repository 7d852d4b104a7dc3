import { describe, expect, test } from 'vitest';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the roles of %s', stack => {
  const template = templateOf(stack);
  const roles = resourcesOf(template, 'AWS::IAM::Role');
  const usersOf = (type: string, property: string) =>
    [...resourcesOf(template, type).values()].map(({ Properties }) =>
      nameOf(Properties[property]['Fn::GetAtt'][0]),
    );
  const ofFunctions = usersOf('AWS::Lambda::Function', 'Role');
  const ofMachines = usersOf('AWS::StepFunctions::StateMachine', 'RoleArn');
  const ofGateway = usersOf('AWS::ApiGateway::Account', 'CloudWatchRoleArn');
  const trustOf = (role: string) => roles.get(role)?.Properties.AssumeRolePolicyDocument.Statement;
  const trust = (service: string) => ({
    Action: 'sts:AssumeRole',
    Effect: 'Allow',
    Principal: { Service: service },
  });

  test('are each used by a function, a state machine or the gateway', () => {
    expect([...roles.keys()].toSorted()).toEqual([...ofFunctions, ...ofMachines, ...ofGateway].toSorted());
  });

  test('are assumed by the service that uses them, and by nobody else', () => {
    for (const role of ofFunctions) expect(trustOf(role), role).toEqual([trust('lambda.amazonaws.com')]);
    for (const role of ofGateway) expect(trustOf(role), role).toEqual([trust('apigateway.amazonaws.com')]);
    expect(ofMachines).toHaveLength(2);
    for (const role of ofMachines) {
      expect(trustOf(role), role).toEqual([
        {
          ...trust('states.amazonaws.com'),
          Condition: {
            StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
            ArnLike: { 'aws:SourceArn': expect.objectContaining({ 'Fn::Join': expect.anything() }) },
          },
        },
      ]);
    }
  });

  test('have no policy but those of the stack, the gateway’s role aside, which only writes logs', () => {
    for (const [name, { Properties }] of roles) {
      expect(Properties, name).not.toHaveProperty('Policies');
      if (!ofGateway.includes(name)) expect(Properties, name).not.toHaveProperty('ManagedPolicyArns');
    }
    const [gateway = ''] = ofGateway;
    const managed = roles.get(gateway)?.Properties.ManagedPolicyArns;
    expect(managed).toHaveLength(1);
    expect(JSON.stringify(managed)).toContain(
      ':iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs',
    );
  });

  test('a state machine invokes the functions of its own steps and nothing else', () => {
    for (const [name, { Properties }] of resourcesOf(template, 'AWS::StepFunctions::StateMachine')) {
      const steps = new Set<string>(
        Properties.DefinitionString['Fn::Join'][1].flatMap(
          (part: { 'Fn::GetAtt'?: string[] }) => part['Fn::GetAtt']?.[0] ?? [],
        ),
      );
      const statements = [...resourcesOf(template, 'AWS::IAM::Policy').values()]
        .filter(policy => policy.Properties.Roles[0].Ref === Properties.RoleArn['Fn::GetAtt'][0])
        .flatMap(policy => policy.Properties.PolicyDocument.Statement);
      const granted = statements.flatMap(({ Action, Resource }) => {
        expect(Action, name).toBe('lambda:InvokeFunction');
        return JSON.stringify(Resource).match(/(?<=GetAtt":\[")\w+/g) ?? [];
      });
      expect(new Set(granted), name).toEqual(steps);
    }
  });
});
