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
export const MAKING_TIMEOUT = Duration.seconds(55);
const UNTIL_NOBODY_RUNS = Duration.seconds(90);

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
        timeout: MAKING_TIMEOUT,
      });
      return domains
        .checkedBy(fn, ...actions)
        .knows('MANAGED_ZONE_IDS', JSON.stringify(environment.managedZoneIds));
    };
    const checkDns = step('CheckDns', 'check-dns');
    const checkCertificate = step('CheckCertificate', 'check-certificate');
    const recordFailure = step('RecordFailure', 'record-failure');
    // These two take turns at API Gateway, by an item of the table.
    const attachDomain = step('AttachDomain', 'attach-domain', 'UpdateItem');
    const takeDown = step('TakeDown', 'take-down', 'UpdateItem');
    const forgetDomain = new ServiceFunction(this, 'ForgetDomain', 'domains/steps/forget-domain', {
      environment,
      timeout: MAKING_TIMEOUT,
    }).uses(domains.table, 'DOMAINS_TABLE', ['GetItem', 'DeleteItem']);
    domains.certificatesRequestedBy(checkCertificate);
    domains.certificatesFoundBy(takeDown);
    attachDomain.uses(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem']);
    this.#routedBy(attachDomain);
    domains.domainNamesCreatedBy(attachDomain);
    domains.hostsChangedBy(attachDomain);
    domains.hostsChangedBy(takeDown, 'route53:ListResourceRecordSets');
    domains.domainNamesUsedBy(takeDown, 'GET', 'DELETE');
    for (const maker of [checkDns, checkCertificate, attachDomain, takeDown]) domains.recordsMadeBy(maker);

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
      time: WaitTime.duration(UNTIL_NOBODY_RUNS),
    }).next(repeatedStep(this, 'Forget the domain', forgetDomain, isGone, unfinished));
    const takingDown = repeatedStep(this, 'Take down', takeDown, forgetting, unfinished);
    const removing = new Wait(this, 'Wait until nothing is made any more', {
      time: WaitTime.duration(UNTIL_NOBODY_RUNS),
    }).next(takingDown);
    this.#remove = flowMachine(this, 'Remove', removing, [takeDown, forgetDomain, recordFailure]);
  }

  /** Lets operators claim domains, start the flows and stop them. */
  operatedBy(operate: ServiceFunction): void {
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
      .checkedBy(operate, 'Query')
      .knows('PLATFORM_DOMAIN', domains.zone.zoneName)
      .knows('VERIFY_MACHINE_ARN', this.#verify.stateMachineArn)
      .knows('REMOVE_MACHINE_ARN', this.#remove.stateMachineArn)
      .may('states:StartExecution', this.#verify.stateMachineArn, this.#remove.stateMachineArn)
      .may('states:StopExecution', executions);
    domains.certificatesRequestedBy(operate);
    domains.hostsChangedBy(operate);
    this.#routedBy(operate);
    const machine = Stack.of(this).getLogicalId(this.#verify.node.defaultChild as CfnElement);
    acknowledgeWildcard(
      operate,
      `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<${machine}.Name>:*`,
      'Executions are named after claims, which are made at random.',
    );
  }

  /** Lets a function map domains to the API of their project, or to the one that redirects. */
  #routedBy(fn: ServiceFunction): void {
    const { domains, redirects } = this.#parts;
    fn.knows('REDIRECT_API_ID', redirects.api.restApiId).knows('REDIRECT_STAGE', redirects.stageName);
    domains.domainNamesUsedBy(fn, 'GET', 'POST', 'PATCH', 'DELETE');
  }
}
