import {
  type ChangeResourceRecordSetsCommandInput,
  type GetHostedZoneCommandInput,
  InvalidChangeBatch,
  type ListResourceRecordSetsCommandInput,
  NoSuchHostedZone,
  type ResourceRecordSet,
} from '@aws-sdk/client-route-53';
import type { Actor } from '../virtual-time.ts';
import type { Call } from './calls.ts';

interface Zone {
  readonly name: string;
  readonly nameServers: readonly string[];
  /** The record sets by name and type. */
  readonly records: Map<string, ResourceRecordSet>;
}

/** A change of a record, and the record that exists. */
export interface RecordChange {
  readonly zoneId: string;
  readonly action: string;
  readonly set: ResourceRecordSet;
  readonly existing: ResourceRecordSet | undefined;
}

/** The hosted zones of the account. */
export class Route53Model {
  /** Called before a record is changed. */
  onChange: (change: RecordChange, by: Actor) => void = () => {};
  readonly #zones: Map<string, Zone>;

  constructor(zones: Readonly<Record<string, string>>) {
    this.#zones = new Map(
      Object.entries(zones).map(([id, name]) => [
        id,
        { name, nameServers: [`ns-1.aws.${name}`, `ns-2.aws.${name}`], records: new Map() },
      ]),
    );
  }

  records(zoneId: string): ResourceRecordSet[] {
    return [...this.#zone(zoneId).records.values()];
  }

  /** Deletes every record of every zone, as an operator might by hand. */
  clear(): void {
    for (const { records } of this.#zones.values()) records.clear();
  }

  nameServers(zoneId: string): readonly string[] {
    return this.#zone(zoneId).nameServers;
  }

  find(zoneId: string, name: string, type: string): ResourceRecordSet | undefined {
    return this.#zone(zoneId).records.get(keyOf(name, type));
  }

  readonly service = ({ operation, input, actor }: Call): unknown => {
    switch (operation) {
      case 'GetHostedZone': {
        const { name, nameServers } = this.#zone((input as GetHostedZoneCommandInput).Id);
        return {
          HostedZone: { Name: `${name}.`, Config: { PrivateZone: false } },
          DelegationSet: { NameServers: [...nameServers] },
        };
      }
      case 'ListResourceRecordSets': {
        const {
          HostedZoneId,
          StartRecordName = '',
          StartRecordType = '',
          ...limits
        } = input as ListResourceRecordSetsCommandInput;
        const start = placeOf(StartRecordName, StartRecordType);
        const found = [...this.#zone(HostedZoneId).records.values()]
          .map(set => ({ set, place: placeOf(set.Name, set.Type) }))
          .filter(({ place }) => place >= start)
          .toSorted((left, right) => (left.place < right.place ? -1 : 1))
          .slice(0, limits.MaxItems);
        return { ResourceRecordSets: found.map(({ set }) => ({ ...set, Name: `${set.Name}.` })) };
      }
      case 'ChangeResourceRecordSets':
        return this.#change(input as ChangeResourceRecordSetsCommandInput, actor);
      default:
        throw new Error(`The model of Route 53 does not support ${operation}.`);
    }
  };

  #zone(id = ''): Zone {
    const zone = this.#zones.get(id);
    if (!zone) throw new NoSuchHostedZone({ message: `No hosted zone found with ID: ${id}`, $metadata: {} });
    return zone;
  }

  #change({ HostedZoneId = '', ChangeBatch }: ChangeResourceRecordSetsCommandInput, by: Actor) {
    const { records } = this.#zone(HostedZoneId);
    for (const { Action, ResourceRecordSet } of ChangeBatch?.Changes ?? []) {
      if (!ResourceRecordSet) continue;
      const set = { ...ResourceRecordSet, Name: ResourceRecordSet.Name?.replace(/\.$/, '') };
      const key = keyOf(set.Name ?? '', set.Type ?? '');
      const existing = records.get(key);
      if (Action === 'CREATE' && existing) throw invalid(`${key} already exists`);
      if (Action === 'DELETE' && JSON.stringify(existing) !== JSON.stringify(set)) {
        throw invalid(`${key} was not found, or its values do not match`);
      }
      this.onChange({ zoneId: HostedZoneId, action: Action ?? '', set, existing }, by);
      if (Action === 'DELETE') records.delete(key);
      else records.set(key, set);
    }
    return {};
  }
}

function keyOf(name: string, type: string): string {
  return `${name} ${type}`;
}

function invalid(message: string): InvalidChangeBatch {
  return new InvalidChangeBatch({ message, $metadata: {} });
}

/** Route 53 lists by name, from its last label to the first, and then by type. */
function placeOf(name = '', type = ''): string {
  return `${name.split('.').toReversed().join('.')} ${type}`;
}
