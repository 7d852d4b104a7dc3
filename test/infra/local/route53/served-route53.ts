import {
  type Change,
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import { onTestFinished } from 'vitest';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import { close, listen, originOf } from '../../../../infra/local/http-servers.ts';
import { developer, type Principal } from '../../../../infra/local/iam/principal.ts';
import { HostedZones, type HostedZonesOptions } from '../../../../infra/local/route53/hosted-zones.ts';
import { route53Service } from '../../../../infra/local/route53/route53-service.ts';

export interface ServedRoute53Options extends HostedZonesOptions {
  readonly principal?: Principal;
}

/** The Route 53 API with a clock of its own, and the real client of it. */
export async function servedRoute53({ principal = developer, ...options }: ServedRoute53Options = {}) {
  const clock = { nowMs: Date.UTC(2030, 0, 1) };
  const now = () => clock.nowMs;
  const zones = new HostedZones({ ...options, now });
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const services = { route53: route53Service({ hostedZones: zones, now }) };
  server.on('request', awsEndpoint({ services, principal: () => principal, report: () => {} }));
  const client = new Route53Client({
    endpoint: originOf(server),
    region: 'us-east-1',
    credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());

  const created = async (Name: string, CallerReference = Name) => {
    const { HostedZone } = await client.send(new CreateHostedZoneCommand({ Name, CallerReference }));
    return HostedZone?.Id?.replace('/hostedzone/', '') ?? '';
  };
  const change = (HostedZoneId: string, ...Changes: Change[]) =>
    client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes } }));
  return { endpoint: originOf(server), client, clock, zones, created, change };
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
