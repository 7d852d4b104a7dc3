import { randomUUID } from 'node:crypto';
import type {
  ListResourceRecordSetsCommand,
  ListResourceRecordSetsRequest,
  ListResourceRecordSetsResponse,
  ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { getDomain } from 'tldts';
import { isWithin } from '../../../shared/domains/life/domain-name.ts';
import { kindOf, reasonOf } from '../connection/aws-error.ts';
import { CommandError, PROGRAM_NAME } from '../connection/command-error.ts';
import { notRunning, type Target } from '../connection/target.ts';

export interface HostedZone {
  readonly id: string;
  readonly name: string;
}

/** How long resolvers remember that a record is missing. Short, so a record that is set later shows up soon. */
const NEGATIVE_TTL_SECONDS = 60;

type Sdk = typeof import('@aws-sdk/client-route-53');

export interface RecordChange {
  readonly action: 'UPSERT' | 'DELETE';
  readonly record: ResourceRecordSet;
}

/** The hosted zones of the local AWS. Names have no dot at their end, and wildcards are written as *. */
export class HostedZones {
  readonly #client: Route53Client;
  readonly #sdk: Sdk;

  private constructor(client: Route53Client, sdk: Sdk) {
    this.#client = client;
    this.#sdk = sdk;
  }

  static async of({ aws }: Pick<Target, 'aws'>): Promise<HostedZones> {
    const sdk = await import('@aws-sdk/client-route-53');
    return new HostedZones(new sdk.Route53Client(aws), sdk);
  }

  async list(): Promise<HostedZone[]> {
    const zones: HostedZone[] = [];
    const pages = this.#sdk.paginateListHostedZones({ client: this.#client }, {});
    await explained(async () => {
      for await (const { HostedZones: page = [] } of pages) {
        zones.push(...page.map(({ Id = '', Name = '' }) => ({ id: Id, name: plainName(Name) })));
      }
    });
    return zones.toSorted((left, right) => left.name.localeCompare(right.name));
  }

  /** The zone that a name belongs to: the one with the longest name. */
  async zoneOf(name: string): Promise<HostedZone | undefined> {
    const enclosing = (await this.list()).filter(zone => isWithin(name, zone.name));
    return enclosing.toSorted((left, right) => right.name.length - left.name.length)[0];
  }

  async create(name: string): Promise<HostedZone> {
    const { HostedZone: created, DelegationSet } = await explained(() =>
      this.#client.send(new this.#sdk.CreateHostedZoneCommand({ Name: name, CallerReference: randomUUID() })),
    );
    const zone = { id: created?.Id ?? '', name };
    const [server = ''] = DelegationSet?.NameServers ?? [];
    const soa = `${server}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 ${NEGATIVE_TTL_SECONDS}`;
    const ResourceRecords = [{ Value: soa }];
    const record = { Name: name, Type: 'SOA', TTL: NEGATIVE_TTL_SECONDS, ResourceRecords } as const;
    await this.change(zone, { action: 'UPSERT', record });
    return zone;
  }

  /** Deletes an empty zone. */
  async remove({ id }: HostedZone): Promise<void> {
    await explained(() => this.#client.send(new this.#sdk.DeleteHostedZoneCommand({ Id: id })));
  }

  async recordsOf({ id }: HostedZone): Promise<ResourceRecordSet[]> {
    const records: ResourceRecordSet[] = [];
    let next: Pick<ListResourceRecordSetsRequest, 'StartRecordName' | 'StartRecordType'> | undefined = {};
    while (next) {
      const request: ListResourceRecordSetsCommand = new this.#sdk.ListResourceRecordSetsCommand({
        HostedZoneId: id,
        ...next,
      });
      const page: ListResourceRecordSetsResponse = await explained(() => this.#client.send(request));
      for (const record of page.ResourceRecordSets ?? []) {
        records.push({ ...record, Name: plainName(record.Name ?? '') });
      }
      const { IsTruncated, NextRecordName: StartRecordName, NextRecordType: StartRecordType } = page;
      next = IsTruncated ? { StartRecordName, StartRecordType } : undefined;
    }
    return records;
  }

  /** Makes all of the changes at once. */
  async change({ id }: HostedZone, ...changes: readonly RecordChange[]): Promise<void> {
    const ChangeBatch = {
      Changes: changes.map(({ action, record }) => ({ Action: action, ResourceRecordSet: record })),
    };
    await explained(() =>
      this.#client.send(new this.#sdk.ChangeResourceRecordSetsCommand({ HostedZoneId: id, ChangeBatch })),
    );
  }
}

/** Route 53 ends names with a dot, and escapes all but letters, digits, hyphens and underscores in octal. */
function plainName(name: string): string {
  return name
    .replace(/\.$/, '')
    .replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Route 53 lists the faults of a change batch in brackets. */
async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const kind = kindOf(error);
    if (kind === 'unreachable') throw notRunning();
    const reason = reasonOf(error).replace(/^\[(.*)\]\.$/s, '$1.');
    const lost = { timedOut: "didn't respond in time", lost: 'closed the connection' }[String(kind)];
    throw lost
      ? new CommandError('network', `The DNS server of this machine ${lost}.`)
      : new CommandError('refused', `The DNS server of this machine refused: ${reason}`, {
          advice: [
            `See the records with: ${PROGRAM_NAME} dns list --local`,
            `Delete one that is in the way with: ${PROGRAM_NAME} dns delete <name> <type> --local`,
          ],
        });
  }
}

/**
 * The registrable domain that a name belongs to, by the public suffix list: example.co.uk for www.example.co.uk;
 * undefined for a name such as co.uk that nobody can register.
 */
export function registrableOf(name: string): string | undefined {
  // tldts does not accept a wildcard, which belongs to the same registrable domain as its parent.
  return getDomain(name.replace(/^\*\./, ''), { allowPrivateDomains: true }) ?? undefined;
}
