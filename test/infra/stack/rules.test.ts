import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Template, TemplateResource } from '../../../infra/local/template.ts';
import { otherEnvironments } from './other-environments/assembly.ts';
import { RULES } from './rules.ts';
import { codeFolder, STACKS, templateOf, withFault } from './templates.ts';

const words = new Map<string, ReadonlySet<string>>();

function wordsOf(fn: TemplateResource): ReadonlySet<string> {
  const file = join(codeFolder(fn), 'index.cjs');
  const known = words.get(file) ?? new Set(readFileSync(file, 'utf8').match(/\b[A-Z][A-Z_]{3,}\b/g));
  words.set(file, known);
  return known;
}

const production = templateOf('Petstore-Production');
const sandbox: Template = otherEnvironments().getStackByName('Petstore-Sandbox').template;

function allow(action: string, table: string) {
  return { Effect: 'Allow', Action: action, Resource: { Ref: table } };
}

const faultsOf = (rule: string, template: Template) => RULES[rule]?.({ template, wordsOf });

describe.each(STACKS)('in %s', stack => {
  test.each(Object.keys(RULES))('%s', rule => {
    expect(faultsOf(rule, templateOf(stack))).toEqual([]);
  });
});

/** Not for a stack without settings: code reads what only a platform domain has. */
const WITH_SETTINGS = /^the variables of a function/;

test.each(Object.keys(RULES).filter(rule => !WITH_SETTINGS.test(rule)))('without settings %s', rule => {
  expect(faultsOf(rule, sandbox)).toEqual([]);
});

const STATEMENTS = 'Properties.PolicyDocument.Statement';
const GRANT = `${STATEMENTS}.0`;

/** For each rule a resource of production, a part of it, and the value that breaks the rule. */
const PLANTED: readonly [rule: string, resource: string, path: string, value?: unknown][] = [
  ['an operation uses', 'PetsGetPetRoleDefaultPolicy', `${GRANT}.Action`, 'dynamodb:DeleteItem'],
  ['a table is', 'DocsGetOpenapiRoleDefaultPolicy', GRANT, allow('dynamodb:GetItem', 'PetsTable')],
  ['what isn’t of a table', 'DocsGetOpenapiRoleDefaultPolicy', GRANT, allow('s3:GetObject', 'PetsTable')],
  ['a wildcard', 'PetsGetPetRoleDefaultPolicy', `${GRANT}.Resource`, '*'],
  ['what isn’t of the stack', 'DomainFlowTendDomainRoleDefaultPolicy', `${STATEMENTS}.5.Condition`],
  ['a role is', 'PetsGetPetRole', 'Properties.AssumeRolePolicyDocument.Statement.0.Principal', { AWS: '*' }],
  [
    'a function is invoked',
    'PublicApiv1petsGETApiPermissionPetstoreProductionPublicApiGETv1pets',
    'Properties.SourceArn',
    '*',
  ],
  ['a rule for events', 'ProjectsDeployed', 'Properties.EventPattern.detail'],
  [
    'a state machine',
    'DomainFlowTendRoleDefaultPolicy',
    `${GRANT}.Resource.0`,
    { Ref: 'OperatorOperateFunction' },
  ],
  ['every route is behind', 'PublicApiv1petsGET', 'Properties.AuthorizationType', 'NONE'],
  ['the authorizer', 'PublicApiAuthorizer', 'Properties.AuthorizerResultTtlInSeconds', 3600],
  ['all methods', 'PublicApiUsagePlan', 'Properties.Throttle'],
  [
    'all methods',
    'PublicApiDeploymentStageproduction',
    'Properties.MethodSettings.0.ThrottlingRateLimit',
    5000,
  ],
  ['an API takes', 'PublicApi', 'Properties.SecurityPolicy'],
  [
    'a stage logs',
    'PublicApiDeploymentStageproduction',
    'Properties.MethodSettings.0.DataTraceEnabled',
    true,
  ],
  ['every stage that logs', 'PublicApiDeploymentStageproduction', 'DependsOn', []],
  ['the variables', 'PetsListPetsFunction', 'Properties.Environment.Variables.PETS_TABLE'],
  [
    'a variable refers',
    'PetsListPetsFunction',
    'Properties.Environment.Variables.PETS_TABLE',
    { Ref: 'OrdersTable' },
  ],
  ['no variable has', 'PetsListPetsFunction', 'Properties.Environment.Variables.API_SECRET', 'hunter2'],
  ['a function ends', 'PetsListPetsFunction', 'Properties.Timeout', 30],
  ['a function has', 'PetsListPetsFunction', 'Properties.Role', { Ref: 'OperatorOperateRole' }],
  ['data outlives', 'PetsTable', 'UpdateReplacePolicy', 'Delete'],
  ['tables and indexes', 'PetsTable', 'Properties.GlobalSecondaryIndexes.0.KeySchema.1'],
  ['a table can be', 'PetsTable', 'Properties.PointInTimeRecoverySpecification'],
  ['every target', 'ApiKeysEveryFewMinutes', 'Properties.Targets.0.DeadLetterConfig'],
  ['topics are', 'MonitoringAlarmsTopicPolicy', `${GRANT}.Condition`],
  ['logs are kept', 'PetsListPetsLogs', 'Properties.RetentionInDays'],
  ['a deployment', 'PublicApiDeployment', 'DependsOn', []],
  ['API Gateway’s', 'PublicApiTHROTTLED', 'DependsOn', []],
];

test.each(PLANTED)('%s: a fault of %s is noticed', (start, name, path, value) => {
  const rule = Object.keys(RULES).find(each => each.startsWith(start)) ?? '';
  expect(faultsOf(rule, withFault(production, name, path, value))).not.toEqual([]);
});

test('a stack has at most 400 resources: the rule says what to do', () => {
  const more = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`More${index}`, production.Resources.X]),
  );
  const template = { ...production, Resources: { ...production.Resources, ...more } } as Template;
  expect(faultsOf('a stack has at most 400 resources', template)).toEqual([
    expect.stringMatching(/^6\d\d, and CloudFormation refuses 501: serve operations/),
  ]);
});

test('each rule has its fault', () => {
  const untried = Object.keys(RULES).filter(rule => !PLANTED.some(([start]) => rule.startsWith(start)));
  expect(untried).toEqual(['a stack has at most 400 resources']);
});
