import { Arn, ArnFormat, type CfnElement, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { type StateMachine, Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { DOMAINS_TABLE } from '../../shared/domains/domain-table.ts';
import { flowMachine, repeatedStep } from './domain-flow.ts';
import type { Environment } from './environments.ts';
import type { Projects } from './projects.ts';
import { acknowledgeWildcard, ServiceFunction, type TableAction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** Public resolvers of two operators: a record counts when both see it. */
const DNS_RESOLVERS = '1.1.1.1,8.8.8.8';

/** Custom domains: their table, the platform's zone, and the flows from verify to live and to removal. */
export class Domains extends Construct {
  readonly table: Table;
  readonly zone: PublicHostedZone;
  readonly verify: StateMachine;
  readonly remove: StateMachine;

  constructor(scope: Construct, id: string, environment: Environment, projects: Projects) {
    super(scope, id);
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

    const step = (name: string, path: string, ...actions: TableAction[]) =>
      new ServiceFunction(this, name, `domains/steps/${path}`, { environment, timeout: Duration.seconds(60) })
        .uses(this.table, 'DOMAINS_TABLE', ['GetItem', 'PutItem', ...actions])
        .knows('PROJECTS_TABLE', projects.table.tableName)
        .knows('DNS_RESOLVERS', DNS_RESOLVERS)
        .knows('PLATFORM_ZONE_ID', this.zone.hostedZoneId);
    const checkDns = step('CheckDns', 'check-dns');
    const checkCertificate = step('CheckCertificate', 'check-certificate');
    const recordFailure = step('RecordFailure', 'record-failure');
    // These two take turns at API Gateway, by an item of the table.
    const attachDomain = step('AttachDomain', 'attach-domain', 'UpdateItem');
    const takeDown = step('TakeDown', 'take-down', 'UpdateItem', 'DeleteItem');
    attachDomain.uses(projects.table, 'PROJECTS_TABLE', ['GetItem', 'UpdateItem']);
    for (const check of [checkDns, checkCertificate])
      this.#mayUseCertificates(check, ['acm:DescribeCertificate']);
    this.#mayChangeZone(attachDomain);
    this.#mayUseDomainNames(attachDomain, ['apigateway:GET', 'apigateway:POST', 'apigateway:DELETE']);
    this.#mayChangeZone(takeDown);
    this.#mayUseDomainNames(takeDown, ['apigateway:GET', 'apigateway:DELETE']);
    this.#mayUseCertificates(takeDown, ['acm:DeleteCertificate']);

    const failed = new LambdaInvoke(this, 'Record the failure', {
      lambdaFunction: recordFailure.lambda,
      retryOnServiceExceptions: true,
    });
    const isLive = new Succeed(this, 'The domain is live');
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
    const takingDown = repeatedStep(this, 'Take down', takeDown, isGone);
    this.remove = flowMachine(this, 'Remove', takingDown, [takeDown]);
  }

  #mayChangeZone(fn: ServiceFunction): void {
    fn.may('route53:ChangeResourceRecordSets', this.zone.hostedZoneArn);
  }

  #mayUseCertificates(fn: ServiceFunction, actions: readonly string[]): void {
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
    operate
      .uses(this.table, 'DOMAINS_TABLE', ['GetItem', 'PutItem', 'Query'], [projectIndex.name])
      .knows('PLATFORM_ZONE_ID', this.zone.hostedZoneId)
      .knows('PLATFORM_DOMAIN', this.zone.zoneName)
      .knows('VERIFY_MACHINE_ARN', this.verify.stateMachineArn)
      .knows('REMOVE_MACHINE_ARN', this.remove.stateMachineArn)
      .may('states:StartExecution', this.verify.stateMachineArn, this.remove.stateMachineArn)
      .may('states:StopExecution', Arn.format({ ...execution, resourceName: executions }, Stack.of(this)))
      .may('acm:RequestCertificate', '*');
    this.#mayChangeZone(operate);
    this.#mayUseCertificates(operate, [
      'acm:AddTagsToCertificate',
      'acm:DescribeCertificate',
      'acm:DeleteCertificate',
    ]);
    this.#mayUseDomainNames(operate, ['apigateway:DELETE']);
    acknowledgeWildcard(operate, '*', 'A certificate that is being requested has no name yet.');
    const machine = Stack.of(this).getLogicalId(this.verify.node.defaultChild as CfnElement);
    acknowledgeWildcard(
      operate,
      `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:<${machine}.Name>:*`,
      'Executions are named after claims, which are made at random.',
    );
  }
}
