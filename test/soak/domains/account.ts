import { ACMClient, paginateListCertificates } from '@aws-sdk/client-acm';
import { APIGatewayClient, paginateGetDomainNames } from '@aws-sdk/client-api-gateway';
import {
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { ListStateMachinesCommand, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn';

/** The zones in which the service creates a host for each claim. */
const PLATFORM_ZONES = ['apps.petstore.test.', 'apps.staging.petstore.test.'];

/** Reads what the account has for custom domains, by AWS's own clients and without faults. */
export async function readAccount(endpoint: string) {
  const credentials = { accessKeyId: 'auditor', secretAccessKey: 'x' };
  const options = { endpoint, region: 'us-east-1', credentials, maxAttempts: 10 };
  const [acm, gateway] = [new ACMClient(options), new APIGatewayClient(options)];
  const [route53, states] = [new Route53Client(options), new SFNClient(options)];
  try {
    const certificates: string[] = [];
    for await (const { CertificateSummaryList = [] } of paginateListCertificates({ client: acm }, {})) {
      certificates.push(...CertificateSummaryList.map(({ DomainName = '' }) => DomainName));
    }
    const gatewayNames: string[] = [];
    for await (const { items = [] } of paginateGetDomainNames({ client: gateway }, {})) {
      gatewayNames.push(...items.map(({ domainName = '' }) => domainName));
    }
    const hosts = await platformHosts(route53);
    const runningExecutions: string[] = [];
    const { stateMachines = [] } = await states.send(new ListStateMachinesCommand({}));
    for (const { stateMachineArn } of stateMachines) {
      const pages = paginateListExecutions({ client: states }, { stateMachineArn, statusFilter: 'RUNNING' });
      for await (const { executions = [] } of pages) {
        runningExecutions.push(...executions.map(({ executionArn = '' }) => executionArn));
      }
    }
    return { certificates, gatewayNames, hosts, runningExecutions };
  } finally {
    for (const client of [acm, gateway, route53, states]) client.destroy();
  }
}

async function platformHosts(route53: Route53Client): Promise<string[]> {
  const { HostedZones = [] } = await route53.send(new ListHostedZonesCommand({}));
  const hosts: string[] = [];
  for (const { Id, Name = '' } of HostedZones) {
    if (!PLATFORM_ZONES.includes(Name)) continue;
    const { ResourceRecordSets = [] } = await route53.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: Id }),
    );
    const created = ResourceRecordSets.filter(({ Type }) => Type !== 'NS' && Type !== 'SOA');
    hosts.push(...created.map(({ Name: host = '' }) => host.replace(/\.$/, '')));
  }
  return hosts;
}
