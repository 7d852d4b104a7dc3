import { Arn, ArnFormat, type CfnElement, Duration, Stack } from 'aws-cdk-lib';
import { type StateMachine, Succeed, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import { failureRecord, flowMachine, repeatedStep } from './flow-machine.ts';
import type { Projects } from './projects.ts';
import type { Redirects } from './redirects.ts';
import { acknowledgeWildcard, ServiceFunction, type TableAction } from './service-function.ts';

/**
 * Whoever makes something for a domain, step or operator, has this time, and a removal waits until it is over. The
 * petstore command waits for a minute, so that it hears of an operator that gave up.
 */
export const STEP_TIMEOUT = Duration.seconds(55);
const STEP_DRAIN_TIME = Duration.seconds(90);

export interface DomainFlowParts {
  readonly domains: Domains;
  readonly projects: Projects;
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

    const step = (name: string, path: string, ...actions: TableAction[]) => {
      const fn = new ServiceFunction(this, name, `domains/steps/${path}`, {
        environment,
        timeout: STEP_TIMEOUT,
      });
      return domains
        .grantCheck(fn, ...actions)
        .withVariable('MANAGED_ZONE_IDS', JSON.stringify(environment.managedZoneIds));
    };
    const checkDns = step('CheckDns', 'check-dns');
    const checkCertificate = step('CheckCertificate', 'check-certificate');
    const recordFailure = step('RecordFailure', 'record-failure');
    // These two take turns at API Gateway, by an item of the table.
    const attachDomain = step('AttachDomain', 'attach-domain', 'UpdateItem');
    const takeDown = step('TakeDown', 'take-down', 'UpdateItem');
    const forgetDomain = new ServiceFunction(this, 'ForgetDomain', 'domains/steps/forget-domain', {
      environment,
      timeout: STEP_TIMEOUT,
    }).grantTable(domains.table, 'DOMAINS_TABLE', ['GetItem', 'DeleteItem']);
    domains.grantCertificateRequests(checkCertificate);
    domains.grantCertificateSearch(takeDown);
    attachDomain.grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem']);
    this.#grantRouting(attachDomain);
    domains.grantDomainNameCreation(attachDomain);
    domains.grantHostChanges(attachDomain);
    domains.grantHostChanges(takeDown, 'route53:ListResourceRecordSets');
    domains.grantDomainNames(takeDown, 'GET', 'DELETE');
    for (const maker of [checkDns, checkCertificate, attachDomain, takeDown])
      domains.grantManagedRecords(maker);

    const isLive = new Succeed(this, 'The domain is live');
    const failed = failureRecord(this, 'Record the failure', recordFailure);
    const attaching = repeatedStep(this, 'Attach the domain', attachDomain, isLive, failed);
    const issuing = repeatedStep(this, 'Check the certificate', checkCertificate, attaching, failed);
    const verifying = repeatedStep(this, 'Check DNS', checkDns, issuing, failed);
    this.#verify = flowMachine(this, 'Verify', verifying, [
      checkDns,
      checkCertificate,
      attachDomain,
      recordFailure,
    ]);

    const isGone = new Succeed(this, 'Nothing is left');
    const unfinished = failureRecord(this, 'Record what is left', recordFailure);
    const forgetting = new Wait(this, 'Wait until nothing is taken down any more', {
      time: WaitTime.duration(STEP_DRAIN_TIME),
    }).next(repeatedStep(this, 'Forget the domain', forgetDomain, isGone, unfinished));
    const takingDown = repeatedStep(this, 'Take down', takeDown, forgetting, unfinished);
    const removing = new Wait(this, 'Wait until nothing is made any more', {
      time: WaitTime.duration(STEP_DRAIN_TIME),
    }).next(takingDown);
    this.#remove = flowMachine(this, 'Remove', removing, [takeDown, forgetDomain, recordFailure]);
  }

  /** Lets operators claim domains, start the flows and stop them. */
  grantOperation(operate: ServiceFunction): void {
    const { domains } = this.#parts;
    const executions = Arn.format(
      {
        service: 'states',
        resource: 'execution',
        resourceName: `${this.#verify.stateMachineName}:*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      },
      Stack.of(this),
    );
    domains
      .grantCheck(operate, 'Query')
      .withVariable('PLATFORM_DOMAIN', domains.zone.zoneName)
      .withVariable('VERIFY_MACHINE_ARN', this.#verify.stateMachineArn)
      .withVariable('REMOVE_MACHINE_ARN', this.#remove.stateMachineArn)
      .allow('states:StartExecution', this.#verify.stateMachineArn, this.#remove.stateMachineArn)
      .allow('states:StopExecution', executions);
    domains.grantCertificateRequests(operate);
    domains.grantHostChanges(operate);
    this.#grantRouting(operate);
    const machine = Stack.of(this).getLogicalId(this.#verify.node.defaultChild as CfnElement);
    acknowledgeWildcard(
      operate,
      `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<${machine}.Name>:*`,
      'Executions are named after claims, which are made at random.',
    );
  }

  /** Lets a function map domains to the API of their project, or to the one that redirects. */
  #grantRouting(fn: ServiceFunction): void {
    const { domains, redirects } = this.#parts;
    fn.withVariable('REDIRECT_API_ID', redirects.api.restApiId).withVariable(
      'REDIRECT_STAGE',
      redirects.stageName,
    );
    domains.grantDomainNames(fn, 'GET', 'POST', 'PATCH', 'DELETE');
  }
}
