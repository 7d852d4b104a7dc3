import { type DnsQuestion, type DnsResponse, query, type Spend } from './dns-query.ts';

export type RecordType = DnsQuestion['type'];

/**
 * What a DNS server said. `none` (the name doesn't exist, or has no such record) means "not yet"; `unknown` (the server failed,
 * or didn't answer) means nothing at all. Neither is a failure.
 */
export type Found =
  /** `canonical` is the name that has the records if the requested name is an alias (CNAME) of it. */
  | {
      readonly kind: 'records';
      readonly values: readonly string[];
      readonly canonical?: string;
      /** The time to live of the records in seconds, if it isn't zero. */
      readonly ttl?: number;
    }
  /** The name is an alias of a name that the server doesn't know. Only a zone's own servers answer this. */
  | { readonly kind: 'alias'; readonly target: string }
  /** `isNameAbsent`: there is no such name (NXDOMAIN), and so no other record of it either. */
  | { readonly kind: 'none'; readonly isNameAbsent?: true }
  | { readonly kind: 'unknown'; readonly why: string };

/** Asks one DNS server, or several with the same answers. */
export type Lookup = (name: string, type: RecordType) => Promise<Found>;

/** Limits for all look-ups of a check together. */
export interface LookupLimits {
  /** How long one server may take. */
  readonly timeoutMs: number;
  /** Ends all look-ups. */
  readonly budget: AbortSignal;
  /** Called for everything that servers send, which may end the budget, too. */
  readonly spend?: Spend;
  /** How many values are looked at; MAX_VALUES by default. */
  readonly maxValues?: number;
  /** Name servers that haven't answered. They aren't asked again, so they cost time only once, not for every record. */
  readonly silent: Set<string>;
}

/** Long enough for the other side of the world and lost packets. */
export const TIMEOUT_MS = 2400;

/** More values than any real name has; the rest are ignored. */
export const MAX_VALUES = 20;

/** More chained CNAMEs than resolvers follow. */
const MAX_CHAIN = 16;

/** A look-up at a recursive resolver. A single look-up needs no limit but its server's time. */
export function resolverLookup(
  server: string,
  { timeoutMs, budget: signal, spend, maxValues }: Omit<LookupLimits, 'silent'> = {
    timeoutMs: TIMEOUT_MS,
    budget: new AbortController().signal,
  },
): Lookup {
  return async (name, type) => {
    try {
      const response = await query(server, { name, type }, { isRecursive: true, timeoutMs, signal, spend });
      return isUseful(response) ? foundIn(response, name, type, { maxValues }) : unknown(response);
    } catch (error) {
      return { kind: 'unknown', why: (error as Error).message };
    }
  };
}

/** A look-up at all name servers of a zone at once: the first answer counts. */
export function authoritativeLookup(servers: readonly string[], limits: LookupLimits): Lookup {
  const askAny = serverGroup(servers, limits);
  return async (name, type) => {
    const response = await askAny({ name, type }, ({ isAuthoritative }) => isAuthoritative);
    if ('why' in response) return { kind: 'unknown', why: response.why };
    return foundIn(response, name, type, { isZoneServer: true });
  };
}

/** Asks servers of the same zone. `isAnswer` returns true for a final response; otherwise the next server counts. */
export type ServerGroup = (
  question: DnsQuestion,
  isAnswer: (response: DnsResponse) => boolean,
) => Promise<DnsResponse | { readonly why: string }>;

export function serverGroup(
  servers: readonly string[],
  { timeoutMs, budget, spend, silent }: LookupLimits,
): ServerGroup {
  return async (question, isAnswer) => {
    const answered = new AbortController();
    const signal = AbortSignal.any([budget, answered.signal]);
    const reasons: string[] = [];
    const ask = async (server: string): Promise<DnsResponse> => {
      try {
        const response = await query(server, question, { isRecursive: false, timeoutMs, signal, spend });
        if (isUseful(response) && isAnswer(response)) return response;
        reasons.push(response.code === 'NOERROR' ? 'not authoritative' : response.code);
      } catch (error) {
        if (!answered.signal.aborted) silent.add(server);
        throw error;
      }
      throw new Error('Another server may answer better.');
    };
    try {
      return await Promise.any(servers.filter(server => !silent.has(server)).map(ask));
    } catch {
      return { why: reasons[0] ?? 'no answer' };
    } finally {
      answered.abort();
    }
  };
}

function isUseful({ code }: DnsResponse): boolean {
  return code === 'NOERROR' || code === 'NXDOMAIN';
}

function unknown({ code }: DnsResponse): Found {
  return { kind: 'unknown', why: code };
}

/** Follows the CNAMEs of an answer from the name to the records. */
export function foundIn(
  { code, answers }: Pick<DnsResponse, 'code' | 'answers'>,
  name: string,
  type: RecordType,
  {
    isZoneServer = false,
    maxValues = MAX_VALUES,
  }: { readonly isZoneServer?: boolean; readonly maxValues?: number | undefined },
): Found {
  const asked = name.toLowerCase();
  let owner = asked;
  for (let followed = 0; followed <= MAX_CHAIN; followed += 1) {
    const atOwner = answers.filter(answer => answer.name === owner);
    const [record, ...others] = atOwner.filter(answer => answer.type === type).slice(0, maxValues);
    if (record) {
      const values = [record, ...others].map(({ value }) => value);
      const { ttl } = record;
      return { kind: 'records', values, ...(followed > 0 && { canonical: owner }), ...(ttl > 0 && { ttl }) };
    }
    const cname = atOwner.find(answer => answer.type === 'CNAME');
    if (!cname) break;
    owner = cname.value;
  }
  const isAlias = owner !== asked;
  if (isAlias && isZoneServer) return { kind: 'alias', target: owner };
  return { kind: 'none', ...(code === 'NXDOMAIN' && !isAlias && { isNameAbsent: true }) };
}
