import type { ChangeResourceRecordSetsCommandInput } from '@aws-sdk/client-route-53';
import { HostedZones } from '../route53/hosted-zones.ts';
import type { RecordSet } from '../route53/record-set.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Service } from './calls.ts';
import type { Actor } from './virtual-time.ts';

/** A change of a record, and the record that was there before. */
export interface RecordChange {
  readonly zoneId: string;
  readonly action: string;
  readonly name: string;
  readonly type: string;
  readonly before: RecordSet | undefined;
}

/** The hosted zones of the account, and who changes what in them. */
export class AccountZones {
  /** Called for each record that a request has changed, or that was deleted by hand. */
  onChange: (change: RecordChange, by: Actor | undefined) => void = () => {};
  readonly #ids: ReadonlyMap<string, string>;
  readonly zones: HostedZones;

  /** `zones` are the names of the zones by their ids. */
  constructor(surroundings: Surroundings, zones: Readonly<Record<string, string>>) {
    this.#ids = new Map(Object.entries(zones).map(([id, name]) => [name, id]));
    this.zones = new HostedZones(surroundings);
    for (const [id, name] of Object.entries(zones)) {
      this.zones.add({ name: `${name}.`, callerReference: id }, id);
    }
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
    for (const { id, recordSets } of this.zones.list()) {
      this.zones.replaceRecordSets(id, recordSets.filter(isOfZone));
    }
  }

  /** Deletes a record, as an operator might by hand. */
  remove(zoneId: string, name: string, type: string): void {
    const before = this.find(zoneId, name, type);
    const others = this.#recordSets(zoneId).filter(set => set !== before);
    this.zones.replaceRecordSets(zoneId, others);
    this.onChange({ zoneId, action: 'DELETE', name, type, before }, undefined);
  }

  find(zoneId: string, name: string, type: string): RecordSet | undefined {
    const fullName = `${name}.`;
    return this.#recordSets(zoneId).find(set => set.name === fullName && set.type === type);
  }

  /** Route 53, whose changes are noticed. */
  watched(service: Service): Service {
    return async call => {
      const { operation, input, actor } = call;
      const changes = operation === 'ChangeResourceRecordSets' ? this.#changesOf(input as ChangeInput) : [];
      const output = await service(call);
      for (const change of changes) this.onChange(change, actor);
      return output;
    };
  }

  #recordSets(zoneId: string): readonly RecordSet[] {
    return this.zones.find(zoneId)?.recordSets ?? [];
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
