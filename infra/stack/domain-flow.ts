import { type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  type State,
  StateMachine,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
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

/** The flows of custom domains: from verify to live, and to removal. */
export class DomainFlow extends Construct {
  readonly #verify: StateMachine;
  readonly #remove: StateMachine;
  readonly #parts: DomainFlowParts;

  constructor(scope: Construct, id: string, environment: Environment, parts: DomainFlowParts) {
    super(scope, id);
    const { domains, projects } = parts;
    this.#parts = parts;

    const stepFunction = (name: string, path: string) =>
      new ServiceFunction(this, name, `domains/steps/${path}`, { environment, timeout: STEP_TIMEOUT });
    // Every step takes the lease of the name, and commits with a check of it.
    const step = (name: string, path: string, ...actions: TableAction[]) =>
      domains
        .grantCheck(stepFunction(name, path), 'GetItem', 'PutItem', ...actions)
        .grantTable(domains.table, 'DOMAINS_TABLE', LEASE_ACTIONS);
    const checkDns = step('CheckDns', 'check-dns', 'Query');
    const checkCertificate = step('CheckCertificate', 'check-certificate', 'Query');
    const attachDomain = step('AttachDomain', 'attach-domain', 'Query');
    const takeDown = stepFunction('TakeDown', 'take-down').grantTable(domains.table, 'DOMAINS_TABLE', [
      'GetItem',
      'PutItem',
      'DeleteItem',
      ...LEASE_ACTIONS,
    ]);
    domains.grantDomainsOfProject(attachDomain);
    domains.grantCertificateRequests(checkCertificate);
    domains.grantCertificateSearch(takeDown);
    // A name that is taken over leaves the routing of its former project in the same transaction.
    for (const step of [checkDns, attachDomain]) {
      step.grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem']);
    }
    this.#grantRouting(attachDomain);
    parts.publicApi.withProofSecret(attachDomain);
    domains.grantDomainNameCreation(attachDomain);
    domains.grantHostChanges(attachDomain);
    domains.grantHostChanges(takeDown, 'route53:ListResourceRecordSets');
    domains.grantDomainNameReading(takeDown);
    domains.grantDomainNameRemoval(takeDown);
    for (const step of [checkDns, checkCertificate, attachDomain, takeDown])
      domains.grantManagedRecords(step);

    const verificationEndings = flowEndings(this, 'Verification');
    const attaching = repeatedStep(
      this,
      { task: 'Attach the domain', question: 'Domain live or ready?' },
      attachDomain,
      new Succeed(this, 'The domain is live or ready'),
      verificationEndings,
    );
    const issuing = repeatedStep(
      this,
      { task: 'Check the certificate', question: 'Certificate issued?' },
      checkCertificate,
      attaching,
      verificationEndings,
    );
    const verifying = repeatedStep(
      this,
      { task: 'Check DNS', question: 'DNS verified?' },
      checkDns,
      issuing,
      verificationEndings,
    );
    this.#verify = flowMachine(this, 'Verify', verifying, [checkDns, checkCertificate, attachDomain]);

    const takingDown = repeatedStep(
      this,
      { task: 'Take down the domain', question: 'Everything taken down?' },
      takeDown,
      new Succeed(this, 'Nothing is left'),
      flowEndings(this, 'Removal'),
    );
    this.#remove = flowMachine(this, 'Remove', takingDown, [takeDown]);
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

  /** Lets a function reconcile claims, verifications and removals, and tend those that are ready or live. */
  grantReconcile(fn: ServiceFunction): void {
    const { domains, projects, publicApi } = this.#parts;
    publicApi
      .withProofSecret(fn)
      .withVariable('VERIFY_MACHINE_ARN', this.#verify.stateMachineArn)
      .withVariable('REMOVE_MACHINE_ARN', this.#remove.stateMachineArn)
      .allow('states:StartExecution', this.#verify.stateMachineArn, this.#remove.stateMachineArn);
    domains.grantCheck(fn, 'GetItem', 'PutItem', 'Query', 'Scan', ...LEASE_ACTIONS);
    domains.grantDomainsOfProject(fn);
    domains.grantCertificateRequests(fn);
    domains.grantHostChanges(fn, 'route53:ListResourceRecordSets');
    domains.grantManagedRecords(fn);
    fn.grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem', 'Scan']);
    this.#grantRouting(fn);
  }

  /** Lets a function give projects their default URLs: the certificate, domain names, mappings and records. */
  grantDefaultUrls(fn: ServiceFunction): void {
    const { domains, projects } = this.#parts;
    if (domains.zone === undefined) return;
    domains
      .withPlatformDomain(fn)
      .grantTable(domains.table, 'DOMAINS_TABLE', ['GetItem', 'Query', 'PutItem', 'UpdateItem'])
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

/** What the lease of a name needs, and a commit that checks it. */
const LEASE_ACTIONS: TableAction[] = ['UpdateItem', 'ConditionCheckItem'];

/**
 * Retries whatever may pass: a function that could not be started, a service that did not respond or is throttling. From
 * 2 s, doubling up to 4 min, 8 times: about 9 minutes. Then the scheduled reconcile starts another execution, a few times.
 */
const RETRY = {
  errors: ['States.TaskFailed', 'States.Timeout'],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.minutes(4),
  maxAttempts: 8,
};

/** How a flow ends when a step of it is not done. */
interface FlowEndings {
  /** The step said that the flow has failed, and has recorded why. */
  readonly failed: IChainable;
  /** Another attempt has begun, or the domain is gone. */
  readonly superseded: IChainable;
}

/** The states of one step: the task, the choice by its outcome, and the wait before it is repeated. */
export function repeatedStep(
  scope: Construct,
  { task: id, question }: { readonly task: string; readonly question: string },
  step: ServiceFunction,
  next: IChainable,
  { failed, superseded }: FlowEndings,
): State {
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction: step.lambda,
    outputPath: '$.Payload',
    retryOnServiceExceptions: false,
  });
  task.addRetry(RETRY);
  const wait = new Wait(scope, `Wait to ${id.charAt(0).toLowerCase()}${id.slice(1)} again`, {
    time: WaitTime.secondsPath('$.waitSeconds'),
  });
  wait.next(task);
  task.next(
    new Choice(scope, question)
      .when(Condition.stringEquals('$.outcome', 'done'), next)
      .when(Condition.stringEquals('$.outcome', 'waiting'), wait)
      .when(Condition.stringEquals('$.outcome', 'failed'), failed)
      .otherwise(superseded),
  );
  return task;
}

/** The endings of a flow such as Verification. One that failed ends in a Fail state, so AWS shows and counts it. */
export function flowEndings(scope: Construct, flow: string): FlowEndings {
  const failed = new Fail(scope, `${flow}Failed`, {
    stateName: 'Failed',
    error: `${flow}Failed`,
    cause: 'The record of the domain says why: petstore domains show.',
  });
  const superseded = new Succeed(scope, `${flow}Superseded`, { stateName: 'Superseded' });
  return { failed, superseded };
}

/** Explains to cdk-nag why a state machine has neither a log nor traces. */
export function acknowledgeMachine(machine: StateMachine, whyNoTraces: string): void {
  Validations.of(machine).acknowledge(
    { id: 'AwsSolutions-SF1', reason: 'The history of an execution says all; nothing secret is in it.' },
    { id: 'AwsSolutions-SF2', reason: whyNoTraces },
  );
}

/** A state machine whose steps are functions of the service. */
export function flowMachine(
  scope: Construct,
  id: string,
  start: IChainable,
  steps: readonly ServiceFunction[],
): StateMachine {
  const machine = new StateMachine(scope, id, { definitionBody: DefinitionBody.fromChainable(start) });
  for (const { lambda } of steps) {
    const step = Stack.of(scope).getLogicalId(lambda.node.defaultChild as CfnElement);
    acknowledgeWildcard(machine, `<${step}.Arn>:*`, 'The versions of the step itself.');
  }
  acknowledgeMachine(machine, 'Every step is a function with a log of its own.');
  return machine;
}
