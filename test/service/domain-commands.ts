import { APIGatewayClient, DeleteBasePathMappingCommand } from '@aws-sdk/client-api-gateway';
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { expect, inject } from 'vitest';
import { EDGE_ADDRESSES } from '../../infra/local/testing/public-addresses.ts';
import { done, eventually } from './operator.ts';
import { type AwsAccess, awsClientOptions } from './running-service.ts';

/** What a test does with the custom domains of one environment, by default of the shared service. */
export function domainCommands(
  stage: 'production' | 'staging',
  service: () => AwsAccess = () => inject('sharedService'),
) {
  /** Sends a command to the operator and returns its result. */
  const command = (name: string, fields: object) => done(service(), stage, name, fields);

  /** Creates a project that may have custom domains. */
  const deployed = async (id: string): Promise<void> => {
    await command('projects.create', { id, plan: 'pro' });
    await command('projects.deployed', { id });
  };

  /** The report of a domain as soon as it is as expected. */
  const shown = (domain: string, expected: object, project?: string) =>
    eventually(async () => {
      const report = await command('domains.show', { domain, project });
      expect(report).toMatchObject(expected);
      return report;
    });

  /** Claims a name and returns its report as soon as ACM has named its validation record. */
  const claimed = async (domain: string, project?: string, options = {}) => {
    await command('domains.add', { domain, project, ...options });
    const expected = {
      status: 'pending_dns',
      records: expect.arrayContaining([expect.objectContaining({ purpose: 'certificate' })]),
    };
    return shown(domain, expected, project);
  };

  /** Claims a name, creates its records, and returns its report as soon as it is live. */
  const wentLive = async (registrar: Registrar, domain: string, project?: string) => {
    const report = await claimed(domain, project);
    await registrar.create(report.records);
    await command('domains.verify', { domain, project });
    return { ...report, ...(await shown(domain, { status: 'live' }, project)) };
  };

  /** Removes a domain and waits until nothing of it is left. */
  const removed = async (domain: string, project?: string): Promise<void> => {
    await command('domains.remove', { domain, project });
    await eventually(async () => {
      const { domains } = await command('domains.list', { project });
      expect(domains.map((each: { domain: string }) => each.domain)).not.toContain(domain);
    });
  };

  return { command, deployed, shown, claimed, wentLive, removed };
}

/** A record as a report shows it. */
export interface ShownRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** Manages the DNS of a domain as its owner does, with AWS's own client. */
export interface Registrar {
  /** A name server of the zone, for the NS record of a delegation. */
  readonly nameServer: string;
  readonly zoneId: string;
  set(name: string, type: string, ...values: string[]): Promise<void>;
  /** Creates the records of a report, as a provider that flattens an ALIAS to addresses. */
  create(records: readonly ShownRecord[]): Promise<void>;
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
  const set = (name: string, type: string, ...values: string[]) =>
    change('UPSERT', recordSet(name, type, values));
  return {
    nameServer,
    zoneId: HostedZone?.Id ?? '',
    set,
    async create(records) {
      for (const { name, type, value } of records) {
        // All IP addresses of AWS are those of the edge.
        await (type === 'ALIAS' ? set(name, 'A', EDGE_ADDRESSES.A) : set(name, type, value));
      }
    },
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

/** Deletes the mapping of a domain name, as somebody does in the console of API Gateway. */
export async function deleteMapping(service: AwsAccess, domainName: string): Promise<void> {
  const gateway = new APIGatewayClient(awsClientOptions(service));
  await gateway.send(new DeleteBasePathMappingCommand({ domainName, basePath: '(none)' }));
  gateway.destroy();
}

/** Deletes the record of a host in the zone of its parent, as somebody does in the console of Route 53. */
export async function deleteHost(service: AwsAccess, host: string): Promise<void> {
  const route53 = new Route53Client(awsClientOptions(service));
  const { HostedZones = [] } = await route53.send(new ListHostedZonesCommand({}));
  const zone = HostedZones.find(({ Name }) => Name === `${host.slice(host.indexOf('.') + 1)}.`);
  const { ResourceRecordSets: [ResourceRecordSet] = [] } = await route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: zone?.Id, StartRecordName: host, MaxItems: 1 }),
  );
  const Changes = [{ Action: 'DELETE' as const, ResourceRecordSet }];
  await route53.send(
    new ChangeResourceRecordSetsCommand({ HostedZoneId: zone?.Id, ChangeBatch: { Changes } }),
  );
  route53.destroy();
}
