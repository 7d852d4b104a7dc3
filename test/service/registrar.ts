import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { type AwsAccess, awsClientOptions } from './running-service.ts';

/** Manages the DNS of a domain as its owner does, with AWS's own client. */
export interface Registrar {
  /** A name server of the zone, for the NS record of a delegation. */
  readonly nameServer: string;
  readonly zoneId: string;
  set(name: string, type: string, ...values: string[]): Promise<void>;
  setAlias(name: string, host: string, hostedZoneId: string): Promise<void>;
  delete(name: string, type: string, value: string): Promise<void>;
  close(): void;
}

/** Creates a zone and returns its registrar. */
export async function registrarOf(zone: string, service: AwsAccess): Promise<Registrar> {
  const route53 = new Route53Client(awsClientOptions(service));
  const { HostedZone, DelegationSet } = await route53.send(
    new CreateHostedZoneCommand({ Name: zone, CallerReference: zone }),
  );
  const change = async (Action: 'UPSERT' | 'DELETE', set: ResourceRecordSet) => {
    await route53.send(
      new ChangeResourceRecordSetsCommand({
        HostedZoneId: HostedZone?.Id,
        ChangeBatch: { Changes: [{ Action, ResourceRecordSet: set }] },
      }),
    );
  };
  // Short, so that a record is seen soon after it was found missing.
  const nameServer = `${DelegationSet?.NameServers?.[0]}.`;
  const soa = `${nameServer} hostmaster.${zone}. 1 7200 900 1209600 10`;
  await change('UPSERT', { Name: zone, Type: 'SOA', TTL: 10, ResourceRecords: [{ Value: soa }] });
  const recordSet = (Name: string, type: string, values: readonly string[]): ResourceRecordSet => ({
    Name,
    Type: type as 'TXT',
    TTL: 60,
    ResourceRecords: values.map(value => ({ Value: type === 'TXT' ? `"${value}"` : value })),
  });
  return {
    nameServer,
    zoneId: HostedZone?.Id ?? '',
    set: (name, type, ...values) => change('UPSERT', recordSet(name, type, values)),
    setAlias: (Name, DNSName, HostedZoneId) =>
      change('UPSERT', {
        Name,
        Type: 'A',
        AliasTarget: { DNSName, HostedZoneId, EvaluateTargetHealth: false },
      }),
    delete: (name, type, value) => change('DELETE', recordSet(name, type, [value])),
    close: () => route53.destroy(),
  };
}
