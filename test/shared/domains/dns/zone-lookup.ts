import type { Found, Lookup } from '../../../../shared/domains/dns/lookup.ts';

/** Values by `name TYPE`, where `*` stands for any first label. SERVFAIL fails one name, or everything. */
export type ZoneContent = Readonly<Record<string, readonly string[] | 'SERVFAIL'>> | 'SERVFAIL';

/** A look-up that reads the zone anew each time, so that a test may change it. */
export function zoneLookup(zone: () => ZoneContent): Lookup {
  return async (name, type): Promise<Found> => {
    const content = zone();
    const values =
      content === 'SERVFAIL'
        ? content
        : (content[`${name} ${type}`] ?? content[`${name.replace(/^[^.]+/, '*')} ${type}`]);
    if (values === 'SERVFAIL') return { kind: 'unknown', why: 'SERVFAIL' };
    return values ? { kind: 'records', values } : { kind: 'none' };
  };
}
