import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { certified, VALIDATION } from '../domains/claimed-domain.ts';
import { type OperatingDomains, operatingDomains } from './operating-domains.ts';

let world: OperatingDomains;
beforeAll(async () => {
  world = await operatingDomains();
});
beforeEach(() => world.reset());

const found = (name: string) => world.claimOf(name);

describe('a certificate that is delayed although all records are right', () => {
  const delayed = (id: string, requests: number) =>
    world.added(id, {
      status: 'issuing',
      phase: 'certificate',
      reason: 'certificate_delayed',
      certificate: certified({ status: 'PENDING_VALIDATION', requests }),
    });

  test('is replaced by another one, with the same records', async () => {
    const fields = await delayed('delayed', 2);
    await world.done('domains.verify', fields);
    expect(world.calls).toContain('request');
    expect(await found(fields.domain)).toMatchObject({
      status: 'verifying',
      certificate: {
        arn: expect.stringContaining('another'),
        replaces: certified().arn,
        requests: 3,
        validations: [VALIDATION],
      },
    });
  });

  test('is kept once eight were requested', async () => {
    const fields = await delayed('exhausted', 8);
    await world.done('domains.verify', fields);
    expect(world.calls).not.toContain('request');
    expect(await found(fields.domain)).toMatchObject({ certificate: { arn: certified().arn } });
  });
});
