import { describe, expect, test } from 'vitest';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

/** What cannot be made again with the same contents. */
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
        expect([DeletionPolicy, UpdateReplacePolicy], name).toEqual(policies);
      }
    }
  });

  test('the role by which API Gateway writes logs stays, because all APIs of the account use it', () => {
    const role = resourcesOf(template, 'AWS::IAM::Role').get('PublicApiCloudWatchRole');
    const account = resourcesOf(template, 'AWS::ApiGateway::Account').get('PublicApiAccount');
    for (const resource of [role, account]) {
      expect([resource?.DeletionPolicy, resource?.UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    }
  });

  test('the secret of the cursors is drawn by AWS and has at least 256 bits', () => {
    const [secret, ...others] = [...resourcesOf(template, 'AWS::SecretsManager::Secret').values()];
    expect(others).toEqual([]);
    // Letters of both cases and digits: 43 of them have 256 bits.
    expect(secret?.Properties.GenerateSecretString).toEqual({ ExcludePunctuation: true, PasswordLength: 43 });
    expect(secret?.Properties).not.toHaveProperty('SecretString');
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
