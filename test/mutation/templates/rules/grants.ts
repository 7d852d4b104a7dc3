import {
  type Change,
  type Data,
  type Rules,
  without,
  withoutAttribute,
  withValue,
} from '../template-mutant.ts';

const EVERYBODY = { AWS: '*' };

/** A statement of a policy of a role: dropped, widened, extended, or without its condition. */
function statementChanges(statement: Data, path: readonly (string | number)[], index: number): Change[] {
  const actions: string[] = [statement.Action].flat();
  const [service] = (actions[0] ?? '').split(':');
  return [
    without(`no statement (${index})`, ...path),
    withValue(`on everything (${index})`, '*', ...path, 'Resource'),
    withValue(`every action (${index})`, `${service}:*`, ...path, 'Action'),
    withValue(`an action more (${index})`, [...actions, 's3:GetObject'], ...path, 'Action'),
    ...conditionChanges(statement, path, index),
  ];
}

function conditionChanges(
  { Condition = {} }: Data,
  path: readonly (string | number)[],
  index: number,
): Change[] {
  return [
    without(`no condition (${index})`, ...path, 'Condition'),
    ...Object.entries<Data>(Condition).flatMap(([operator, keys]) =>
      Object.keys(keys).map(key =>
        without(`a condition less (${index}, ${operator} of ${key})`, ...path, 'Condition', operator, key),
      ),
    ),
  ];
}

/** The statements of a policy on a queue or topic, which say who may use it. */
function resourcePolicyChanges({ Properties }: Data): Change[] {
  return Properties.PolicyDocument.Statement.flatMap((statement: Data, index: number) => {
    const path = ['PolicyDocument', 'Statement', index];
    return [
      without(`no statement (${index})`, ...path),
      withValue(`allowed instead of denied (${index})`, 'Allow', ...path, 'Effect'),
      withValue(`everybody (${index})`, EVERYBODY, ...path, 'Principal'),
      ...conditionChanges(statement, path, index),
    ];
  });
}

/** Roles, their policies, and the policies of resources. */
export const grantChanges: Rules = {
  'AWS::IAM::Policy': ({ Properties }) => [
    ...Properties.PolicyDocument.Statement.flatMap((statement: Data, index: number) =>
      statementChanges(statement, ['PolicyDocument', 'Statement', index], index),
    ),
    withValue(
      'a statement more',
      { Effect: 'Allow', Action: '*', Resource: '*' },
      'PolicyDocument',
      'Statement',
      Properties.PolicyDocument.Statement.length,
    ),
  ],
  'AWS::IAM::Role': ({ Properties }) => [
    withValue('assumed by everybody', EVERYBODY, 'AssumeRolePolicyDocument', 'Statement', 0, 'Principal'),
    ...conditionChanges(
      Properties.AssumeRolePolicyDocument.Statement[0],
      ['AssumeRolePolicyDocument', 'Statement', 0],
      0,
    ),
    withValue('an administrator', ['arn:aws:iam::aws:policy/AdministratorAccess'], 'ManagedPolicyArns'),
    withValue(
      'an inline policy more',
      [
        {
          PolicyName: 'all',
          PolicyDocument: { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] },
        },
      ],
      'Policies',
    ),
    without('no managed policy', 'ManagedPolicyArns'),
    withoutAttribute('no deletion policy', 'DeletionPolicy'),
  ],
  'AWS::SNS::TopicPolicy': resourcePolicyChanges,
  'AWS::SQS::QueuePolicy': resourcePolicyChanges,
};
