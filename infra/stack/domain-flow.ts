import { Arn, ArnFormat, type CfnElement, Duration, Stack } from 'aws-cdk-lib';
import { type StateMachine, Succeed, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import { flowEndings, flowMachine, repeatedStep } from './flow-machine.ts';
import type { Projects } from './projects.ts';
import type { Redirects } from './redirects.ts';
import { acknowledgeWildcard, ServiceFunction, type TableAction } from './service-function.ts';

/** The time limit of every function that creates something for a domain; the petstore command waits for a minute. */
export const STEP_TIMEOUT = Duration.seconds(55);

/**
 * A removal waits this long, so that every step of an earlier attempt has ended, and every command that did not see its
 * execution yet: STEP_TIMEOUT and a margin.
 */
const STEP_DRAIN_TIME = Duration.seconds(90);

interface DomainFlowParts {
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
      return domains.grantCheck(fn, 'GetItem', 'PutItem', ...actions);
    };
    /** A step that works on the record of a domain alone. */
    const recordStep = (name: string, path: string, ...actions: TableAction[]) =>
      new ServiceFunction(this, name, `domains/steps/${path}`, {
        environment,
        timeout: STEP_TIMEOUT,
      }).grantTable(domains.table, 'DOMAINS_TABLE', ['GetItem', ...actions]);
    // The one that proves a name, and the one that forgets it, change the names of the project in the same transaction. The
    // event of a deletion is put into the table, too.
    const checkDns = step('CheckDns', 'check-dns', 'UpdateItem');
    const checkCertificate = step('CheckCertificate', 'check-certificate');
    // These two book slots at API Gateway, in an item of the table.
    const attachDomain = step('AttachDomain', 'attach-domain', 'UpdateItem');
    const takeDown = recordStep('TakeDown', 'take-down', 'PutItem', 'UpdateItem');
    const recordFailure = recordStep('RecordFailure', 'record-failure', 'PutItem');
    const forgetDomain = recordStep('ForgetDomain', 'forget-domain', 'PutItem', 'DeleteItem', 'UpdateItem');
    domains.grantCertificateRequests(checkCertificate);
    domains.grantCertificateSearch(takeDown);
    attachDomain.grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem']);
    this.#grantRouting(attachDomain);
    domains.grantDomainNameCreation(attachDomain);
    domains.grantHostChanges(attachDomain);
    domains.grantHostChanges(takeDown, 'route53:ListResourceRecordSets');
    domains.grantMappings(takeDown, 'DELETE');
    domains.grantDomainNameRemoval(takeDown);
    for (const step of [checkDns, checkCertificate, attachDomain, takeDown])
      domains.grantManagedRecords(step);

    const verificationEndings = flowEndings(this, 'Verification', recordFailure);
    const attaching = repeatedStep(
      this,
      { task: 'Attach the domain', question: 'Domain live?' },
      attachDomain,
      new Succeed(this, 'The domain is live'),
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
    const verificationSteps = [checkDns, checkCertificate, attachDomain, recordFailure];
    this.#verify = flowMachine(this, 'Verify', verifying, verificationSteps);

    const removalEndings = flowEndings(this, 'Removal', recordFailure);
    const forgetting = repeatedStep(
      this,
      { task: 'Forget the domain', question: 'Domain forgotten?' },
      forgetDomain,
      new Succeed(this, 'Nothing is left'),
      removalEndings,
    );
    const takingDown = repeatedStep(
      this,
      { task: 'Take down the domain', question: 'Everything taken down?' },
      takeDown,
      drain(this, 'Wait for running steps of the removal').next(forgetting),
      removalEndings,
    );
    const removing = drain(this, 'Wait for running steps of earlier attempts').next(takingDown);
    this.#remove = flowMachine(this, 'Remove', removing, [takeDown, forgetDomain, recordFailure]);
  }

  /** Lets the operator claim domains, and reconcile and check them. */
  grantOperation(operate: ServiceFunction): void {
    const { domains } = this.#parts;
    domains.grantCheck(operate, 'GetItem', 'PutItem');
    domains.grantDomainsOfProject(operate);
    operate.grantTable(domains.table, 'DOMAINS_TABLE', ['UpdateItem', 'ConditionCheckItem']);
    domains.grantPlatformDomain(operate);
    // A verification of a live domain restores its host and its managed records.
    domains.grantHostReading(operate);
    domains.grantManagedRecords(operate);
    this.grantReconcile(operate);
  }

  /** Lets a function reconcile claims, verifications and removals: certificates, hosts, flows, and mappings. */
  grantReconcile(fn: ServiceFunction): void {
    const { domains, projects } = this.#parts;
    fn.withVariable('VERIFY_MACHINE_ARN', this.#verify.stateMachineArn)
      .withVariable('REMOVE_MACHINE_ARN', this.#remove.stateMachineArn)
      .allow('states:StartExecution', this.#verify.stateMachineArn, this.#remove.stateMachineArn)
      .allow('states:StopExecution', this.#executionsOf(fn, this.#verify))
      .allow('states:DescribeExecution', this.#executionsOf(fn, this.#remove));
    domains.grantCertificateRequests(fn);
    domains.grantHostChanges(fn);
    fn.grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem']);
    this.#grantRouting(fn);
  }

  /** Lets a function see whether the executions of both flows still run. */
  grantFlowWatch(fn: ServiceFunction): void {
    for (const machine of [this.#verify, this.#remove]) {
      fn.allow('states:DescribeExecution', this.#executionsOf(fn, machine));
    }
  }

  /** Lets a function compare live domains with what is at AWS. */
  grantRecheck(fn: ServiceFunction): void {
    const { domains, projects } = this.#parts;
    fn.grantTable(projects.table, 'PROJECTS_TABLE', ['GetItem']);
    this.#withRedirectApi(fn);
    domains.grantDomainNameReading(fn);
    domains.grantHostReading(fn);
  }

  /** The ARN of all executions of a machine, for a function that is granted something on them. */
  #executionsOf(fn: ServiceFunction, machine: StateMachine): string {
    const id = Stack.of(this).getLogicalId(machine.node.defaultChild as CfnElement);
    acknowledgeWildcard(
      fn,
      `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<${id}.Name>:*`,
      'Executions are named after claims, which are generated at random.',
    );
    return Arn.format(
      {
        service: 'states',
        resource: 'execution',
        resourceName: `${machine.stateMachineName}:*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      },
      Stack.of(this),
    );
  }

  /** Tells a function which API domains that redirect are mapped to. */
  #withRedirectApi(fn: ServiceFunction): void {
    const { redirects } = this.#parts;
    fn.withVariable('REDIRECT_API_ID', redirects.api.restApiId).withVariable(
      'REDIRECT_STAGE',
      redirects.stageName,
    );
  }

  /** Lets a function map domains to the API of their project, or to the one that redirects. */
  #grantRouting(fn: ServiceFunction): void {
    this.#withRedirectApi(fn);
    this.#parts.domains.grantMappings(fn, 'POST', 'PATCH', 'DELETE');
  }
}

/** A wait at whose end no step that was running at its start can be running any more. */
function drain(scope: Construct, id: string): Wait {
  return new Wait(scope, id, { time: WaitTime.duration(STEP_DRAIN_TIME) });
}
