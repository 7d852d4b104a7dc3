import type { CaaRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { withoutTrailingDot } from './trailing-dot.ts';

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'NS' | 'CAA' | 'SOA';

/**
 * What a DNS server said. `none` (the name does not exist, or has no such record) means "not yet"; `unknown` (the
 * server failed, or did not answer) means nothing at all. Neither is a failure.
 */
export type Found =
  | { readonly kind: 'records'; readonly values: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly why: string };

/** Asks one DNS server, or several that give the same answers. */
export type Lookup = (name: string, type: RecordType) => Promise<Found>;

const TIMEOUT_MS = 2000;
const TRIES = 2;

/** A look-up at these servers, given by address. */
export function lookupAt(servers: readonly string[]): Lookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  resolver.setServers(servers);
  return async (name, type) => {
    try {
      return { kind: 'records', values: await ask(resolver, name, type) };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      return code === 'ENOTFOUND' || code === 'ENODATA' ? { kind: 'none' } : { kind: 'unknown', why: code };
    }
  };
}

async function ask(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name);
    case 'AAAA':
      return resolver.resolve6(name);
    case 'CNAME':
      return (await resolver.resolveCname(name)).map(withoutTrailingDot);
    case 'NS':
      return (await resolver.resolveNs(name)).map(withoutTrailingDot);
    case 'TXT':
      return (await resolver.resolveTxt(name)).map(chunks => chunks.join(''));
    case 'CAA':
      return (await resolver.resolveCaa(name)).map(caaText);
    case 'SOA':
      return [withoutTrailingDot((await resolver.resolveSoa(name)).nsname)];
  }
}

/** As a zone file writes it: `0 issue "amazon.com"`. Node puts the value under the name of its tag. */
function caaText({ critical, ...property }: CaaRecord): string {
  const [tag = '', value = ''] = Object.entries(property).find(([name]) => name !== 'type') ?? [];
  return `${critical} ${tag} "${value}"`;
}
