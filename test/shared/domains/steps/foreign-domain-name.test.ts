import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DomainNameForeign } from '../../../../shared/domains/aws/gateway-domains.ts';
import { certified, live } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE } from './flow-world.ts';

const NAME = 'www.zoo.example';
const FOREIGN = { host: 'd-9', hostedZoneId: 'Z9', certificateArn: 'theirs', isOurs: false };
const MESSAGE =
  `${NAME} exists at API Gateway and is not ours: another environment or team of the account has created it. ` +
  'It has to be deleted there first.';

let world: FlowWorld;
beforeAll(async () => {
  world = await flowWorld();
});
beforeEach(() => world.reset());

const issued = () =>
  world.stored({ status: 'issuing', phase: 'attachment', certificate: certified(), attempt: 2 });

describe('the attachment to a domain name that others have', () => {
  const attach = () => world.parts.attachment.attach({ domain: NAME, project: 'zoo', attempt: 2 });

  test('waits, says whose it is, and changes nothing at AWS', async () => {
    await issued();
    world.gateway = FOREIGN;
    expect(await attach()).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    expect(await world.found()).toMatchObject({ reason: 'domain_name_foreign', message: MESSAGE });
    expect(world.calls).toEqual([]);
  });

  test('waits when they create it at the last moment', async () => {
    await issued();
    world.refusal = new DomainNameForeign('theirs');
    expect(await attach()).toMatchObject({ outcome: 'waiting' });
    expect(await world.found()).toMatchObject({ reason: 'domain_name_foreign' });
  });

  test('goes on once they have deleted it', async () => {
    await issued();
    world.gateway = FOREIGN;
    await attach();
    world.gateway = undefined;
    expect(await attach()).toMatchObject({ outcome: 'done' });
    expect(await world.found()).toMatchObject({ status: 'live', reason: null });
  });

  test('fails after 48 hours', async () => {
    await issued();
    world.gateway = FOREIGN;
    world.nowMs += 48 * HOUR + MINUTE;
    expect(await attach()).toMatchObject({ outcome: 'failed' });
    expect(await world.found()).toMatchObject({ status: 'failed', reason: 'domain_name_foreign' });
  });
});

test('the removal of a domain whose name others have finishes, and books no slot for it', async () => {
  await world.stored({ ...live(), status: 'removing', message: 'No longer served.', attempt: 3 });
  world.gateway = FOREIGN;
  expect(await world.parts.removal.takeDown({ domain: NAME, project: 'zoo', attempt: 3 })).toMatchObject({
    outcome: 'done',
  });
  expect(world.gateway).toBe(FOREIGN);
  expect(world.calls).not.toContain('slot');
  expect(world.calls).not.toContain(`remove ${NAME}`);
});
