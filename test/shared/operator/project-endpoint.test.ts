import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusal } from './operating.ts';
import { type OperatingDomains, operatingDomains } from './operating-domains.ts';

let world: OperatingDomains;
beforeAll(async () => {
  world = await operatingDomains();
});
beforeEach(() => {
  world.endpoint.follow.mockClear();
});

describe('projects.endpoint', () => {
  test('closes the default address once every project at the API has a live primary domain and wants it', async () => {
    await world.project('zoo', 'www.zoo.example.com');
    const close = (id: string) => world.done('projects.endpoint', { id, whileLive: 'closed' });
    expect(await close('zoo')).toMatchObject({ endpointWhileLive: 'closed', defaultEndpoint: 'closed' });
    expect(world.endpoint.follow).toHaveBeenCalledWith({ isAlways: true });

    await world.project('shop');
    expect(await world.done('projects.show', { id: 'zoo' })).toMatchObject({
      defaultEndpoint: 'open',
      openBecause: 'The project shop at the same API keeps it open.',
    });
    expect(await close('shop')).toMatchObject({
      defaultEndpoint: 'open',
      openBecause: 'The project shop has no live primary domain.',
    });
    expect(await world.done('projects.endpoint', { id: 'zoo', whileLive: 'open' })).toMatchObject({
      endpointWhileLive: 'open',
      defaultEndpoint: 'open',
      openBecause: null,
    });
  });

  test('refuses to close the API of others, and opens it', async () => {
    const fields = { id: 'park', plan: 'pro', apiId: 'otherapi01', stage: 'next' };
    await world.done('projects.create', fields);
    expect(await world.ask('projects.endpoint', { id: 'park', whileLive: 'closed' })).toEqual(
      refusal(
        'conflict',
        "The project park is published at the API otherapi01. Only the default endpoint of this service's own API, abcdefghij, can be closed.",
        'endpoint_not_own',
      ),
    );
    expect(await world.done('projects.endpoint', { id: 'park', whileLive: 'open' })).toMatchObject({
      endpointWhileLive: 'open',
    });
  });

  test('refuses a project that is unknown, and another state', async () => {
    const unknown = await world.ask('projects.endpoint', { id: 'nobody', whileLive: 'closed' });
    expect(unknown).toMatchObject({ ok: false, error: { reason: 'project_unknown' } });
    const other = await world.ask('projects.endpoint', { id: 'zoo', whileLive: 'ajar' });
    expect(other).toMatchObject({ ok: false, error: { reason: 'input_invalid' } });
  });
});

describe('domains.remove', () => {
  test('opens the default endpoint before the traffic to the domain stops', async () => {
    await world.project('farm', 'www.farm.example.com');
    world.calls.length = 0;
    let callsBefore: number | undefined;
    world.endpoint.follow.mockImplementationOnce(async () => {
      callsBefore = world.calls.length;
      return ['The default endpoint could not be opened.'];
    });
    const reply = await world.ask('domains.remove', { project: 'farm', domain: 'www.farm.example.com' });
    expect(callsBefore).toBe(0);
    expect(world.calls.length).toBeGreaterThan(0);
    expect(reply).toMatchObject({ ok: true, warnings: ['The default endpoint could not be opened.'] });
  });
});
