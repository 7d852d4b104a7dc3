import { Arn, CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import { PublicHostedZone } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import { ENVIRONMENT_TAG } from '../../shared/aws/ownership-tags.ts';
import { DOMAINS_TABLE } from '../../shared/domains/life/domain.ts';
import type { Environment } from './environments.ts';
import { allowTagging, gatewayArn } from './service-api.ts';
import {
  acknowledgeWildcard,
  type Conditions,
  type ServiceFunction,
  type TableAction,
} from './service-function.ts';
import { removalPolicyOf, ServiceTable } from './service-table.ts';

/** Public resolvers of two operators: a record is ok when both see it. */
const DNS_RESOLVERS = '1.1.1.1,8.8.8.8';

const RECORD_ACTIONS = 'route53:ChangeResourceRecordSetsActions';
const RECORD_NAMES = 'route53:ChangeResourceRecordSetsNormalizedRecordNames';
const RECORD_TYPES = 'route53:ChangeResourceRecordSetsRecordTypes';

/** Custom domains: their table, the platform's zone, and what functions may do for them. */
export class Domains extends Construct {
  readonly table: ServiceTable;
  /** The platform's zone; undefined in an environment without a platform domain. */
  readonly zone: PublicHostedZone | undefined;
  readonly #managedZoneIds: readonly string[];
  readonly #environmentName: string;
  /** The request tags what it creates with this environment. */
  readonly #isOwnRequest: Conditions;
  /** The resource has this environment's tag. */
  readonly #isOwnResource: Conditions;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    this.#managedZoneIds = environment.managedZoneIds;
    this.#environmentName = environment.stage;
    this.#isOwnRequest = { StringEquals: { [`aws:RequestTag/${ENVIRONMENT_TAG}`]: environment.stage } };
    this.#isOwnResource = { StringEquals: { [`aws:ResourceTag/${ENVIRONMENT_TAG}`]: environment.stage } };
    const { projectIndex } = DOMAINS_TABLE;
    this.table = new ServiceTable(this, 'Table', environment, {
      name: 'domains',
      partitionKey: { name: DOMAINS_TABLE.partitionKey, type: AttributeType.STRING },
      sortKey: { name: DOMAINS_TABLE.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: DOMAINS_TABLE.timeToLive,
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
    // A recreated zone would have different name servers, which nobody delegates to.
    zone.applyRemovalPolicy(removalPolicyOf(environment));
    new CfnOutput(this, 'PlatformNameServers', {
      value: Fn.join(' ', zone.hostedZoneNameServers ?? []),
      description: `Name servers that ${environment.platformDomain} has to be delegated to.`,
    }).overrideLogicalId('PlatformNameServers');
    return zone;
  }

  /** Lets a function check domains, their records in DNS and their certificates, with these actions on their table. */
  grantCheck(fn: ServiceFunction, ...actions: TableAction[]): ServiceFunction {
    this.allowCertificateDescription(fn);
    return this.withResolvers(fn).grantTable(this.table, 'DOMAINS_TABLE', actions);
  }

  withResolvers(fn: ServiceFunction): ServiceFunction {
    return fn.withVariable('DNS_RESOLVERS', DNS_RESOLVERS);
  }

  grantDomainsOfProject(fn: ServiceFunction): void {
    fn.allow('dynamodb:Query', `${this.table.tableArn}/index/${DOMAINS_TABLE.projectIndex.name}`);
  }

  allowCertificateDescription(fn: ServiceFunction): void {
    // Unconditional: a certificate that is gone has no tags, and must be told apart from another environment's.
    this.#allowOnCertificates(fn, 'acm:DescribeCertificate');
    fn.withVariable('ENVIRONMENT', this.#environmentName);
  }

  /** Lets a function find certificates by tag, for which ACM has to list all of them, and delete its own. */
  #grantCertificateSearch(fn: ServiceFunction): void {
    this.#allowOnCertificates(fn, 'acm:ListTagsForCertificate');
    this.#allowOnCertificates(fn, 'acm:DeleteCertificate', this.#isOwnResource);
    fn.allow('acm:ListCertificates', '*');
    acknowledgeWildcard(fn, '*', 'A list of certificates, or one that is being requested, has no name.');
  }

  grantCertificateRequests(fn: ServiceFunction): void {
    this.#grantCertificateSearch(fn);
    const { StringEquals } = this.#isOwnRequest;
    fn.allowIf(
      { StringEquals: { ...StringEquals, 'acm:ValidationMethod': 'DNS' } },
      'acm:RequestCertificate',
      '*',
    );
    // A request with tags also takes the right to tag. ACM checks it before the certificate has an id, with an asterisk in its
    // place. No id is one character long, so nothing that exists can be tagged as ours.
    this.#allowOnCertificates(fn, 'acm:AddTagsToCertificate', this.#isOwnRequest, '?');
  }

  /** Lets a function change what the platform's hosts point at. */
  grantHostChanges(fn: ServiceFunction, ...actions: string[]): void {
    this.#grantRecords(fn, ['CNAME'], actions);
  }

  /** Lets a function change the aliases of default URLs. */
  grantAliases(fn: ServiceFunction): void {
    this.#grantRecords(fn, ['A', 'AAAA']);
  }

  #grantRecords(fn: ServiceFunction, types: string[], actions: readonly string[] = []): void {
    if (this.zone === undefined) return;
    fn.withVariable('PLATFORM_ZONE_ID', this.zone.hostedZoneId).allowIf(
      recordConditions({
        'ForAllValues:StringEquals': { [RECORD_TYPES]: types },
        'ForAllValues:StringLike': { [RECORD_NAMES]: [`*.${this.zone.zoneName}`] },
      }),
      'route53:ChangeResourceRecordSets',
      this.zone.hostedZoneArn,
    );
    for (const action of actions) fn.allow(action, this.zone.hostedZoneArn);
  }

  /** Lets a function choose hosts for domains, and look up the name servers of the platform's zone. */
  grantPlatformDomain(fn: ServiceFunction): void {
    if (this.zone === undefined) return;
    this.withPlatformDomain(fn).allow('route53:GetHostedZone', this.zone.hostedZoneArn);
  }

  /** Tells a function the platform's domain, if there is one. */
  withPlatformDomain(fn: ServiceFunction): ServiceFunction {
    return this.zone === undefined ? fn : fn.withVariable('PLATFORM_DOMAIN', this.zone.zoneName);
  }

  /** Lets a function manage the records of domains in the zones that the environment names. */
  grantManagedRecords(fn: ServiceFunction): void {
    fn.withVariable('MANAGED_ZONE_IDS', JSON.stringify(this.#managedZoneIds));
    // It looks up whether the world really asks a zone of the account.
    this.withResolvers(fn);
    const zones = this.#managedZoneIds.map(resourceName =>
      Arn.format(
        { service: 'route53', region: '', account: '', resource: 'hostedzone', resourceName },
        Stack.of(this),
      ),
    );
    if (zones.length === 0) return;
    fn.allow('route53:GetHostedZone', ...zones).allowIf(
      recordConditions({
        'ForAllValues:StringEquals': {
          [RECORD_TYPES]: ['A', 'AAAA', 'CNAME', 'TXT'],
          // Existing records are neither overwritten nor deleted: a DELETE has to match the record exactly.
          [RECORD_ACTIONS]: ['CREATE', 'DELETE'],
        },
      }),
      'route53:ChangeResourceRecordSets',
      ...zones,
    );
  }

  /** Lets a function create domain names at API Gateway, and change the certificates of its own. */
  grantDomainNameCreation(fn: ServiceFunction): void {
    fn.allowIf(this.#isOwnRequest, 'apigateway:POST', this.#domainNames(''));
    fn.allowIf(this.#isOwnResource, 'apigateway:PATCH', this.#domainNames('/*'));
    allowTagging(fn, 'domainnames', this.#environmentName);
    // The first domain name of an account makes API Gateway create its service-linked role in the caller's name.
    const service = 'ops.apigateway.amazonaws.com';
    fn.allowIf(
      { StringEquals: { 'iam:AWSServiceName': service } },
      'iam:CreateServiceLinkedRole',
      Arn.format(
        {
          service: 'iam',
          region: '',
          resource: 'role',
          resourceName: `aws-service-role/${service}/AWSServiceRoleForAPIGateway`,
        },
        Stack.of(this),
      ),
    );
  }

  /** Lets a function delete its own domain names at API Gateway, and their mappings, whose paths the wildcard covers. */
  grantDomainNameRemoval(fn: ServiceFunction): void {
    fn.allowIf(this.#isOwnResource, 'apigateway:DELETE', this.#domainNames('/*'));
  }

  /** Lets a function read domain names of API Gateway and their mappings, including other teams'; tags decide ownership. */
  grantDomainNameReading(fn: ServiceFunction): void {
    fn.withVariable('ENVIRONMENT', this.#environmentName).allow('apigateway:GET', this.#domainNames('/*'));
    acknowledgeDomainNames(fn, '/*');
  }

  /**
   * Lets a function change the mappings of its own domain names, whose tags they inherit. A mapping that is being created
   * has no tags yet, so the code reads the tags of the domain name right before.
   */
  grantMappings(fn: ServiceFunction): void {
    this.grantDomainNameReading(fn);
    // A mapping is created in the collection of its domain name.
    const [collection, mapping] = ['/*/basepathmappings', '/*/basepathmappings/*'] as const;
    fn.allow('apigateway:POST', this.#domainNames(collection));
    fn.allowIf(this.#isOwnResource, 'apigateway:PATCH', this.#domainNames(mapping));
    fn.allowIf(this.#isOwnResource, 'apigateway:DELETE', this.#domainNames(mapping));
    for (const path of [collection, mapping]) acknowledgeDomainNames(fn, path);
  }

  #domainNames(path: string): string {
    return gatewayArn(this, `/domainnames${path}`);
  }

  #allowOnCertificates(
    fn: ServiceFunction,
    action: string,
    conditions: Conditions = {},
    resourceName = '*',
  ): void {
    const certificates = { service: 'acm', resource: 'certificate', resourceName };
    fn.allowIf(conditions, action, Arn.format(certificates, Stack.of(this)));
    acknowledgeWildcard(
      fn,
      'arn:<AWS::Partition>:acm:<AWS::Region>:<AWS::AccountId>:certificate/*',
      'ACM chooses the ids of certificates, so those of custom domains cannot be named in advance.',
    );
  }
}

function acknowledgeDomainNames(fn: ServiceFunction, path: string): void {
  acknowledgeWildcard(
    fn,
    `arn:<AWS::Partition>:apigateway:<AWS::Region>::/domainnames${path}`,
    'Custom domains are chosen by their owners, so they cannot be named in advance.',
  );
}

/** Conditions on a change of records. ForAllValues also holds if the key is absent, so each key must be present. */
function recordConditions(conditions: Conditions): Conditions {
  const keys = Object.values(conditions).flatMap(values => Object.keys(values));
  return { ...conditions, Null: Object.fromEntries(keys.map(key => [key, 'false'])) };
}
