import type { Vantage } from '../../../../shared/domains/dns/check-record.ts';
import { type ZoneContent, zoneLookup } from './zone-lookup.ts';

/** The vantage point of the servers of example.com with this content. Resolvers know `elsewhere`, too. */
export function vantageOf(zone: ZoneContent, elsewhere: Exclude<ZoneContent, 'SERVFAIL'> = {}): Vantage {
  return {
    zone: 'example.com',
    lookup: zoneLookup(() => zone),
    resolve: zoneLookup(() => (zone === 'SERVFAIL' ? zone : { ...zone, ...elsewhere })),
  };
}
