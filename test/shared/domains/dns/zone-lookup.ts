import type { Found, Lookup } from '../../../../shared/domains/dns/lookup.ts';

/** What DNS says by `name TYPE`, where `*` stands for any first label; SERVFAIL for everything when there is no zone. */
export type ZoneContent = Readonly<Record<string, readonly string[] | 'SERVFAIL'>> | 'SERVFAIL';

/** A look-up that answers with what is in the zone at the time. */
export function zoneLookup(zone: () => ZoneContent): Lookup {
  return async (name, type): Promise<Found> => {
    const content = zone();
    const values =
      content === 'SERVFAIL'
        ? content
        : (content[`${name} ${type}`] ?? content[`${name.replace(/^[^.]+/, '*')} ${type}`]);
    if (values === 'SERVFAIL') return { kind: 'unknown', why: 'ESERVFAIL' };
    return values ? { kind: 'records', values } : { kind: 'none' };
  };
}
