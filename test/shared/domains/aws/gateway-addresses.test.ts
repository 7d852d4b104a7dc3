import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { dynamoDb } from '../../../../shared/aws/dynamodb.ts';
import { gatewayAddresses } from '../../../../shared/domains/aws/gateway-addresses.ts';
import type { Lookup } from '../../../../shared/domains/dns/lookup.ts';
import { DOMAINS_TABLE } from '../../../../shared/domains/life/domain.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS, DAY, HOUR } from '../claimed-domain.ts';

let nowMs: number;
let table: string;
let asked: string[];
/** What hosts have at the moment. */
let pool: (host: string) => readonly string[];

beforeEach(async () => {
  table = await tableLike('DomainsTable');
  nowMs = AT_MS;
  asked = [];
  pool = host => [`2600:1f18::${host}`];
});

const resolver: Lookup = async (host, type) => {
  asked.push(`${host} ${type}`);
  return { kind: 'records', values: pool(host) };
};
const FAILING: Lookup = async () => ({ kind: 'unknown', why: 'SERVFAIL' });

const addresses = () => gatewayAddresses(table, () => nowMs);
const sampled = async (hosts: readonly string[], resolvers = [resolver]) => {
  asked = [];
  await addresses().sample(hosts, resolvers);
  return asked;
};
const remembered = async () => [...(await addresses().remembered())].toSorted();
const stored = async () => {
  const { Item } = await dynamoDb.send(
    new GetItemCommand({ TableName: table, Key: marshall(DOMAINS_TABLE.addressesKey) }),
  );
  return Item && unmarshall(Item);
};
const named = (count: number) => Array.from({ length: count }, (_, index) => String(1000 + index));

test('remembers for a day which addresses of IPv6 our hosts had', async () => {
  expect(await sampled(['a', 'b', 'a'])).toEqual(['a AAAA', 'b AAAA']);
  nowMs += HOUR;
  pool = () => ['2600:1f18::c'];
  await sampled(['a', 'b']);
  expect(await remembered()).toEqual(['2600:1f18::a', '2600:1f18::b', '2600:1f18::c']);
  expect(await stored()).toMatchObject({ expiresAt: (nowMs + DAY) / 1000 });
  nowMs += DAY - HOUR;
  expect(await remembered()).toEqual(['2600:1f18::c']);
  await sampled(['a']);
  expect(Object.keys((await stored())?.seenMs)).toEqual(['2600:1f18::c']);
  nowMs += DAY;
  expect(await remembered()).toEqual([]);
});

test('asks each resolver, and keeps what it knows where one fails', async () => {
  await sampled(['a'], [FAILING, resolver]);
  await sampled(['a'], [FAILING]);
  expect(await remembered()).toEqual(['2600:1f18::a']);
});

test('looks at 20 hosts a time, so that all get their turn, whichever come and go', async () => {
  const hosts = named(50);
  const turns = [await sampled(hosts), await sampled(hosts.toReversed()), await sampled(hosts)];
  expect(turns.map(turn => turn.length)).toEqual([20, 20, 20]);
  expect(new Set(turns.flat()).size).toBe(50);
  // The last one of the third turn is gone.
  const fewer = hosts.filter(host => host !== '1009');
  expect((await sampled(fewer))[0]).toBe('1010 AAAA');
});

test('drops the oldest of more than 200 addresses', async () => {
  pool = () => named(150).map(name => `2600:1f18::${name}`);
  await sampled(['a']);
  nowMs += 1;
  pool = () => named(100).map(name => `2600:1f18:1::${name}`);
  await sampled(['a']);
  const known = await remembered();
  expect(known).toHaveLength(200);
  expect(known.filter(address => address.startsWith('2600:1f18:1::'))).toHaveLength(100);
  expect(JSON.stringify(await stored()).length).toBeLessThan(10_000);
});

test('writes nothing where no domain is attached', async () => {
  await sampled([]);
  expect([await stored(), await remembered()]).toEqual([undefined, []]);
});
