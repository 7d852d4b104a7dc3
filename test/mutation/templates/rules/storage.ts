import { type Change, type Data, type Rules, without, withValue } from '../template-mutant.ts';

/** Data that a deletion or replacement of the resource would lose. */
const RETENTION: readonly Change[] = [
  withValue('deleted with the stack', 'Delete', 'DeletionPolicy'),
  without('no deletion policy', 'DeletionPolicy'),
  withValue('deleted when it is replaced', 'Delete', 'UpdateReplacePolicy'),
];

/** Tables, log groups, the secret, the zone, the queue and the key. */
export const storageChanges: Rules = {
  'AWS::DynamoDB::Table': ({ Properties }) => [
    ...RETENTION,
    withValue('protected before the deploy has succeeded', true, 'Properties', 'DeletionProtectionEnabled'),
    without('no point-in-time recovery', 'Properties', 'PointInTimeRecoverySpecification'),
    withValue(
      'point-in-time recovery disabled',
      { PointInTimeRecoveryEnabled: false },
      'Properties',
      'PointInTimeRecoverySpecification',
    ),
    without('no billing mode', 'Properties', 'BillingMode'),
    without('no time to live', 'Properties', 'TimeToLiveSpecification'),
    ...(Properties.TimeToLiveSpecification
      ? [
          withValue('time to live disabled', false, 'Properties', 'TimeToLiveSpecification', 'Enabled'),
          withValue(
            'time to live of another attribute',
            'createdAt',
            'Properties',
            'TimeToLiveSpecification',
            'AttributeName',
          ),
        ]
      : []),
    ...Properties.KeySchema.map(({ KeyType }: Data, index: number) =>
      without(`no key (${KeyType})`, 'Properties', 'KeySchema', index),
    ),
    ...Properties.AttributeDefinitions.map(({ AttributeName, AttributeType }: Data, index: number) =>
      withValue(
        `another type (${AttributeName})`,
        AttributeType === 'N' ? 'S' : 'N',
        ...['Properties', 'AttributeDefinitions', index, 'AttributeType'],
      ),
    ),
    ...(Properties.GlobalSecondaryIndexes ?? []).flatMap(({ IndexName, Projection }: Data, index: number) => {
      const path = ['Properties', 'GlobalSecondaryIndexes', index];
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
    without('no retention', 'Properties', 'RetentionInDays'),
    withValue('kept for a day', 1, 'Properties', 'RetentionInDays'),
    without('another name', 'Properties', 'LogGroupName'),
  ],
  'AWS::SecretsManager::Secret': () => [
    ...RETENTION,
    withValue('short secret', 8, 'Properties', 'GenerateSecretString', 'PasswordLength'),
    withValue('secret in the template', { SecretString: 'secret' }, 'Properties'),
  ],
  'AWS::Route53::HostedZone': () => [
    ...RETENTION,
    withValue('another name', 'other.petstore.test.', 'Properties', 'Name'),
  ],
  'AWS::SQS::Queue': () => [
    withValue('not encrypted', false, 'Properties', 'SqsManagedSseEnabled'),
    withValue('messages kept for a minute', 60, 'Properties', 'MessageRetentionPeriod'),
    without('messages kept for four days', 'Properties', 'MessageRetentionPeriod'),
  ],
  'AWS::KMS::Key': ({ Properties }) => [
    withValue('not rotated', false, 'Properties', 'EnableKeyRotation'),
    ...Properties.KeyPolicy.Statement.flatMap((_: Data, index: number) => [
      without(`no statement (${index})`, 'Properties', 'KeyPolicy', 'Statement', index),
      withValue(
        `everybody in a statement (${index})`,
        { AWS: '*' },
        ...['Properties', 'KeyPolicy', 'Statement', index, 'Principal'],
      ),
    ]),
  ],
};
