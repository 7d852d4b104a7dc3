import { isWithin, parentOf, WILDCARD_LABEL } from '../route53/domain-name.ts';
import type { HostedZone } from '../route53/hosted-zones.ts';
import type { RecordSet } from '../route53/record-set.ts';

/**
 * The record sets at a name of a zone, or undefined when the name does not exist. A name with names below it exists, even
 * without records. A wildcard matches names that do not exist below its parent, the closest encloser (RFC 4592).
 */
export function recordSetsAt({ name: zone, recordSets }: HostedZone, name: string): RecordSet[] | undefined {
  const at = (owner: string) => recordSets.filter(set => set.name === owner);
  const exists = (owner: string) => recordSets.some(set => isWithin(set.name, owner));
  if (exists(name)) return at(name);
  let encloser = parentOf(name);
  while (!exists(encloser) && encloser !== zone) encloser = parentOf(encloser);
  const wildcard = at(`${WILDCARD_LABEL}.${encloser}`);
  return wildcard.length > 0 ? wildcard : undefined;
}
