import { describe, expect, test } from 'vitest';
import { served } from '../../../../infra/local/testing/served-zones.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import type { Found, Lookup } from '../../../../shared/domains/dns/lookup.ts';
import {
  answeringZone,
  currentDelegation,
  platformDelegation,
} from '../../../../shared/domains/dns/platform-delegation.ts';

const NAME_SERVERS = ['ns-1.awsdns-01.org', 'ns-2.awsdns-02.net'];
const records = (...values: string[]): Found => ({ kind: 'records', values });
const NONE: Found = { kind: 'none' };
const SERVFAIL: Found = { kind: 'unknown', why: 'ESERVFAIL' };

/** The parts of a check: resolvers that see this and are led to these zones, and what they were asked. */
function partsSeeing(seen: Found[], answering: (string | undefined)[] = ['apps.zoo.dev']) {
  const asked: string[] = [];
  const askedBelow: string[] = [];
  const resolvers = seen.map(
    (_, index): Lookup =>
      async (name, type) => {
        asked.push(`${type} ${name}`);
        return seen[index] ?? NONE;
      },
  );
  const answeringZones = answering.map((_, index) => async (name: string) => {
    askedBelow.push(name);
    return answering[index];
  });
  const zone = { nameServers: async () => NAME_SERVERS };
  return { platformDomain: 'apps.zoo.dev', zone, resolvers, answeringZones, asked, askedBelow, seen };
}

function delegation(...seen: Found[]) {
  const parts = partsSeeing(seen);
  const state = { nowMs: 0 };
  return Object.assign(state, parts, {
    check: platformDelegation(
      parts,
      clock(1, () => state.nowMs),
    ),
  });
}

describe('the delegation of the platform domain', () => {
  test.each([
    ['all resolvers see the name servers of the zone', [records(...NAME_SERVERS), records(...NAME_SERVERS)]],
    ['they come in another order', [records(...NAME_SERVERS.toReversed())]],
    ['one resolver still caches that there were none', [NONE, records(...NAME_SERVERS)]],
    ['one resolver does not answer', [SERVFAIL, records(...NAME_SERVERS)]],
  ])('is in place when %s', async (_, seen) => {
    const { check, asked } = delegation(...seen);
    expect(await check()).toEqual({ isInPlace: true });
    expect(new Set(asked)).toEqual(new Set(['NS apps.zoo.dev']));
  });

  test.each([
    ['no resolver sees any', [NONE, NONE], ['no NS records']],
    ['it leads elsewhere', [records('ns2.old.dev', 'ns1.old.dev')], ['ns1.old.dev, ns2.old.dev']],
    ['a name server is missing', [records('ns-1.awsdns-01.org')], ['ns-1.awsdns-01.org']],
    [
      'a foreign name server is among them',
      [records(...NAME_SERVERS, 'ns1.old.dev')],
      ['ns-1.awsdns-01.org, ns-2.awsdns-02.net, ns1.old.dev'],
    ],
    ['no resolver answers', [SERVFAIL, NONE], ['no answer (ESERVFAIL)', 'no NS records']],
    ['there is no resolver', [], []],
  ])('is not in place when %s', async (_, seen, observed) => {
    const { check } = delegation(...seen);
    expect(await check()).toEqual({ isInPlace: false, nameServers: NAME_SERVERS, observed });
  });

  test('is not in place when the resolvers only remember it, and the parent answers below the name', async () => {
    const check = platformDelegation(partsSeeing([records(...NAME_SERVERS)], ['zoo.dev']), clock(1));
    expect(await check()).toMatchObject({ isInPlace: false, observed: ['the zone zoo.dev answering'] });
  });

  test('is not checked again for five minutes once it is in place', async () => {
    const world = delegation(records(...NAME_SERVERS));
    await world.check();
    world.seen[0] = NONE;
    world.nowMs = 5 * 60_000 - 1;
    expect(await world.check()).toEqual({ isInPlace: true });
    expect(world.asked).toHaveLength(1);
    world.nowMs += 1;
    expect(await world.check()).toMatchObject({ isInPlace: false });
  });

  test('is checked again at once while it is not in place', async () => {
    const world = delegation(NONE);
    await world.check();
    world.seen[0] = records(...NAME_SERVERS);
    expect(await world.check()).toEqual({ isInPlace: true });
  });
});

describe('the current delegation of the platform domain', () => {
  /** The check, with a resolver that still caches the zone's name servers and is led to these zones. */
  const current = async (...zones: (string | undefined)[]) => {
    const parts = partsSeeing([records(...NAME_SERVERS)], zones);
    return { delegation: await currentDelegation(parts), asked: parts.askedBelow };
  };

  test('is in place when the zone answers for a name that nobody has asked for', async () => {
    const [first, second] = [await current('apps.zoo.dev', undefined), await current('apps.zoo.dev')];
    expect(first.delegation).toEqual({ isInPlace: true });
    expect(first.asked[0]).toMatch(/^[0-9a-f]{20}\.apps\.zoo\.dev$/);
    expect(second.asked[0]).not.toBe(first.asked[0]);
  });

  test('is not in place when the parent answers, though the name servers are cached', async () => {
    expect((await current('zoo.dev', undefined)).delegation).toEqual({
      isInPlace: false,
      nameServers: NAME_SERVERS,
      observed: ['the zone zoo.dev answering', 'no answer'],
    });
  });
});

test('returns the zone that a resolver is led to for a name that does not exist', async () => {
  const { dns, zones } = await served({ 'apps.zoo.dev.': [] });
  const zoneFor = answeringZone(dns.resolvers[0].address);
  expect(await zoneFor('one.apps.zoo.dev')).toBe('apps.zoo.dev');
  // A parent that delegates nothing answers for all names in it.
  zones.add({ name: 'zoo.dev.', callerReference: 'parent' });
  expect(await zoneFor('two.apps.zoo.dev')).toBe('zoo.dev');
});

test('returns nothing for a name that exists, or if the resolver does not answer', async () => {
  const { dns } = await served({ 'zoo.dev.': [['www.zoo.dev.', 'TXT', '"here"']] });
  expect(await answeringZone(dns.resolvers[0].address)('www.zoo.dev')).toBeUndefined();
  expect(await answeringZone('127.0.0.1:1')('www.zoo.dev')).toBeUndefined();
});
