import { describe, expect, test } from 'vitest';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

interface Attribute {
  readonly AttributeName: string;
  readonly AttributeType?: string;
}

describe.each(STACKS)('the tables of %s', stack => {
  const tables = resourcesOf(templateOf(stack), 'AWS::DynamoDB::Table');

  test('can be taken back to any second, and grow with the load, without a capacity to be set', () => {
    for (const [name, { Properties }] of tables) {
      expect(Properties, name).toMatchObject({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        BillingMode: 'PAY_PER_REQUEST',
      });
    }
  });

  test('are unprotected in the template: a first deploy that failed could not be rolled back otherwise', () => {
    for (const [name, { Properties }] of tables) {
      expect(Properties, name).not.toHaveProperty('DeletionProtectionEnabled');
    }
  });

  /** Keys with their types, and projections. DynamoDB can't change them: CONTRIBUTING, *Change an index*, says what to do. */
  const DEPLOYED: Record<string, Record<string, string>> = {
    ApiKeysTable: { table: 'id S' },
    PetsTable: { table: 'shard N, id N', byStatus: 'statusShard S, id N: ALL' },
    PetsCreations: { table: 'request S' },
    OrdersTable: { table: 'list S, id N', byStatus: 'status S, id N: ALL' },
    ProjectsTable: { table: 'id S' },
    DomainsTable: { table: 'domain S, project S', byProject: 'project S, domain S: ALL' },
    OperatorAudit: { table: 'requestId S', byTime: 'log S, at S: ALL' },
  };

  test('have the keys and projections that are deployed', () => {
    const declared = [...tables].map(([name, { Properties }]) => {
      const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes = [] } = Properties;
      const types = new Map(
        AttributeDefinitions.map(({ AttributeName, AttributeType }: Attribute) => [
          AttributeName,
          AttributeType,
        ]),
      );
      const keys = (schema: readonly Attribute[]) =>
        schema.map(({ AttributeName }) => `${AttributeName} ${types.get(AttributeName)}`).join(', ');
      const indexes = GlobalSecondaryIndexes.map(({ IndexName, Projection, ...index }: typeof Properties) => [
        IndexName,
        `${keys(index.KeySchema)}: ${Projection.NonKeyAttributes?.join(', ') ?? Projection.ProjectionType}`,
      ]);
      return [name, { table: keys(KeySchema), ...Object.fromEntries(indexes) }];
    });
    expect(Object.fromEntries(declared)).toEqual(DEPLOYED);
  });

  test.each([
    ['what was created for an Idempotency-Key', 'PetsCreations'],
    ['what DNS had for a domain that was removed', 'DomainsTable'],
  ])('%s is forgotten by itself', (_, table) => {
    expect(tables.get(table)?.Properties.TimeToLiveSpecification).toEqual({
      AttributeName: 'expiresAt',
      Enabled: true,
    });
  });
});

/** What cannot be made again with the same contents; the canary would have another key. */
const HOLDS_DATA = ['AWS::DynamoDB::Table', 'AWS::Route53::HostedZone', 'AWS::SecretsManager::Secret'];

describe.each(STACKS)('the data of %s', stack => {
  const template = templateOf(stack);
  const keepsData = stack === 'Petstore-Production';

  test(keepsData ? 'outlives the stack' : 'goes with the stack', () => {
    const policies = keepsData ? ['RetainExceptOnCreate', 'Retain'] : ['Delete', 'Delete'];
    for (const type of HOLDS_DATA) {
      const resources = resourcesOf(template, type);
      expect(resources.size, type).toBeGreaterThan(0);
      for (const [name, { DeletionPolicy, UpdateReplacePolicy }] of resources) {
        const isKept = name !== 'MonitoringCanarySecret';
        expect([DeletionPolicy, UpdateReplacePolicy], name).toEqual(isKept ? policies : ['Delete', 'Delete']);
      }
    }
  });

  test('the secrets of the cursors and of the canary are drawn by AWS and have at least 256 bits', () => {
    const secrets = resourcesOf(template, 'AWS::SecretsManager::Secret');
    expect([...secrets.keys()]).toEqual(['PublicApiCursorSecret', 'MonitoringCanarySecret']);
    for (const { Properties } of secrets.values()) {
      // Letters of both cases and digits: 43 of them have 256 bits.
      expect(Properties.GenerateSecretString).toEqual({ ExcludePunctuation: true, PasswordLength: 43 });
      expect(Properties).not.toHaveProperty('SecretString');
    }
  });

  test('logs are kept for 90 days in production, and for at least a week elsewhere', () => {
    for (const [name, { Properties }] of resourcesOf(template, 'AWS::Logs::LogGroup')) {
      expect(Properties.RetentionInDays, name).toBeGreaterThanOrEqual(keepsData ? 90 : 7);
    }
  });

  test('events that could not be delivered are kept for two weeks', () => {
    for (const [name, { Properties }] of resourcesOf(template, 'AWS::SQS::Queue')) {
      expect(Properties.MessageRetentionPeriod, name).toBe(14 * 86_400);
    }
  });
});

test('the role by which API Gateway writes logs stays, because all APIs of the account use it', () => {
  const staging = templateOf('Petstore-Staging');
  const role = resourcesOf(staging, 'AWS::IAM::Role').get('PublicApiCloudWatchRole');
  const account = resourcesOf(staging, 'AWS::ApiGateway::Account').get('PublicApiAccount');
  for (const resource of [role, account]) {
    expect([resource?.DeletionPolicy, resource?.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  }
});
