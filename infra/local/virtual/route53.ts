import type { ChangeResourceRecordSetsCommandInput } from '@aws-sdk/client-route-53';
import type { Operation } from '../aws-api/operation.ts';
import { aliasZoneOf, nameServers } from '../route53/aws-names.ts';
import { hostedZoneOperations } from '../route53/hosted-zone-operations.ts';
import { HostedZones } from '../route53/hosted-zones.ts';
import type { RecordSet } from '../route53/record-set.ts';
import { recordSetOperations } from '../route53/record-set-operations.ts';
import type { Call } from './calls.ts';
import type { Actor, VirtualTime } from './virtual-time.ts';

/** A change of a record, and the record that was there before. */
export interface RecordChange {
  readonly zoneId: string;
  readonly action: string;
  readonly name: string;
  readonly type: string;
  readonly before: RecordSet | undefined;
}

/** The hosted zones of the account: the operations are those of the local AWS. */
export class Route53Model {
  /** Called for each record that a request has changed. */
  onChange: (change: RecordChange, by: Actor) => void = () => {};
  /** When the records of a zone were last changed, by its id. */
  readonly changedAtMs = new Map<string, number>();
  readonly zoneNames: readonly string[];
  readonly #time: VirtualTime;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #zones: HostedZones;
  readonly #operations: ReadonlyMap<string, Operation>;

  /** `zones` are the names of the zones by their ids. */
  constructor(time: VirtualTime, zones: Readonly<Record<string, string>>) {
    this.#time = time;
    this.zoneNames = Object.values(zones);
    this.#ids = new Map(Object.entries(zones).map(([id, name]) => [name, id]));
    this.#zones = new HostedZones({ waitScale: 0, now: () => time.nowMs });
    for (const [id, name] of Object.entries(zones)) {
      this.#zones.add({ name: `${name}.`, callerReference: id }, id);
    }
    const operations = [
      ...hostedZoneOperations(this.#zones),
      ...recordSetOperations(this.#zones, aliasZoneOf),
    ];
    this.#operations = new Map(operations.map(operation => [operation.name, operation]));
  }

  idOf(zoneName: string): string | undefined {
    return this.#ids.get(zoneName);
  }

  /** The record sets that Route 53 has not created by itself. */
  records(zoneId: string): RecordSet[] {
    const own = this.#recordSets(zoneId).filter(set => !isOfZone(set));
    return own.map(set => ({ ...set, name: set.name.slice(0, -1) }));
  }

  /** Deletes every record of every zone, as an operator might by hand. */
  clear(): void {
    for (const { id, recordSets } of this.#zones.list()) {
      this.#zones.replaceRecordSets(id, recordSets.filter(isOfZone));
    }
  }

  /** Deletes a record, as an operator might by hand. */
  remove(zoneId: string, name: string, type: string): void {
    const others = this.#recordSets(zoneId).filter(set => set.name !== `${name}.` || set.type !== type);
    this.#zones.replaceRecordSets(zoneId, others);
    this.changedAtMs.set(zoneId, this.#time.nowMs);
  }

  nameServers(zoneId: string): readonly string[] {
    return nameServers(zoneId);
  }

  find(zoneId: string, name: string, type: string): RecordSet | undefined {
    const fullName = `${name}.`;
    return this.#recordSets(zoneId).find(set => set.name === fullName && set.type === type);
  }

  readonly service = ({ operation, input, actor }: Call): unknown => {
    const found = this.#operations.get(operation);
    if (!found) throw new Error(`The model of Route 53 does not support ${operation}.`);
    const changes = operation === 'ChangeResourceRecordSets' ? this.#changesOf(input as ChangeInput) : [];
    const output = found.perform(input, { requestId: '', callerArn: '', otherAccountId: undefined });
    for (const change of changes) {
      this.changedAtMs.set(change.zoneId, this.#time.nowMs);
      this.onChange(change, actor);
    }
    return output;
  };

  #recordSets(zoneId: string): readonly RecordSet[] {
    return this.#zones.find(zoneId)?.recordSets ?? [];
  }

  #changesOf({ HostedZoneId: zoneId = '', ChangeBatch }: ChangeInput): RecordChange[] {
    return (ChangeBatch?.Changes ?? []).map(({ Action: action = '', ResourceRecordSet }) => {
      const { Name = '', Type: type = '' } = ResourceRecordSet ?? {};
      const name = Name.replace(/\.$/, '');
      return { zoneId, action, name, type, before: this.find(zoneId, name, type) };
    });
  }
}

type ChangeInput = ChangeResourceRecordSetsCommandInput;

function isOfZone({ type }: RecordSet): boolean {
  return type === 'NS' || type === 'SOA';
}
