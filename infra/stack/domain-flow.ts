import { type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  StateMachine,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { WAITS } from '../../shared/domains/life/flow-state.ts';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import type { Projects } from './projects.ts';
import type { PublicApi } from './public-api.ts';
import type { Redirects } from './redirects.ts';
import { acknowledgeWildcard, ServiceFunction, type TableAction } from './service-function.ts';

/** The time limit of every function that creates something for a domain; the petstore command waits for a minute. */
export const STEP_TIMEOUT = Duration.seconds(55);

interface DomainFlowParts {
  readonly domains: Domains;
  readonly projects: Projects;
  readonly publicApi: PublicApi;
  readonly redirects: Redirects;
}

/** The flow of custom domains: from verify to live, and to removal. */
export class DomainFlow extends Construct {
  readonly #machine: StateMachine;
  readonly #parts: DomainFlowParts;

  constructor(scope: Construct, id: string, environment: Environment, parts: DomainFlowParts) {
    super(scope, id);
    const { domains } = parts;
    this.#parts = parts;
    const tend = new ServiceFunction(this, 'TendDomain', 'domains/tend-domain', {
      environment,
      timeout: STEP_TIMEOUT,
    }).grantTable(domains.table, 'DOMAINS_TABLE', ['DeleteItem']);
    this.#grantTending(tend);
    domains.grantDomainNameCreation(tend);
    domains.grantDomainNameRemoval(tend);
    this.#machine = this.#tendingMachine(tend);
  }

  /** Passes over the domain again and again; each kind of wait in between is a state. */
  #tendingMachine(tend: ServiceFunction): StateMachine {
    const task = new LambdaInvoke(this, 'Tend the domain', {
      lambdaFunction: tend.lambda,
      outputPath: '$.Payload',
      retryOnServiceExceptions: false,
    });
    task.addRetry(RETRY);
    const isNext = (state: string) => Condition.stringEquals('$.next', state);
    const choice = new Choice(this, 'What next?');
    for (const state of WAITS) {
      const wait = new Wait(this, state, { time: WaitTime.secondsPath('$.waitSeconds') });
      choice.when(isNext(state), wait.next(task));
    }
    // So that AWS shows the execution as failed, and counts it.
    const failed = new Fail(this, 'Failed', {
      error: 'Failed',
      cause: 'The record of the domain says why: petstore domains show.',
    });
    choice
      .when(isNext('Done'), new Succeed(this, 'Done'))
      .when(isNext('Failed'), failed)
      .otherwise(new Succeed(this, 'Superseded'));
    const definitionBody = DefinitionBody.fromChainable(task.next(choice));
    const machine = new StateMachine(this, 'Tend', { definitionBody });
    const id = Stack.of(this).getLogicalId(tend.lambda.node.defaultChild as CfnElement);
    acknowledgeWildcard(machine, `<${id}.Arn>:*`, 'The versions of the function itself.');
    acknowledgeMachine(machine, 'Its function has a log of its own.');
    return machine;
  }

  /** Lets the operator claim domains, and reconcile and tend them. */
  grantOperation(operate: ServiceFunction): void {
    const { domains } = this.#parts;
    operate.grantTable(domains.table, 'DOMAINS_TABLE', ['DeleteItem']);
    domains.grantPlatformDomain(operate);
    this.grantReconcile(operate);
  }

  /** Lets the operator remove default URLs before the stack is deleted. */
  grantUrlRemoval(operate: ServiceFunction): void {
    const { domains } = this.#parts;
    if (domains.zone === undefined) return;
    domains.grantDomainNameRemoval(operate);
    domains.grantAliases(operate);
  }

  /** Lets a function start an execution for a domain. */
  grantStart(fn: ServiceFunction): ServiceFunction {
    const { stateMachineArn } = this.#machine;
    return fn
      .withVariable('TEND_MACHINE_ARN', stateMachineArn)
      .allow('states:StartExecution', stateMachineArn);
  }

  /** Lets a function reconcile claims, verifications and removals, and tend those that are ready or live. */
  grantReconcile(fn: ServiceFunction): void {
    const { domains, projects } = this.#parts;
    this.grantStart(fn)
      .grantTable(domains.table, 'DOMAINS_TABLE', ['Scan'])
      .grantTable(projects.table, 'PROJECTS_TABLE', ['Scan']);
    this.#grantTending(fn);
  }

  /** What a pass over a domain needs, but for creating and deleting domain names. */
  #grantTending(fn: ServiceFunction): void {
    const { domains, projects, publicApi } = this.#parts;
    publicApi.withProofSecret(fn);
    domains.grantCheck(fn, 'GetItem', 'PutItem', 'Query', ...LEASE_ACTIONS);
    domains.grantDomainsOfProject(fn);
    domains.grantCertificateRequests(fn);
    domains.grantHostChanges(fn, 'route53:ListResourceRecordSets');
    domains.grantManagedRecords(fn);
    fn.grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem']);
    this.#grantRouting(fn);
  }

  /** Lets a function give projects their default URLs: the certificate, domain names, mappings and records. */
  grantDefaultUrls(fn: ServiceFunction): void {
    const { domains, projects } = this.#parts;
    if (domains.zone === undefined) return;
    domains
      .withPlatformDomain(fn)
      .grantTable(domains.table, 'DOMAINS_TABLE', ['Query', 'UpdateItem'])
      .grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem']);
    domains.allowCertificateDescription(fn);
    domains.grantCertificateRequests(fn);
    domains.grantDomainNameCreation(fn);
    this.#grantRouting(fn);
    domains.grantHostChanges(fn, 'route53:ListResourceRecordSets');
    domains.grantAliases(fn);
  }

  /** Lets a function map domains to the API of their project, or to the one that redirects. */
  #grantRouting(fn: ServiceFunction): void {
    const { redirects, domains } = this.#parts;
    fn.withVariable('REDIRECT_API_ID', redirects.api.restApiId).withVariable(
      'REDIRECT_STAGE',
      redirects.stageName,
    );
    domains.grantMappings(fn);
  }
}

/** For the lease of a name, and for commits that check it. */
const LEASE_ACTIONS: TableAction[] = ['UpdateItem', 'ConditionCheckItem'];

/**
 * Retries whatever may pass: a function that couldn't be started, a service that didn't respond or is throttling. Starts at
 * 2 s and doubles up to 4 min, 8 times: about 9 minutes. After that the scheduled reconcile starts another execution, a few times.
 */
const RETRY = {
  errors: ['States.TaskFailed', 'States.Timeout'],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.minutes(4),
  maxAttempts: 8,
};

/** Explains to cdk-nag why a state machine has neither a log nor traces. */
export function acknowledgeMachine(machine: StateMachine, whyNoTraces: string): void {
  Validations.of(machine).acknowledge(
    { id: 'AwsSolutions-SF1', reason: 'The history of an execution says all; nothing secret is in it.' },
    { id: 'AwsSolutions-SF2', reason: whyNoTraces },
  );
}
