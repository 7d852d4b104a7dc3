import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { describe, expect, test } from 'vitest';
import { ofType, RESOURCE_TYPES, type Resources } from '../../../infra/local/template.ts';
import { otherEnvironments } from './other-environments/assembly.ts';
import { physicalNames, STACKS, templateOf } from './templates.ts';

const assembly = otherEnvironments();
const sandbox = assembly.getStackByName('Petstore-Sandbox');
const production = assembly.getStackByName('Petstore-Production');
const infoOf = (stack: CloudFormationStackArtifact) =>
  stack.messages.filter(({ level }) => level === 'info').map(({ entry }) => entry.data);

describe('a stack without settings', () => {
  test('can be deployed wherever the credentials point at', () => {
    expect(sandbox.environment).toMatchObject({ account: 'unknown-account', region: 'unknown-region' });
  });

  test('has no zone and no host, and nothing that refers to them', () => {
    expect(JSON.stringify(sandbox.template)).not.toMatch(/hostedzone|PLATFORM_/i);
    expect(sandbox.template.Outputs).not.toHaveProperty('PlatformNameServers');
  });

  test('says in a line each that custom domains wait for a platform domain, and alarms for an address', () => {
    expect(infoOf(sandbox)).toEqual([
      'Custom domains need a platform domain: set platformDomain in sandbox.json (infra/settings/README.md).',
      'There are no alarms and no dashboard: set alarmAddress in sandbox.json (infra/settings/README.md).',
    ]);
    expect(infoOf(production)).toEqual([
      'Alarms are sent to ops@zoo.dev and desk@zoo.dev, once the link in the confirmation email from AWS has been followed.',
    ]);
  });

  test('has everything else but alarms, mails and what comes with them', () => {
    const types = (template: Resources) =>
      Object.values(template.Resources)
        .map(({ Type }) => Type)
        .filter(type => !/::(HostedZone|CDK::Metadata|ManagedPolicy|WebACL\w*)$/.test(type))
        .toSorted();
    const isOfMails = ([id]: [string, unknown]) =>
      /^(DomainMail|Monitoring(?!Quer|UndeliveredEvents))/.test(id);
    const watched = Object.entries(templateOf('Petstore-Staging').Resources);
    const unwatched = { Resources: Object.fromEntries(watched.filter(entry => !isOfMails(entry))) };
    expect(types(sandbox.template)).toEqual(types(unwatched));
  });
});

describe('a personal stack', () => {
  test('has a stage, an operator function and API keys of its own', () => {
    const text = JSON.stringify(sandbox.template);
    expect(text).toContain('"StageName":"sandbox"');
    expect(text).toContain('"FunctionName":"petstore-sandbox-operator"');
    expect(text).toContain('pet_test_[0-9A-Za-z]{34}');
    expect(text).not.toMatch(/staging|production|pet_live_/i);
  });

  test('can be deleted, with all of its data; only the account’s role for logs stays', () => {
    expect(sandbox.terminationProtection).toBeFalsy();
    const retained = Object.values((sandbox.template as Resources).Resources)
      .filter(({ DeletionPolicy }) => DeletionPolicy?.startsWith('Retain'))
      .map(({ Type }) => Type);
    expect(retained.toSorted()).toEqual(['AWS::ApiGateway::Account', 'AWS::IAM::Role']);
  });
});

describe('the production stack', () => {
  test('sets API Gateway’s role for logs where the settings say so', () => {
    expect([...ofType(production.template, 'AWS::ApiGateway::Account').keys()]).toEqual(['PublicApiAccount']);
  });

  test('is pinned to its account and region', () => {
    expect(production.environment).toMatchObject({ account: '111122223333', region: 'eu-central-1' });
    // The roles that deploy it are those of its own bootstrap.
    expect(production.assumeRoleArn).toMatch(/:role\/cdk-zooprod-deploy-role-/);
    expect(production.cloudFormationExecutionRoleArn).toMatch(/:role\/cdk-zooprod-cfn-exec-role-/);
  });

  test('has the throttles, shards and log retention of its settings', () => {
    const [stage] = ofType(production.template, 'AWS::ApiGateway::Stage').values();
    const limits = stage?.Properties.MethodSettings.map(
      (each: { ThrottlingRateLimit: number }) => each.ThrottlingRateLimit,
    );
    // Of seven requests a second, each method keeps at least one.
    expect(new Set(limits)).toEqual(new Set([1, 2, 10]));
    const [plan] = ofType(production.template, 'AWS::ApiGateway::UsagePlan').values();
    expect(plan?.Properties.Throttle).toEqual({ RateLimit: 3, BurstLimit: 4 });
    const shards = JSON.stringify(production.template).match(/"PET_SHARDS":"\d+"/g);
    expect(new Set(shards)).toEqual(new Set(['"PET_SHARDS":"5"']));
    for (const [name, { Properties }] of ofType(production.template, 'AWS::Logs::LogGroup')) {
      expect(Properties.RetentionInDays, name).toBe(365);
    }
  });

  test('traces every function and both APIs', () => {
    for (const [name, { Properties }] of ofType(production.template, 'AWS::Lambda::Function')) {
      expect(Properties.TracingConfig, name).toEqual({ Mode: 'Active' });
    }
    const stages = [...ofType(production.template, 'AWS::ApiGateway::Stage').values()];
    expect(stages.map(({ Properties }) => Properties.TracingEnabled)).toEqual([true, true]);
    expect(JSON.stringify(sandbox.template)).not.toMatch(/Tracing|xray/);
  });

  test('puts the web ACL in front of both APIs', () => {
    const associations = [...ofType(production.template, 'AWS::WAFv2::WebACLAssociation').values()];
    const stages = associations.map(({ Properties }) => JSON.stringify(Properties.ResourceArn));
    expect(new Set(stages).size).toBe(2);
    for (const { Properties } of associations) expect(Properties.WebACLArn).toContain('webacl/zoo');
  });

  test('uses a restored table, grants on it and watches it, and creates no table in its place', () => {
    const tables = [...ofType(production.template, 'AWS::DynamoDB::Table').keys()];
    expect(tables).not.toContain('OrdersTable');
    expect(tables).toContain('PetsTable');
    const text = JSON.stringify(production.template);
    expect(text).toContain('"ORDERS_TABLE":"orders-of-monday"');
    expect(text).toContain(':dynamodb:eu-central-1:111122223333:table/orders-of-monday"');
    expect(text).toContain('table/orders-of-monday/index/');
    expect(text).toContain(String.raw`\"TableName\",\"orders-of-monday\"`);
  });
});

test('stacks share no name, and none imports from another', () => {
  const templates = [sandbox.template, ...STACKS.map(templateOf)];
  const names = templates.flatMap(physicalNames);
  expect(names.length).toBeGreaterThan(templates.length);
  expect(new Set(names).size).toBe(names.length);
  expect(JSON.stringify(templates)).not.toMatch(/Fn::ImportValue|"Export"/);
});

test.each([sandbox, production])(
  '$stackName has tags by which its costs are told apart',
  ({ stackName, tags }) => {
    const environment = stackName.replace('Petstore-', '').toLowerCase();
    expect(tags).toEqual({ service: 'petstore', environment });
  },
);

test('the local AWS has the resource types of the stacks and no other', () => {
  const declared = STACKS.flatMap(stack =>
    Object.values(templateOf(stack).Resources).map(({ Type }) => Type),
  );
  // CDK adds a managed policy where the grants of a role are too long for its own.
  expect(new Set(Object.keys(RESOURCE_TYPES))).toEqual(new Set([...declared, 'AWS::IAM::ManagedPolicy']));
});
