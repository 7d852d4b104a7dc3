import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { documents, findItem } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb.ts';
import { valuesOf } from '../dns/check-record.ts';
import type { Lookup } from '../dns/lookup.ts';
import { DOMAINS_TABLE } from '../life/domain.ts';

/** DNS providers that copy an ALIAS's addresses keep them for hours at most. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

/** An item of 200 addresses has 10 KB. A region's pool is smaller, as far as we have seen. */
const MOST_ADDRESSES = 200;

/** Look-ups per sweep: 5,760 hosts a day, each of which shows several addresses of the pool. */
const HOSTS_PER_SWEEP = 20;

/**
 * API Gateway's IPv6 addresses, as far as we have seen them. Functions can't connect to them, and a host shows only a sample of
 * a pool, so an ALIAS may lead to a different one. Kept in an item of the domains table (life/domain.ts).
 */
export function gatewayAddresses(tableName: string, now: () => number) {
  const read = async () => ((await findItem(tableName, DOMAINS_TABLE.addressesKey)) ?? {}) as AddressesItem;
  const recent = ({ seenMs = {} }: AddressesItem) =>
    Object.entries(seenMs).filter(([, ms]) => ms > now() - REMEMBERED_MS);

  return {
    async remembered(): Promise<ReadonlySet<string>> {
      return new Set(recent(await read()).map(([address]) => address));
    },

    /** Looks up the addresses of some of these hosts, different ones each time, and remembers them. */
    async sample(hosts: readonly string[], resolvers: readonly Lookup[]): Promise<void> {
      if (hosts.length === 0) return;
      const before = await read();
      const turn = nextTurn(hosts, before.lastHost);
      const found = await Promise.all(
        turn.flatMap(host => resolvers.map(async lookup => valuesOf(await lookup(host, 'AAAA')))),
      );
      const nowMs = now();
      const seen = new Map([...recent(before), ...found.flat().map(address => [address, nowMs] as const)]);
      const latest = [...seen].toSorted(([, one], [, other]) => other - one).slice(0, MOST_ADDRESSES);
      const after: AddressesItem = { seenMs: Object.fromEntries(latest), lastHost: turn.at(-1) };
      const expiry = { [DOMAINS_TABLE.timeToLive]: Math.ceil((nowMs + REMEMBERED_MS) / 1000) };
      const item = { ...DOMAINS_TABLE.addressesKey, ...after, ...expiry };
      await orUnavailable(documents.send(new PutCommand({ TableName: tableName, Item: item })));
    },
  };
}

interface AddressesItem {
  readonly seenMs?: Readonly<Record<string, number>>;
  readonly lastHost?: string | undefined;
}

/** The hosts after the last one, by name, and from the beginning again. */
function nextTurn(hosts: readonly string[], last = ''): readonly string[] {
  const inOrder = [...new Set(hosts)].toSorted();
  const next = inOrder.filter(host => host > last);
  return [...next, ...inOrder.slice(0, inOrder.length - next.length)].slice(0, HOSTS_PER_SWEEP);
}
