import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { live, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, RIGHT_RECORDS } from './flow-world.ts';

const NAME = 'www.zoo.example';
const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';

let world: FlowWorld;
beforeAll(async () => {
  world = await flowWorld();
});
beforeEach(() => {
  world.reset();
  world.attach();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const DRIFTS: [what: string, drift: () => void, reason: string][] = [
  [
    'whose domain name is gone',
    () => {
      world.gateway = undefined;
    },
    'domain_name_gone',
  ],
  [
    'whose domain name belongs to others',
    () => {
      if (world.gateway) world.gateway = { ...world.gateway, isOurs: false };
    },
    'domain_name_foreign',
  ],
  [
    'whose domain name has another certificate',
    () => {
      if (world.gateway) world.gateway = { ...world.gateway, certificateArn: 'other' };
    },
    'domain_name_recertified',
  ],
  ['that is unmapped', () => world.mapped.delete(NAME), 'mapping_changed'],
  ['that is mapped to another API', () => world.mapped.set(NAME, 'theirs'), 'mapping_changed'],
  [
    'whose platform record is gone',
    () => {
      world.hostTarget = undefined;
    },
    'host_record_changed',
  ],
  [
    'whose CAA records forbid the renewal',
    () => {
      world.zone = { ...RIGHT_RECORDS, 'zoo.example CAA': ['0 issue "letsencrypt.org"'] };
    },
    'caa_blocked',
  ],
  [
    'that an HTTPS request does not reach',
    () => {
      world.reached = { kind: 'unreachable', why: 'connect ETIMEDOUT.' };
    },
    'https_unreachable',
  ],
];

describe('the re-check of a live domain', () => {
  test.each(DRIFTS)('notices a domain %s, and changes nothing at AWS', async (_, drift, reason) => {
    const before = await world.stored(live());
    drift();
    const after = await world.parts.recheck(before);
    expect(after).toMatchObject({ status: 'needs_attention', reason });
    expect(await world.found()).toEqual(after);
    expect(world.calls.filter(call => !call.startsWith('reach'))).toEqual([]);
  });

  test('compares the served certificate with its own, but for one that was renewed', async () => {
    await world.parts.recheck(await world.stored(live()));
    world.certificate = { ...world.certificate, renewal: 'SUCCESS' };
    await world.parts.recheck(await world.stored(live()));
    expect(world.calls).toEqual([`reach ${NAME} aa:01`, `reach ${NAME} null`]);
  });
});

describe('the repair of a live domain', () => {
  const repaired = async () => world.parts.repair(await world.stored(live()));

  test('maps it again', async () => {
    world.mapped.set(NAME, 'theirs');
    expect(await repaired()).toMatchObject({ status: 'live', reason: null });
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test('restores the platform record, also beside the mapping', async () => {
    world.mapped.delete(NAME);
    world.hostTarget = undefined;
    expect(await repaired()).toMatchObject({ reason: null });
    expect(world.calls.slice(0, 2)).toEqual([`map ${NAME} abcdefghij`, `point ${TARGET} ${HOST}`]);
  });

  test('creates managed records that are missing', async () => {
    const create = vi.spyOn(world.parts.managedRecords, 'create');
    world.zone = {};
    await repaired();
    expect(create).toHaveBeenCalledOnce();
  });

  test('changes nothing of a domain name that belongs to others', async () => {
    if (world.gateway) world.gateway = { ...world.gateway, isOurs: false };
    world.mapped.set(NAME, 'theirs');
    expect(await repaired()).toMatchObject({ reason: 'domain_name_foreign' });
    expect(world.calls).toEqual([]);
  });

  test('changes nothing of a domain that is as it should be', async () => {
    expect(await repaired()).toMatchObject({ reason: null });
    expect(world.calls).toEqual([`reach ${NAME} aa:01`]);
  });
});
