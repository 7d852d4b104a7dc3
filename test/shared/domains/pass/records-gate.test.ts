import { beforeEach, expect, test } from 'vitest';
import { nameServers } from '../../../../infra/local/route53/aws-names.ts';
import { servedRoute53 } from '../../../../infra/local/test/route53/served-route53.ts';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { managedRecords } from '../../../../shared/domains/pass/managed-records.ts';
import { stubEndpoint } from '../aws/client-endpoint.ts';
import { AT, CHALLENGE, certified, HOST, live, NAME, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type ZoneContent, zoneLookup } from '../dns/zone-lookup.ts';
import { ATTEMPT, flowWorld, GATEWAY } from './flow-world.ts';

const world = await flowWorld();
beforeEach(() => world.reset());

/** Runs a pass over a domain of the zone zoo.example, which is ours; returns what the zone has then. */
async function made(changes: Partial<Domain>, zone: ZoneContent) {
  const route53 = await servedRoute53({ waitScale: 0 });
  stubEndpoint('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created('zoo.example');
  const delegation = zoneLookup(() => ({ 'zoo.example NS': nameServers(zoneId) }));
  const records = managedRecords({
    ...world.parts,
    accountZones: accountZones([zoneId]),
    vantagePoints: async () => ({
      zone: 'zoo.example',
      isApex: false,
      authoritative: delegation,
      resolvers: [delegation],
    }),
  });
  const { domain } = await world.stored({ attempt: 2, ...changes });
  Object.assign(world, { zone, reached: { kind: 'unreachable', why: 'It was refused.' } });
  await world.run({ ...ATTEMPT, domain }, { managedRecords: records });
  return (route53.zones.find(zoneId)?.recordSets ?? [])
    .filter(({ type }) => type !== 'NS' && type !== 'SOA')
    .map(({ type, name, values, aliasTarget }) => [type, name, aliasTarget?.dnsName ?? values].join(' '))
    .toSorted();
}

const VERIFYING = { status: 'verifying', certificate: certified() } as const;
const ATTACHING = {
  status: 'issuing',
  issuedAt: AT,
  certificate: certified(),
  verifiedAt: AT,
} as const;
const APEX = { domain: 'zoo.example', kind: 'apex' } as const;
const TXT = { '_petstore-challenge.zoo.example TXT': [CHALLENGE] };
const KEPT = { [`${VALIDATION.name} CNAME`]: [VALIDATION.value] };
const ELSEWHERE = { 'zoo.example A': ['192.0.2.9'], [`${TARGET} A`]: ['192.0.2.1'] };

const TRAFFIC = `CNAME ${NAME}. ${TARGET}`;
const CERTIFICATE = `CNAME ${VALIDATION.name}. ${VALIDATION.value}`;
const ALIAS = [`A zoo.example. ${HOST}.`, `AAAA zoo.example. ${HOST}.`];
const FORMER = { zoneId: 'Z0', type: 'A', name: 'zoo.example', value: 'd-0', ttl: 0 } as const;

test.each<[what: string, changes: Partial<Domain>, zone: ZoneContent, records: readonly string[]]>([
  [
    'before a claim is proven not the record of its certificate, which all claims share',
    VERIFYING,
    {},
    [TRAFFIC],
  ],
  ['then that, too', ATTACHING, {}, [CERTIFICATE, TRAFFIC]],
  [
    'no traffic record that is switched later',
    { ...ATTACHING, switchLater: true },
    KEPT,
    [`TXT _petstore-challenge.${NAME}. "${CHALLENGE}"`],
  ],
  ['what a live domain has lost', live(), {}, [CERTIFICATE, TRAFFIC]],
  ['nothing that is there otherwise', VERIFYING, { [`${NAME} CNAME`]: ['other.example'] }, []],
  ['nothing in the way of another record', VERIFYING, { [`${NAME} A`]: ['192.0.2.9'] }, []],
  ['nothing that nobody can look up', VERIFYING, 'SERVFAIL', []],
  [
    'the TXT record of an apex before it is attached',
    { ...APEX, ...VERIFYING },
    KEPT,
    [`TXT _petstore-challenge.zoo.example. "${CHALLENGE}"`],
  ],
  ['the alias of an apex once that is attached', { ...APEX, ...ATTACHING }, { ...TXT, ...KEPT }, ALIAS],
  ['no alias that is switched later', { ...APEX, ...ATTACHING, switchLater: true }, { ...TXT, ...KEPT }, []],
  [
    "no alias in place of its owner's record",
    { ...APEX, ...ATTACHING },
    { ...TXT, ...KEPT, ...ELSEWHERE },
    [],
  ],
  [
    'an alias in place of ours to a former domain name',
    { ...APEX, ...ATTACHING, managed: [{ ...FORMER, aliasZoneId: GATEWAY.hostedZoneId }] },
    { ...TXT, ...KEPT, ...ELSEWHERE },
    ALIAS,
  ],
])('a pass creates %s', async (_, changes, zone, records) => {
  expect(await made(changes, zone)).toEqual(records);
});
