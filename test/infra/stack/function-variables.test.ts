import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DYNAMODB_DEADLINE } from '../../../shared/aws/retries.ts';
import {
  assetOf,
  grantsOf,
  nameOf,
  placeOf,
  resourcesOf,
  routesOf,
  STACKS,
  type TemplateResource,
  templateOf,
  templateText,
} from './templates.ts';

/** The resource that each variable refers to, by the start of its logical id. A name means the same everywhere. */
const REFERENCES: Record<string, string> = {
  API_KEYS_TABLE: 'ApiKeysTable',
  PETS_TABLE: 'PetsTable',
  IDEMPOTENCY_KEYS_TABLE: 'PetsCreations',
  ORDERS_TABLE: 'OrdersTable',
  PROJECTS_TABLE: 'ProjectsTable',
  DOMAINS_TABLE: 'DomainsTable',
  AUDIT_TABLE: 'OperatorAudit',
  REST_API_ID: 'PublicApi',
  REDIRECT_API_ID: 'RedirectsApi',
  CANARY_SECRET_ARN: 'MonitoringCanarySecret',
  USAGE_PLAN_ID: 'PublicApiUsagePlan',
  PLATFORM_ZONE_ID: 'DomainsZone',
  VERIFY_MACHINE_ARN: 'DomainFlowVerify',
  REMOVE_MACHINE_ARN: 'DomainFlowRemove',
  STACK_ID: 'AWS::StackId',
  // Of the partition.
  URL_SUFFIX: 'AWS::URLSuffix',
};

describe.each(STACKS)('the variables of the functions of %s', stack => {
  const template = templateOf(stack);
  const environment = stack.replace('Petstore-', '').toLowerCase();
  const variablesOf = ({ Properties }: TemplateResource): [string, unknown][] =>
    Object.entries(Properties.Environment?.Variables ?? {});
  const functions = [...resourcesOf(template, 'AWS::Lambda::Function')];
  const variables = functions.flatMap(([name, resource]) =>
    variablesOf(resource).map(([variable, value]) => ({ name, variable, value })),
  );

  test('that refer to a resource refer to the one that their name says', () => {
    for (const { name, variable, value } of variables) {
      const { Ref } = value as { Ref?: string };
      const expected = REFERENCES[variable];
      if (expected === undefined) expect(Ref, `${name} ${variable}`).toBeUndefined();
      else expect(Ref, `${name} ${variable}`).toMatch(new RegExp(`^${expected}([0-9A-F]{8})?$`));
    }
  });

  test('are those that the code of the function reads, and no others', () => {
    // Optional, and only for those that a client waits for: see below.
    const names = new Set(
      variables.map(({ variable }) => variable).filter(name => name !== DYNAMODB_DEADLINE),
    );
    for (const [name, resource] of functions) {
      const code = readFileSync(join(assetOf(name), 'index.cjs'), 'utf8');
      const read = [...names].filter(variable => new RegExp(`\\b${variable}\\b`).test(code));
      const having = variablesOf(resource).map(([variable]) => variable);
      expect(having.filter(variable => names.has(variable)).toSorted(), name).toEqual(read.toSorted());
    }
  });

  test('tell each function whose responses clients get, and no other, who may read them and for how long TLS is a must', () => {
    const routed = ['PublicApi', 'RedirectsApi'].flatMap(api => routesOf(template, api).map(({ fn }) => fn));
    const responding = functions.map(([name]) => name).filter(name => routed.includes(name));
    const having = (variable: string) =>
      variables.filter(each => each.variable === variable).map(({ name, value }) => [name, value]);
    expect(having('STRICT_TRANSPORT_SECURITY')).toEqual(responding.map(name => [name, 'max-age=86400']));
    expect(having('BROWSER_ORIGINS')).toEqual(
      environment === 'staging' ? responding.map(name => [name, '*']) : [],
    );
  });

  test('tell a function of everything that its role is granted', () => {
    const referenced = new Set(Object.values(REFERENCES));
    for (const [name, resource] of functions) {
      const granted = grantsOf(template)
        .filter(({ role }) => role === nameOf(resource.Properties.Role['Fn::GetAtt'][0]))
        .flatMap(({ grant }) => grant.match(/\w+/g) ?? []);
      const known = variablesOf(resource).map(([, value]) => placeOf(value));
      expect(
        granted.filter(id => referenced.has(id) && !known.includes(id)),
        name,
      ).toEqual([]);
    }
  });

  test('name this environment, its stages, the prefix of its keys, and public resolvers of two operators', () => {
    const expected: Record<string, string> = {
      DNS_RESOLVERS: '1.1.1.1,8.8.8.8',
      ENVIRONMENT: environment,
      STAGE_NAME: environment,
      REDIRECT_STAGE: `${environment}-redirects`,
      API_KEY_PREFIX: environment === 'production' ? 'pet_live_' : 'pet_test_',
    };
    for (const { name, variable, value } of variables) {
      if (variable in expected) expect(value, `${name} ${variable}`).toBe(expected[variable]);
    }
  });

  test('tell the canary, which is stopped before its next attempt, the URL that clients are told', () => {
    const [, canary] = functions.find(([name]) => name === 'MonitoringCanaryCallApiFunction') ?? [];
    const { Outputs } = JSON.parse(templateText(stack));
    expect(canary?.Properties.Environment.Variables.BASE_URL).toEqual(Outputs.BaseUrl.Value);
    // Lambda makes the second attempt after a minute.
    expect(canary?.Properties.Timeout).toBeLessThan(60);
  });

  test('set the deadlines for DynamoDB of the authorizer and of every operation', () => {
    const authorized = routesOf(template, 'PublicApi').flatMap(({ fn, isOpen }) => (isOpen ? [] : fn));
    const deadlines = functions.map(([name]) => [
      name,
      variables.find(each => each.name === name && each.variable === DYNAMODB_DEADLINE)?.value,
    ]);
    const expected = functions.map(([name]) => {
      if (name === 'ApiKeysAuthorizeFunction') return [name, '1700'];
      return [name, authorized.includes(name) ? '2300' : undefined];
    });
    expect(deadlines).toEqual(expected);
    expect(expected.filter(([, deadline]) => deadline === '2300').length).toBeGreaterThan(3);
  });
});
