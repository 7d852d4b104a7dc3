import {
  type Change,
  type Data,
  type Rules,
  withAttribute,
  without,
  withoutAttribute,
  withValue,
} from '../template-mutant.ts';

/** Data that a deletion or replacement of the resource would lose. */
const RETENTION: readonly Change[] = [
  withAttribute('deleted with the stack', 'Delete', 'DeletionPolicy'),
  withoutAttribute('no deletion policy', 'DeletionPolicy'),
  withAttribute('deleted when it is replaced', 'Delete', 'UpdateReplacePolicy'),
];

/** Tables, log groups, the secret, the zone, the queue and the key. */
export const storageChanges: Rules = {
  'AWS::DynamoDB::Table': ({ Properties }) => [
    ...RETENTION,
    withValue('protected before the deploy has succeeded', true, 'DeletionProtectionEnabled'),
    without('no point-in-time recovery', 'PointInTimeRecoverySpecification'),
    withValue(
      'point-in-time recovery disabled',
      { PointInTimeRecoveryEnabled: false },
      'PointInTimeRecoverySpecification',
    ),
    without('no billing mode', 'BillingMode'),
    without('no time to live', 'TimeToLiveSpecification'),
    ...(Properties.TimeToLiveSpecification
      ? [
          withValue('time to live disabled', false, 'TimeToLiveSpecification', 'Enabled'),
          withValue(
            'time to live of another attribute',
            'createdAt',
            'TimeToLiveSpecification',
            'AttributeName',
          ),
        ]
      : []),
    ...Properties.KeySchema.map(({ KeyType }: Data, index: number) =>
      without(`no key (${KeyType})`, 'KeySchema', index),
    ),
    ...Properties.AttributeDefinitions.map(({ AttributeName, AttributeType }: Data, index: number) =>
      withValue(
        `another type (${AttributeName})`,
        AttributeType === 'N' ? 'S' : 'N',
        'AttributeDefinitions',
        index,
        'AttributeType',
      ),
    ),
    ...(Properties.GlobalSecondaryIndexes ?? []).flatMap(({ IndexName, Projection }: Data, index: number) => {
      const path = ['GlobalSecondaryIndexes', index];
      return [
        without(`no index (${IndexName})`, ...path),
        withValue(`another name of an index (${IndexName})`, 'byAnything', ...path, 'IndexName'),
        without(`no sort key of an index (${IndexName})`, ...path, 'KeySchema', 1),
        withValue(
          `keys only in an index (${IndexName})`,
          { ProjectionType: 'KEYS_ONLY' },
          ...path,
          'Projection',
        ),
        ...(Projection.NonKeyAttributes ?? []).map((name: string, position: number) =>
          without(
            `an attribute missing in an index (${IndexName}, ${name})`,
            ...path,
            'Projection',
            'NonKeyAttributes',
            position,
          ),
        ),
      ];
    }),
  ],
  'AWS::Logs::LogGroup': () => [
    without('no retention', 'RetentionInDays'),
    withValue('kept for a day', 1, 'RetentionInDays'),
    without('another name', 'LogGroupName'),
  ],
  'AWS::SecretsManager::Secret': () => [
    ...RETENTION,
    withValue('short secret', 8, 'GenerateSecretString', 'PasswordLength'),
    withValue('secret in the template', { SecretString: 'secret' }),
  ],
  'AWS::Route53::HostedZone': () => [...RETENTION, withValue('another name', 'other.petstore.test.', 'Name')],
  'AWS::SQS::Queue': () => [
    withValue('not encrypted', false, 'SqsManagedSseEnabled'),
    withValue('messages kept for a minute', 60, 'MessageRetentionPeriod'),
    without('messages kept for four days', 'MessageRetentionPeriod'),
  ],
  'AWS::KMS::Key': ({ Properties }) => [
    withValue('not rotated', false, 'EnableKeyRotation'),
    ...Properties.KeyPolicy.Statement.flatMap((_: Data, index: number) => [
      without(`no statement (${index})`, 'KeyPolicy', 'Statement', index),
      withValue(
        `everybody in a statement (${index})`,
        { AWS: '*' },
        'KeyPolicy',
        'Statement',
        index,
        'Principal',
      ),
    ]),
  ],
};
