import { Arn, ArnFormat, type CfnElement, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { type StateMachine, Succeed, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { DOMAINS_TABLE } from '../../shared/domains/domain-table.ts';
import { failureRecord, flowMachine, repeatedStep } from './domain-flow.ts';
import type { Environment } from './environments.ts';
import type { Projects } from './projects.ts';
import { Redirects } from './redirects.ts';
import { acknowledgeWildcard, ServiceFunction, type TableAction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** Public resolvers of two operators: a record counts when both see it. */
const DNS_RESOLVERS = '1.1.1.1,8.8.8.8';

/** Whoever makes something for a domain, step or operator, is given this time, and a removal waits until it is over. */
export const MAKING_TIMEOUT = Duration.seconds(60);
const UNTIL_NOTHING_IS_MADE = Duration.seconds(90);

/** Custom domains: their table, the platform's zone, and the flows from verify to live and to removal. */
export class Domains extends Construct {
  readonly table: Table;
  readonly zone: PublicHostedZone;
  readonly verify: StateMachine;
  readonly remove: StateMachine;
  readonly #environment: Environment;
  readonly #redirects: Redirects;

  constructor(scope: Construct, id: string, environment: Environment, projects: Projects) {
    super(scope, id);
    this.#environment = environment;
    const { projectIndex } = DOMAINS_TABLE;
    this.table = new ServiceTable(this, 'Table', environment, {
      partitionKey: { name: DOMAINS_TABLE.partitionKey, type: AttributeType.STRING },
    });
    this.table.addGlobalSecondaryIndex({
      indexName: projectIndex.name,
      partitionKey: { name: projectIndex.partitionKey, type: AttributeType.STRING },
      sortKey: { name: projectIndex.sortKey, type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.zone = new PublicHostedZone(this, 'Zone', { zoneName: environment.platformDomain });

    const tables = { domains: this.table, projects: projects.table };
    this.#redirects = new Redirects(this, 'Redirects', environment, tables);

    const step = (name: string, path: string, ...actions: TableAction[]) =>
      this.checks(
        new ServiceFunction(this, name, `domains/steps/${path}`, { environment, timeout: MAKING_TIMEOUT }),
        actions,
      )
        .knows('PLATFORM_ZONE_ID', this.zone.hostedZoneId)
        .knows('MANAGED_ZONE_IDS', JSON.stringify(environment.managedZoneIds));
    const checkDns = step('CheckDns', 'check-dns');
    const checkCertificate = step('CheckCertificate', 'check-certificate');
    const recordFailure = step('RecordFailure', 'record-failure');
    // These two take turns at API Gateway, by an item of the table.
    const attachDomain = step('AttachDomain', 'attach-domain', 'UpdateItem');
    const takeDown = step('TakeDown', 'take-down', 'UpdateItem', 'DeleteItem');
    this.#mayRequestCertificates(checkCertificate);
    attachDomain.uses(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem']);
    this.#mayRoute(attachDomain, 'apigateway:GET', 'apigateway:POST', 'apigateway:PATCH', 'apigateway:DELETE');
    this.#mayChangeZone(attachDomain, 'route53:ChangeResourceRecordSets');
    this.#mayChangeZone(takeDown, 'route53:ChangeResourceRecordSets', 'route53:ListResourceRecordSets');
    this.#mayUseDomainNames(takeDown, ['apigateway:GET', 'apigateway:DELETE']);
    this.#mayFindCertificates(takeDown, 'acm:DeleteCertificate');
    for (const maker of [checkDns, attachDomain, takeDown]) this.#mayMakeRecords(maker);

    const isLive = new Succeed(this, 'The domain is live');
    const failed = failureRecord(this, 'Record the failure', recordFailure);
    const attaching = repeatedStep(this, 'Attach the domain', attachDomain, isLive, failed);
    const issuing = repeatedStep(this, 'Check the certificate', checkCertificate, attaching, failed);
    const verifying = repeatedStep(this, 'Check DNS', checkDns, issuing, failed);
    this.verify = flowMachine(this, 'Verify', verifying, [
      checkDns,
      checkCertificate,
      attachDomain,
      recordFailure,
    ]);
    const isGone = new Succeed(this, 'Nothing is left');
    const unfinished = failureRecord(this, 'Record what is left', recordFailure);
    const takingDown = repeatedStep(this, 'Take down', takeDown, isGone, unfinished);
    const removing = new Wait(this, 'Wait until nothing is made any more', {
      time: WaitTime.duration(UNTIL_NOTHING_IS_MADE),
    }).next(takingDown);
    this.remove = flowMachine(this, 'Remove', removing, [takeDown, recordFailure]);
  }

  /** Lets a function look at domains: their records in DNS, and their certificates. */
  checks(fn: ServiceFunction, actions: readonly TableAction[] = []): ServiceFunction {
    fn.uses(this.table, 'DOMAINS_TABLE', ['GetItem', 'PutItem', ...actions]).knows(
      'DNS_RESOLVERS',
      DNS_RESOLVERS,
    );
    this.#mayUseCertificates(fn, 'acm:DescribeCertificate');
    return fn;
  }

  #mayChangeZone(fn: ServiceFunction, ...actions: string[]): void {
    for (const action of actions) fn.may(action, this.zone.hostedZoneArn);
  }

  /** Lets a function make the records of domains in the zones that the environment names. */
  #mayMakeRecords(fn: ServiceFunction): void {
    const zones = this.#environment.managedZoneIds.map(zone =>
      Arn.format(
        { service: 'route53', region: '', account: '', resource: 'hostedzone', resourceName: zone },
        Stack.of(this),
      ),
    );
    if (zones.length === 0) return;
    fn.may('route53:GetHostedZone', ...zones).may('route53:ChangeResourceRecordSets', ...zones);
  }

  #mayUseCertificates(fn: ServiceFunction, ...actions: string[]): void {
    const anyCertificate = Arn.format(
      { service: 'acm', resource: 'certificate', resourceName: '*' },
      Stack.of(this),
    );
    for (const action of actions) fn.may(action, anyCertificate);
    acknowledgeWildcard(
      fn,
      'arn:<AWS::Partition>:acm:<AWS::Region>:<AWS::AccountId>:certificate/*',
      'ACM chooses the ids of certificates, so those of custom domains cannot be named in advance.',
    );
  }

  /** Certificates are found by their tags, for which there is no other way than to list them. */
  #mayFindCertificates(fn: ServiceFunction, ...actions: string[]): void {
    this.#mayUseCertificates(fn, 'acm:ListTagsForCertificate', ...actions);
    fn.may('acm:ListCertificates', '*');
    acknowledgeWildcard(fn, '*', 'A list of certificates, or one that is being requested, has no name.');
  }

  #mayRequestCertificates(fn: ServiceFunction): void {
    this.#mayFindCertificates(fn, 'acm:AddTagsToCertificate', 'acm:DeleteCertificate');
    fn.may('acm:RequestCertificate', '*');
  }

  /** Lets a function map domains to the API of their project, or to the one that redirects. */
  #mayRoute(fn: ServiceFunction, ...actions: string[]): void {
    fn.knows('REDIRECT_API_ID', this.#redirects.api.restApiId).knows(
      'REDIRECT_STAGE',
      this.#redirects.stageName,
    );
    this.#mayUseDomainNames(fn, actions);
  }

  #mayUseDomainNames(fn: ServiceFunction, actions: readonly string[]): void {
    const domainNames = (path: string) =>
      Arn.format({ service: 'apigateway', account: '', resource: `/domainnames${path}` }, Stack.of(this));
    for (const action of actions) {
      if (action === 'apigateway:POST') fn.may(action, domainNames(''), domainNames('/*'));
      else fn.may(action, domainNames('/*'));
    }
    acknowledgeWildcard(
      fn,
      'arn:<AWS::Partition>:apigateway:<AWS::Region>::/domainnames/*',
      'Custom domains are chosen by their owners, so they cannot be named in advance.',
    );
  }

  /** Lets operators claim domains, start the flows and stop them. */
  operatedBy(operate: ServiceFunction): void {
    const { projectIndex } = DOMAINS_TABLE;
    const executions = `${this.verify.stateMachineName}:*`;
    const execution = { service: 'states', resource: 'execution', arnFormat: ArnFormat.COLON_RESOURCE_NAME };
    this.checks(operate, ['Query']);
    operate
      .uses(this.table, 'DOMAINS_TABLE', ['Query'], [projectIndex.name])
      .knows('PLATFORM_ZONE_ID', this.zone.hostedZoneId)
      .knows('PLATFORM_DOMAIN', this.zone.zoneName)
      .knows('VERIFY_MACHINE_ARN', this.verify.stateMachineArn)
      .knows('REMOVE_MACHINE_ARN', this.remove.stateMachineArn)
      .may('states:StartExecution', this.verify.stateMachineArn, this.remove.stateMachineArn)
      .may('states:StopExecution', Arn.format({ ...execution, resourceName: executions }, Stack.of(this)));
    this.#mayChangeZone(operate, 'route53:ChangeResourceRecordSets');
    this.#mayRequestCertificates(operate);
    this.#mayRoute(operate, 'apigateway:GET', 'apigateway:POST', 'apigateway:PATCH', 'apigateway:DELETE');
    const machine = Stack.of(this).getLogicalId(this.verify.node.defaultChild as CfnElement);
    acknowledgeWildcard(
      operate,
      `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<${machine}.Name>:*`,
      'Executions are named after claims, which are made at random.',
    );
  }
}
