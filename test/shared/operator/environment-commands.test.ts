import { beforeAll, describe, expect, test } from 'vitest';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { auditLog } from '../../../shared/audit/audit-log.ts';
import { environmentCommands } from '../../../shared/operator/environment-commands.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { gatewayParts, localGateway } from '../api-keys/local-gateway.ts';
import { storedKey } from '../api-keys/stored-keys.ts';
import { asking } from './asking.ts';
import { type Operating, operating, refusal } from './operating.ts';

type DomainParts = Parameters<typeof environmentCommands>[0];

const NAME_SERVERS = ['ns-1.awsdns-01.org', 'ns-2.awsdns-02.net'];

const PARTS = {
  platformDomain: 'apps.zoo.co.uk',
  zone: { nameServers: async () => NAME_SERVERS },
  resolvers: [async () => ({ kind: 'records', values: NAME_SERVERS })],
  answeringZones: [async () => 'apps.zoo.co.uk'],
  now: Date.now,
  projects: { list: async () => [{ id: 'petstore' }, { id: 'shop' }] },
  domains: { listOf: async (project: string) => [{ target: `claim-of-${project}.apps.zoo.co.uk` }] },
};

async function newWorld(domainParts: object = {}) {
  const [keysTable, auditTable] = await Promise.all([tableLike('ApiKeysTable'), tableLike('OperatorAudit')]);
  await localGateway();
  const commands = environmentCommands({ ...PARTS, ...domainParts } as unknown as DomainParts, {
    apiKeys: apiKeyStore(keysTable),
    ...gatewayParts(),
    version: '1.0.0+0123456789ab',
    tables: ['Petstore-Pets'],
  });
  const audit = auditLog(auditTable);
  return { keysTable, audit, ...asking(operator(commands, audit)) };
}

describe('environment.inspect', () => {
  test('returns the version, the delegation, the differences of API keys and the claims', async () => {
    const world = await newWorld();
    const { id } = await storedKey(world.keysTable);
    expect(await world.done('environment.inspect')).toEqual({
      version: '1.0.0+0123456789ab',
      platformDomain: 'apps.zoo.co.uk',
      delegation: { isInPlace: true },
      tables: ['Petstore-Pets'],
      keys: { valid: 1, missing: [id], disabled: [], orphans: [], recent: 0 },
      claims: ['default', 'claim-of-petstore', 'claim-of-shop'],
    });
    expect(await world.audit.list(10)).toEqual([]);
  });

  test('says which record restores a lost delegation', async () => {
    const { done } = await newWorld({ answeringZones: [async () => 'zoo.co.uk'] });
    expect((await done('environment.inspect')).delegation).toEqual({
      isInPlace: false,
      observed: ['the zone zoo.co.uk answering'],
      remedy: `In the zone of zoo.co.uk, create an NS record at apps.zoo.co.uk with the values ${NAME_SERVERS.join(', ')}.`,
    });
  });

  test('says that the zone of the platform domain is gone', async () => {
    const gone = Object.assign(new Error('No hosted zone found'), { name: 'NoSuchHostedZone' });
    const { done } = await newWorld({ zone: { nameServers: () => Promise.reject(gone) } });
    const { delegation } = await done('environment.inspect');
    expect(delegation).toMatchObject({ isInPlace: false, observed: ['no zone of this environment'] });
    expect(delegation.remedy).toContain('deleted outside CloudFormation');
  });

  test('has no delegation without a platform domain', async () => {
    const { done } = await newWorld({ platformDomain: undefined });
    expect(await done('environment.inspect')).toMatchObject({ platformDomain: null, delegation: null });
  });
});

describe('the audit log', () => {
  let world: Operating;
  beforeAll(async () => {
    world = await operating();
    for (let number = 1; number <= 52; number += 1) {
      world.clock.nowMs += 1000;
      await world.done('keys.create', {
        name: `Client ${number}`,
        by: 'jane',
        requestId: `request-${number}`,
      });
    }
  });

  const names = async (fields: object) =>
    (await world.done('audit.list', fields)).entries.map(
      ({ input }: { input: { name: string } }) => input.name,
    );

  test('audit.list lists 50 changes by default', async () => {
    const all = Array.from({ length: 52 }, (_, place) => `Client ${52 - place}`);
    expect(await names({})).toEqual(all.slice(0, 50));
    expect(await names({ limit: 3 })).toEqual(all.slice(0, 3));
    expect(await names({ limit: 500 })).toEqual(all);
  });

  test.each([
    [0, 'must be from 1 to 500'],
    [501, 'must be from 1 to 500'],
    [1.5, 'must be a whole number'],
    ['5', 'must be a whole number'],
    [null, 'must be a whole number'],
  ])('audit.list refuses the limit %j: invalid_request', async (limit, message) => {
    expect(await world.ask('audit.list', { limit })).toEqual(
      refusal('invalid_request', `limit ${message}`, 'input_invalid'),
    );
  });
});
