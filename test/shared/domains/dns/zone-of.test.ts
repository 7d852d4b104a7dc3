import { describe, expect, test } from 'vitest';
import { zoneFinder } from '../../../../shared/domains/dns/vantage-points.ts';
import { readDomainName } from '../../../../shared/domains/life/domain-name.ts';

/** The zone of a name where DNS shows this zone for it; also which names DNS was asked for. */
async function found(text: string, zone: string | undefined) {
  const asked: string[] = [];
  const zoneOf = zoneFinder(async domain => {
    asked.push(domain);
    return { zone, isApex: zone === domain, authoritative: undefined, resolvers: [] };
  });
  return { ...(await zoneOf(readDomainName(text, []))), asked };
}

describe('the zone of a new name', () => {
  test('is the name itself for a registered domain, and DNS is not asked', async () => {
    expect(await found('zoo.co.uk', undefined)).toEqual({ kind: 'apex', zone: 'zoo.co.uk', asked: [] });
  });

  test.each([
    ['www.zoo.com', 'zoo.com', 'subdomain'],
    ['shop.dev.zoo.com', 'dev.zoo.com', 'subdomain'],
    ['dev.zoo.com', 'dev.zoo.com', 'apex'],
    ['shop.github.io', 'github.io', 'subdomain'],
    ['shop.github.io', 'shop.github.io', 'apex'],
  ])('of %s is %s, where DNS shows that, and makes it of the kind %s', async (name, zone, kind) => {
    expect(await found(name, zone)).toMatchObject({ kind, zone, asked: [name] });
  });

  test('is the registrable domain when DNS does not tell', async () => {
    expect(await found('www.zoo.com', undefined)).toMatchObject({ kind: 'subdomain', zone: 'zoo.com' });
  });
});
