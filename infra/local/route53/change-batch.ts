import { isWithin } from './domain-name.ts';
import type { HostedZone } from './hosted-zones.ts';
import { Route53Error } from './hosted-zones.ts';
import type { RecordSet } from './record-set.ts';
import { InvalidRecordValue, recordData } from './record-set.ts';

export interface RecordSetChange {
  readonly action: 'CREATE' | 'DELETE' | 'UPSERT';
  readonly recordSet: RecordSet;
}

/** The id of the hosted zone of a name that an AWS service assigned, which an alias may target from any zone. */
export type AliasZoneOf = (name: string) => string | undefined;

/** The zone's record sets after a batch of changes. A batch with faults is not applied; the error names all of them. */
export function changedRecordSets(
  zone: HostedZone,
  changes: readonly RecordSetChange[],
  aliasZoneOf: AliasZoneOf,
): readonly RecordSet[] {
  const faults: string[] = changes.flatMap(({ recordSet }) => faultsOf(recordSet, zone));
  const recordSets = new Map(zone.recordSets.map(recordSet => [keyOf(recordSet), recordSet]));
  for (const change of changes) {
    const fault = clash(change, changes) ?? apply(change, recordSets);
    if (fault !== undefined) faults.push(fault);
  }
  const result = [...recordSets.values()];
  for (const { action, recordSet } of changes) {
    if (action === 'DELETE') continue;
    const fault = cnameConflict(recordSet, result, zone) ?? aliasFault(recordSet, result, zone, aliasZoneOf);
    if (fault !== undefined) faults.push(fault);
  }
  faults.push(...missingOfZone(zone, result));
  if (faults.length > 0) {
    throw new Route53Error('InvalidChangeBatch', `[${[...new Set(faults)].join(', ')}]`);
  }
  return result;
}

function keyOf({ name, type }: RecordSet): string {
  return `${type} ${name}`;
}

function apply({ action, recordSet }: RecordSetChange, recordSets: Map<string, RecordSet>) {
  const key = keyOf(recordSet);
  const present = recordSets.get(key);
  const described = `resource record set [name='${recordSet.name}', type='${recordSet.type}']`;
  switch (action) {
    case 'CREATE':
      if (present !== undefined) return `Tried to create ${described} but it already exists`;
      recordSets.set(key, recordSet);
      return undefined;
    case 'UPSERT':
      recordSets.set(key, recordSet);
      return undefined;
    case 'DELETE':
      if (present === undefined) return `Tried to delete ${described} but it was not found`;
      if (!isSame(present, recordSet)) {
        return `Tried to delete ${described} but the values provided do not match the current values`;
      }
      recordSets.delete(key);
      return undefined;
  }
}

function isSame(one: RecordSet, other: RecordSet): boolean {
  return JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));
}

function comparable({ ttlSeconds, values, aliasTarget }: RecordSet) {
  const { hostedZoneId, dnsName, evaluateTargetHealth } = aliasTarget ?? {};
  return [ttlSeconds, values.toSorted(), hostedZoneId, dnsName, evaluateTargetHealth];
}

/** A record set may be deleted and created in one batch, but not created or deleted twice. */
function clash({ action, recordSet }: RecordSetChange, changes: readonly RecordSetChange[]) {
  const isDelete = action === 'DELETE';
  const alike = changes.filter(
    other => keyOf(other.recordSet) === keyOf(recordSet) && (other.action === 'DELETE') === isDelete,
  );
  return alike.length > 1
    ? `The request contains an invalid set of changes for a resource record set '${recordSet.type} ${recordSet.name}'`
    : undefined;
}

function faultsOf({ name, type, values }: RecordSet, zone: HostedZone): string[] {
  if (!isWithin(name, zone.name)) {
    return [`RRSet with DNS name ${name} is not permitted in zone ${zone.name}`];
  }
  if (type === 'CNAME' && name === zone.name) {
    return [`RRSet of type CNAME with DNS name ${name} is not permitted at apex in zone ${zone.name}`];
  }
  const onlyOne = type === 'CNAME' || type === 'SOA';
  if (onlyOne && values.length > 1) {
    return [`RRSet of type ${type} with DNS name ${name} may have only one resource record`];
  }
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  if (repeated !== undefined) return [`Duplicate Resource Record: '${repeated}'`];
  return values.flatMap(value => {
    try {
      recordData(type, value);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidRecordValue)) throw error;
      return [`Invalid Resource Record: '${error.message}'`];
    }
  });
}

function cnameConflict({ name, type }: RecordSet, recordSets: readonly RecordSet[], zone: HostedZone) {
  const others = recordSets.filter(other => other.name === name && other.type !== type);
  if (type === 'CNAME' && name !== zone.name && others.length > 0) {
    return `RRSet of type CNAME with DNS name ${name} is not permitted as it conflicts with other records with the same DNS name in zone ${zone.name}`;
  }
  if (type !== 'CNAME' && others.some(other => other.type === 'CNAME')) {
    return `RRSet of type ${type} with DNS name ${name} is not permitted because a conflicting RRSet of type CNAME with the same DNS name already exists in zone ${zone.name}`;
  }
  return undefined;
}

/** An alias targets a record set of the same zone and type, or a name that an AWS service assigned. */
function aliasFault(
  { type, aliasTarget }: RecordSet,
  recordSets: readonly RecordSet[],
  zone: HostedZone,
  aliasZoneOf: AliasZoneOf,
) {
  if (aliasTarget === undefined) return undefined;
  const { hostedZoneId, dnsName } = aliasTarget;
  const attempt = `Tried to create an alias that targets ${dnsName}, type ${type} in zone ${hostedZoneId}, but`;
  if (hostedZoneId !== zone.id) {
    return aliasZoneOf(dnsName) === hostedZoneId
      ? undefined
      : `${attempt} the alias target name does not lie within the target zone`;
  }
  if (!isWithin(dnsName, zone.name)) {
    return `${attempt} the alias target name does not lie within the target zone`;
  }
  return recordSets.some(other => other.name === dnsName && other.type === type)
    ? undefined
    : `${attempt} that target was not found`;
}

function missingOfZone({ name }: HostedZone, recordSets: readonly RecordSet[]): string[] {
  const hasOwn = (type: string) => recordSets.some(other => other.name === name && other.type === type);
  return [
    ...(hasOwn('SOA') ? [] : ['A HostedZone must contain exactly one SOA record.']),
    ...(hasOwn('NS') ? [] : ['A HostedZone must contain at least one NS record for the zone itself.']),
  ];
}
