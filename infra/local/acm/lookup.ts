import type { CaaRecord as NodeCaaRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** A CAA record: `0 issue "amazon.com"`. */
export interface CaaRecord {
  readonly flags: number;
  readonly tag: string;
  readonly value: string;
}

/** The answer of DNS for a name and a type. SERVFAIL may be temporary. */
export type LookupAnswer<Value> =
  | { readonly outcome: 'RECORDS'; readonly records: readonly Value[] }
  | { readonly outcome: 'NXDOMAIN' | 'NODATA' | 'SERVFAIL' };

/** The lookups that ACM needs. Names have no trailing dot. The promises never reject. */
export interface Lookup {
  cname(name: string): Promise<LookupAnswer<string>>;
  caa(name: string): Promise<LookupAnswer<CaaRecord>>;
}

/** A server on the same machine that has not answered by then will not answer. */
const TIMEOUT_MS = 2000;

/** The outcomes by the codes of node:dns; every other one is a failure. */
const OUTCOME_BY_CODE: Readonly<Record<string, 'NXDOMAIN' | 'NODATA'>> = {
  ENODATA: 'NODATA',
  ENOTFOUND: 'NXDOMAIN',
};

/** Asks the recursive resolver at an address such as 127.0.0.1:5300. */
export function dnsLookup(server: string): Lookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  resolver.setServers([server]);
  return {
    cname: name => answerOf(resolver.resolveCname(name)),
    caa: name => answerOf(resolver.resolveCaa(name).then(records => records.map(caaRecord))),
  };
}

async function answerOf<Value>(records: Promise<readonly Value[]>): Promise<LookupAnswer<Value>> {
  try {
    return { outcome: 'RECORDS', records: await records };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return { outcome: OUTCOME_BY_CODE[code] ?? 'SERVFAIL' };
  }
}

/** Node gives the tag as the name of a property: { critical: 128, issue: 'amazon.com' }. */
function caaRecord({ critical, ...property }: NodeCaaRecord): CaaRecord {
  const [tag = '', value = ''] = Object.entries(property).find(([name]) => name !== 'type') ?? [];
  return { flags: critical, tag, value: String(value) };
}
