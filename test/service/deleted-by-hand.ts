import { APIGatewayClient, DeleteBasePathMappingCommand } from '@aws-sdk/client-api-gateway';
import {
  ChangeResourceRecordSetsCommand,
  ListHostedZonesByNameCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';

const optionsOf = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'somebody', secretAccessKey: 'x' },
});

/** Deletes the mapping of a domain name, as somebody does in the console of API Gateway. */
export async function deleteMapping(endpoint: string, domainName: string): Promise<void> {
  const gateway = new APIGatewayClient(optionsOf(endpoint));
  await gateway.send(new DeleteBasePathMappingCommand({ domainName, basePath: '(none)' }));
  gateway.destroy();
}

/** Deletes the record of a host in the zone of its parent, as somebody does in the console of Route 53. */
export async function deleteHost(endpoint: string, host: string): Promise<void> {
  const route53 = new Route53Client(optionsOf(endpoint));
  const DNSName = host.slice(host.indexOf('.') + 1);
  const { HostedZones: [zone] = [] } = await route53.send(new ListHostedZonesByNameCommand({ DNSName }));
  const { ResourceRecordSets: [ResourceRecordSet] = [] } = await route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: zone?.Id, StartRecordName: host, MaxItems: 1 }),
  );
  const Changes = [{ Action: 'DELETE' as const, ResourceRecordSet }];
  await route53.send(
    new ChangeResourceRecordSetsCommand({ HostedZoneId: zone?.Id, ChangeBatch: { Changes } }),
  );
  route53.destroy();
}
