import { describe, expect, test } from 'vitest';
import { detailTypeOf } from '../../../shared/domains/life/domain-event.ts';
import { EVENT_TYPES } from '../../../shared/domains/life/domain-status.ts';
import { RECONCILE_MINUTES } from '../../../shared/domains/life/reconciliation.ts';
import {
  grantsOf,
  nameOf,
  partsOf,
  placeOf,
  resourcesOf,
  routesOf,
  STACKS,
  templateOf,
} from './templates.ts';

/** This stack, and no other, has got one of these statuses. */
const stackIs = (...status: string[]) => ({
  source: ['aws.cloudformation'],
  'detail-type': ['CloudFormation Stack Status Change'],
  detail: { 'stack-id': [{ Ref: 'AWS::StackId' }], 'status-details': { status } },
});

interface Rule {
  readonly ScheduleExpression?: string;
  readonly EventPattern?: object;
  readonly targets: readonly string[];
}

const EVERY_FEW_MINUTES = `rate(${RECONCILE_MINUTES} minutes)`;

/** What runs without anybody asking: when, and which functions or state machines. */
const rulesOf = (stage: string): Readonly<Record<string, Rule>> => ({
  DomainEventsEveryTwoMinutes: {
    ScheduleExpression: 'rate(2 minutes)',
    targets: ['DomainEventsPublishEventsFunction'],
  },
  ProjectsDeployed: {
    EventPattern: stackIs('CREATE_COMPLETE', 'UPDATE_COMPLETE'),
    targets: ['ProjectsRecordDeployFunction', 'ProjectsReconcileEndpointFunction'],
  },
  ProjectsEveryFewMinutes: {
    ScheduleExpression: EVERY_FEW_MINUTES,
    targets: ['ProjectsReconcileEndpointFunction'],
  },
  ApiKeysEveryFewMinutes: {
    ScheduleExpression: EVERY_FEW_MINUTES,
    targets: ['ApiKeysReconcileKeysFunction'],
  },
  MonitoringCanaryEveryFewMinutes: {
    ScheduleExpression: EVERY_FEW_MINUTES,
    targets: ['MonitoringCanaryCallApiFunction'],
  },
  DomainChecksDaily: {
    ScheduleExpression: 'rate(1 day)',
    targets: ['DomainChecksRecheckDomainsFunction'],
  },
  DomainChecksEveryFewMinutes: {
    ScheduleExpression: EVERY_FEW_MINUTES,
    targets: ['DomainChecksReconcileDomainsFunction'],
  },
  DomainChecksRenewalActionRequired: {
    EventPattern: {
      source: ['aws.acm'],
      'detail-type': ['Renewal Action Required', 'Expired', 'Revoked'].map(what => `ACM Certificate ${what}`),
    },
    targets: ['DomainChecksRecheckDomainsFunction'],
  },
  DomainMailDomainEvent: {
    EventPattern: { source: [`petstore.${stage}`], 'detail-type': EVENT_TYPES.map(detailTypeOf) },
    targets: ['DomainMail'],
  },
  // The data of staging goes with the stack.
  ...(stage === 'production' && {
    ProtectionDeployed: {
      ScheduleExpression: 'rate(1 hour)',
      EventPattern: stackIs('CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'),
      targets: ['Protection'],
    },
  }),
});

const GATEWAY = 'apigateway.amazonaws.com at arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>';

describe.each(STACKS)('what invokes the functions of %s', stack => {
  const template = templateOf(stack);
  const rules = rulesOf(stack.replace('Petstore-', '').toLowerCase());

  test('rules, at these times or for these events, which they pass on as they are', () => {
    const declared = [...resourcesOf(template, 'AWS::Events::Rule')].map(([name, { Properties }]) => {
      const { Description: _, Targets, ...rule } = Properties;
      for (const target of Targets) expect(target, name).not.toHaveProperty('Input');
      return [name, { ...rule, targets: Targets.map(({ Arn }: { Arn: unknown }) => placeOf(Arn)) }];
    });
    const enabled = Object.entries(rules).map(([name, rule]) => [name, { ...rule, State: 'ENABLED' }]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(enabled));
  });

  /** What an API has functions for, as permissions name it: `PetsListPetsFunction by … PublicApi/…/GET/v1/pets`. */
  const invocations = (api: string): string[] => {
    const [stage] = partsOf(template, api, 'AWS::ApiGateway::Stage');
    const stageId = Object.keys(template.Resources).find(id => template.Resources[id] === stage) ?? '';
    return routesOf(template, api).map(({ fn, method, path }) => {
      const call = `${method === 'ANY' ? '*' : method}${path.replaceAll(/\{[^}]+\}/g, '*') || '/'}`;
      return `${fn} by ${GATEWAY}:${api}/${nameOf(stageId)}/${call}`;
    });
  };

  test('a rule invokes its targets, an API the functions of its methods and its authorizer, and nothing else any', () => {
    const ofApis = ['PublicApi', 'RedirectsApi'].flatMap(invocations);
    const expected = [
      ...ofApis,
      `ApiKeysAuthorizeFunction by ${GATEWAY}:PublicApi/authorizers/PublicApiAuthorizer`,
      ...Object.entries(rules).flatMap(([rule, { targets }]) =>
        targets
          .filter(target => target.endsWith('Function'))
          .map(target => `${target} by events.amazonaws.com at ${rule}`),
      ),
    ];
    const permitted = [...resourcesOf(template, 'AWS::Lambda::Permission').values()].map(
      ({ Properties: { FunctionName, Principal, SourceArn } }) =>
        `${nameOf(FunctionName['Fn::GetAtt'][0])} by ${Principal} at ${placeOf(SourceArn)}`,
    );
    // API Gateway's console tries a method at a stage of this name.
    const tried = permitted.filter(line => line.includes('/test-invoke-stage/'));
    expect(permitted.filter(line => !tried.includes(line)).toSorted()).toEqual(expected.toSorted());
    const methods = ofApis.map(line => line.replace(/(?<=Api\/)\w+/, 'test-invoke-stage'));
    expect(methods).toEqual(expect.arrayContaining(tried));
  });
});

describe.each(STACKS)('the roles of %s', stack => {
  const template = templateOf(stack);
  const roles = resourcesOf(template, 'AWS::IAM::Role');
  const usersOf = (type: string, property: string) =>
    [...resourcesOf(template, type).values()].map(({ Properties }) =>
      nameOf(Properties[property]['Fn::GetAtt'][0]),
    );
  const ofFunctions = usersOf('AWS::Lambda::Function', 'Role');
  const ofMachines = usersOf('AWS::StepFunctions::StateMachine', 'RoleArn');
  const ofRules = [...resourcesOf(template, 'AWS::Events::Rule').values()]
    .flatMap(({ Properties }) => Properties.Targets)
    .flatMap(({ RoleArn }) => (RoleArn ? nameOf(RoleArn['Fn::GetAtt'][0]) : []));
  const ofGateway = usersOf('AWS::ApiGateway::Account', 'CloudWatchRoleArn');
  const trustOf = (role: string) => roles.get(role)?.Properties.AssumeRolePolicyDocument.Statement;
  const trust = (service: string) => ({
    Action: 'sts:AssumeRole',
    Effect: 'Allow',
    Principal: { Service: service },
  });

  test('include the gateway’s in one stack of the account', () => {
    expect(ofGateway).toHaveLength(stack === 'Petstore-Staging' ? 1 : 0);
  });

  test('are each used by a function, a state machine, a rule or the gateway', () => {
    expect([...roles.keys()].toSorted()).toEqual(
      [...ofFunctions, ...ofMachines, ...ofRules, ...ofGateway].toSorted(),
    );
  });

  test('are assumed by the service that uses them, and by nobody else', () => {
    for (const role of ofFunctions) expect(trustOf(role), role).toEqual([trust('lambda.amazonaws.com')]);
    for (const role of ofGateway) expect(trustOf(role), role).toEqual([trust('apigateway.amazonaws.com')]);
    for (const role of ofRules) expect(trustOf(role), role).toEqual([trust('events.amazonaws.com')]);
    expect(ofMachines).toHaveLength(stack === 'Petstore-Production' ? 4 : 3);
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
    const [gateway] = ofGateway;
    if (gateway === undefined) return;
    const managed = roles.get(gateway)?.Properties.ManagedPolicyArns;
    expect(managed).toHaveLength(1);
    expect(JSON.stringify(managed)).toContain(
      ':iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs',
    );
  });

  test('a state machine invokes the functions of its own steps and nothing else', () => {
    for (const [name, { Properties }] of resourcesOf(template, 'AWS::StepFunctions::StateMachine')) {
      // They have no functions: test/infra/stack/protection.test.ts, domain-mail.test.ts.
      if (name === 'Protection' || name === 'DomainMail') continue;
      const steps = placeOf(Properties.DefinitionString).match(/(?<="FunctionName":")\w+/g) ?? [];
      const granted = grantsOf(template)
        .filter(({ role }) => role === nameOf(Properties.RoleArn['Fn::GetAtt'][0]))
        .map(({ grant }) => grant.replace(/:\*$/, ''));
      expect(new Set(granted), name).toEqual(new Set(steps.map(step => `lambda:InvokeFunction on ${step}`)));
    }
  });
});
