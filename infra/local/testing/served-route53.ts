import {
  type Change,
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
  Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import { onTestFinished } from 'vitest';
import { awsService } from '../aws-api/aws-service.ts';
import type { Principal } from '../iam/principal.ts';
import { HostedZones, type HostedZonesOptions } from '../route53/hosted-zones.ts';
import { route53Api } from '../route53/route53-service.ts';
import { serveEndpoint } from './served-endpoint.ts';

/** The service that has these zones. */
export const route53Service = (hostedZones: HostedZones) => awsService(route53Api({ hostedZones }));

export interface ServedRoute53Options extends HostedZonesOptions {
  readonly principal?: Principal;
}

/** The Route 53 API with a clock of its own, and the real client of it. */
export async function servedRoute53({ principal, ...options }: ServedRoute53Options = {}) {
  const clock = { nowMs: Date.UTC(2030, 0, 1) };
  const now = () => clock.nowMs;
  const zones = new HostedZones({ ...options, now });
  const services = { route53: route53Service(zones) };
  const { endpoint, clientOptions } = await serveEndpoint(services, principal);
  const client = new Route53Client(clientOptions);
  onTestFinished(() => client.destroy());

  const created = async (Name: string, CallerReference = Name) => {
    const { HostedZone } = await client.send(new CreateHostedZoneCommand({ Name, CallerReference }));
    return HostedZone?.Id?.replace('/hostedzone/', '') ?? '';
  };
  const change = (HostedZoneId: string, ...Changes: Change[]) => {
    // The change before this one has been applied.
    clock.nowMs += 100;
    return client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes } }));
  };
  return { endpoint, client, clock, zones, created, change };
}

/** A change of a record set with a TTL of 300 seconds. */
export function changeOf(Action: Change['Action'], Type: RRType, Name: string, ...values: string[]): Change {
  const ResourceRecords = values.map(Value => ({ Value }));
  return { Action, ResourceRecordSet: { Name, Type, TTL: 300, ResourceRecords } };
}

/** A change of an alias. */
export function aliasOf(
  Action: Change['Action'],
  Name: string,
  DNSName: string,
  HostedZoneId: string,
  Type: RRType = 'A',
): Change {
  const AliasTarget = { DNSName, HostedZoneId, EvaluateTargetHealth: false };
  return { Action, ResourceRecordSet: { Name, Type, AliasTarget } };
}

/** The Route 53 API with one zone. */
export async function servedZone(Name = 'example.com') {
  const served = await servedRoute53();
  const zone = await served.created(Name);
  const list = (input: Omit<ListResourceRecordSetsCommandInput, 'HostedZoneId'> = {}) =>
    served.client.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone, ...input }));
  return {
    ...served,
    zone,
    list,
    change: (...changes: Change[]) => served.change(zone, ...changes),
    names: async () =>
      (await list()).ResourceRecordSets?.map(({ Name: name, Type }) => `${name} ${Type}`) ?? [],
  };
}

/** What `names` gives for the records that every zone has. */
export const OWN = ['example.com. NS', 'example.com. SOA'];

/** The error for a batch with these faults. */
export const rejection = (...messages: string[]) => ({
  name: 'InvalidChangeBatch',
  message: `[${messages.join(', ')}]`,
  $metadata: { httpStatusCode: 400 },
});
