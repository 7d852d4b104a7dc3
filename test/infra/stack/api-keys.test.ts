import { describe, expect, test } from 'vitest';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

interface Statement {
  readonly Action: string;
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

describe.each(STACKS)('the API keys of %s', stack => {
  const template = templateOf(stack);
  const stage = stack.replace('Petstore-', '').toLowerCase();

  const keyStatements = (role: string, action: string): Statement[] =>
    [...resourcesOf(template, 'AWS::IAM::Policy').values()]
      .filter(({ Properties: { Roles } }) => Roles.some(({ Ref }: { Ref: string }) => nameOf(Ref) === role))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as Statement[])
      .filter(({ Action, Resource }) => Action === action && JSON.stringify(Resource).includes('apikeys'));

  test.each(['OperatorOperateRole', 'ApiKeysReconcileKeysRole'])(
    '%s deletes only keys with the tag of the environment',
    role => {
      const statements = keyStatements(role, 'apigateway:DELETE');
      expect(statements).toHaveLength(1);
      expect(statements[0]?.Condition).toEqual({
        StringEquals: { 'aws:ResourceTag/petstore:environment': stage },
      });
    },
  );

  test('the operator creates them only with the tag of the environment', () => {
    const statements = keyStatements('OperatorOperateRole', 'apigateway:POST');
    expect(statements).toHaveLength(1);
    expect(statements[0]?.Condition).toEqual({
      StringEquals: { 'aws:RequestTag/petstore:environment': stage },
    });
  });

  test('are reconciled every five minutes', () => {
    const rule = resourcesOf(template, 'AWS::Events::Rule').get('ApiKeysEveryFewMinutes')?.Properties;
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
  });
});
