import { Arn, CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import { DOMAINS_TABLE } from '../../shared/domains/life/domain-table.ts';
import type { Environment } from './environments.ts';
import { removalPolicyOf } from './removal-policy.ts';
import { acknowledgeWildcard, type ServiceFunction, type TableAction } from './service-function.ts';
import { ServiceTable } from './service-table.ts';

/** Public resolvers of two operators: a record is ok when both see it. */
const DNS_RESOLVERS = '1.1.1.1,8.8.8.8';

/** Custom domains: their table, the platform's zone, and what functions may do for them. */
export class Domains extends Construct {
  readonly table: Table;
  /** The platform's zone; undefined in an environment without a platform domain. */
  readonly zone: PublicHostedZone | undefined;
  readonly #managedZoneIds: readonly string[];
  readonly #environmentName: string;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#managedZoneIds = environment.managedZoneIds;
    this.#environmentName = environment.stage;
    const { projectIndex } = DOMAINS_TABLE;
    this.table = new ServiceTable(this, 'Table', environment, {
      partitionKey: { name: DOMAINS_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: DOMAINS_TABLE.sortKey, type: AttributeType.STRING },
    });
    this.table.addGlobalSecondaryIndex({
      indexName: projectIndex.name,
      partitionKey: { name: projectIndex.partitionKey, type: AttributeType.STRING },
      sortKey: { name: projectIndex.sortKey, type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.zone = this.#platformZone(environment);
  }

  #platformZone(environment: Environment): PublicHostedZone | undefined {
    if (environment.platformDomain === undefined) return undefined;
    const zone = new PublicHostedZone(this, 'Zone', { zoneName: environment.platformDomain });
    // A zone that is created anew has other name servers, to which nobody delegates.
    zone.applyRemovalPolicy(removalPolicyOf(environment));
    new CfnOutput(this, 'PlatformNameServers', {
      value: Fn.join(' ', zone.hostedZoneNameServers ?? []),
      description: `Name servers that ${environment.platformDomain} has to be delegated to.`,
    }).overrideLogicalId('PlatformNameServers');
    return zone;
  }

  /** Lets a function check domains: their records in DNS, and their certificates. */
  grantCheck(fn: ServiceFunction, ...actions: TableAction[]): ServiceFunction {
    const { projectIndex } = DOMAINS_TABLE;
    const indexes = actions.includes('Query') ? [projectIndex.name] : [];
    this.allowCertificateDescription(fn);
    return fn
      .grantTable(this.table, 'DOMAINS_TABLE', ['GetItem', 'PutItem', ...actions], indexes)
      .withVariable('DNS_RESOLVERS', DNS_RESOLVERS);
  }

  allowCertificateDescription(fn: ServiceFunction): void {
    this.#allowOnCertificates(fn, 'acm:DescribeCertificate');
  }

  /** Lets a function find certificates by their tags: ACM has no other way than to list all of them. */
  grantCertificateSearch(fn: ServiceFunction): void {
    this.#allowOnCertificates(fn, 'acm:ListTagsForCertificate', 'acm:DeleteCertificate');
    fn.allow('acm:ListCertificates', '*');
    acknowledgeWildcard(fn, '*', 'A list of certificates, or one that is being requested, has no name.');
  }

  grantCertificateRequests(fn: ServiceFunction): void {
    this.grantCertificateSearch(fn);
    this.#allowOnCertificates(fn, 'acm:AddTagsToCertificate');
    fn.allow('acm:RequestCertificate', '*');
  }

  /** Lets a function change what the platform's hosts point at. */
  grantHostChanges(fn: ServiceFunction, ...actions: string[]): void {
    if (this.zone === undefined) return;
    fn.withVariable('PLATFORM_ZONE_ID', this.zone.hostedZoneId);
    for (const action of ['route53:ChangeResourceRecordSets', ...actions]) {
      fn.allow(action, this.zone.hostedZoneArn);
    }
  }

  /** Lets a function see what the platform's hosts point at. */
  grantHostReading(fn: ServiceFunction): void {
    if (this.zone === undefined) return;
    fn.withVariable('PLATFORM_ZONE_ID', this.zone.hostedZoneId).allow(
      'route53:ListResourceRecordSets',
      this.zone.hostedZoneArn,
    );
  }

  /** Lets a function choose hosts for domains, and ask for the name servers that the platform's zone needs. */
  grantPlatformDomain(fn: ServiceFunction): void {
    if (this.zone === undefined) return;
    fn.withVariable('PLATFORM_DOMAIN', this.zone.zoneName).allow(
      'route53:GetHostedZone',
      this.zone.hostedZoneArn,
    );
  }

  /** Lets a function manage the records of domains in the zones that the environment names. */
  grantManagedRecords(fn: ServiceFunction): void {
    fn.withVariable('MANAGED_ZONE_IDS', JSON.stringify(this.#managedZoneIds));
    const zones = this.#managedZoneIds.map(resourceName =>
      Arn.format(
        { service: 'route53', region: '', account: '', resource: 'hostedzone', resourceName },
        Stack.of(this),
      ),
    );
    if (zones.length === 0) return;
    fn.allow('route53:GetHostedZone', ...zones).allow('route53:ChangeResourceRecordSets', ...zones);
  }

  /** Lets a function create domain names at API Gateway. */
  grantDomainNameCreation(fn: ServiceFunction): void {
    fn.allow('apigateway:POST', this.#domainNames(''));
    // The first domain name of an account makes API Gateway create its service-linked role in the caller's name.
    const role = 'aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway';
    const arn = Arn.format(
      { service: 'iam', region: '', resource: 'role', resourceName: role },
      Stack.of(this),
    );
    fn.allow('iam:CreateServiceLinkedRole', arn);
    // Tags that are given at creation are authorized as if they were added to the domain name.
    const { partition, region } = Stack.of(this);
    const tags = `tags/arn%3A${partition}%3Aapigateway%3A${region}%3A%3A%2Fdomainnames%2F*`;
    fn.allow(
      'apigateway:PUT',
      Arn.format({ service: 'apigateway', account: '', resource: `/${tags}` }, Stack.of(this)),
    );
    acknowledgeWildcard(
      fn,
      'arn:<AWS::Partition>:apigateway:<AWS::Region>::/tags/arn%3A<AWS::Partition>%3Aapigateway%3A<AWS::Region>%3A%3A%2Fdomainnames%2F*',
      'Custom domains are chosen by their owners, so they cannot be named in advance.',
    );
  }

  /** Lets a function use these methods on existing domain names of API Gateway and on their mappings. */
  grantDomainNames(fn: ServiceFunction, ...methods: ('GET' | 'POST' | 'PATCH' | 'DELETE')[]): void {
    fn.withVariable('ENVIRONMENT', this.#environmentName);
    for (const method of methods) fn.allow(`apigateway:${method}`, this.#domainNames('/*'));
    acknowledgeWildcard(
      fn,
      'arn:<AWS::Partition>:apigateway:<AWS::Region>::/domainnames/*',
      'Custom domains are chosen by their owners, so they cannot be named in advance.',
    );
  }

  #domainNames(path: string): string {
    return Arn.format(
      { service: 'apigateway', account: '', resource: `/domainnames${path}` },
      Stack.of(this),
    );
  }

  #allowOnCertificates(fn: ServiceFunction, ...actions: string[]): void {
    const anyCertificate = Arn.format(
      { service: 'acm', resource: 'certificate', resourceName: '*' },
      Stack.of(this),
    );
    fn.withVariable('ENVIRONMENT', this.#environmentName);
    for (const action of actions) fn.allow(action, anyCertificate);
    acknowledgeWildcard(
      fn,
      'arn:<AWS::Partition>:acm:<AWS::Region>:<AWS::AccountId>:certificate/*',
      'ACM chooses the ids of certificates, so those of custom domains cannot be named in advance.',
    );
  }
}
