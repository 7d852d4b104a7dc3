import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Front, NotAttached } from '../../../../shared/domains/front.ts';
import { LEASE_MS } from '../../../../shared/domains/life/lease.ts';
import { reconcileAll } from '../../../../shared/domains/pass/scheduled-work.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

/** A project whose domains b and c redirect to a, and whose domain d serves the project. */
async function projectOf(id: string) {
  const name = (label: string) => `${label}.${id}.example.com`;
  await world.project(id, name('a'), name('b'), name('c'), name('d'));
  for (const label of ['b', 'c']) {
    await world.done('domains.redirect', { project: id, domain: name(label), to: name('a') });
  }
  world.calls.length = 0;
  return name;
}

/** API Gateway fails to map this domain with this error, once or always. */
function failMapping(domain: string, error: Error, times = Number.POSITIVE_INFINITY) {
  const map: Front['route'] = world.parts.front.route;
  let left = times;
  vi.spyOn(world.parts.front, 'route').mockImplementation(async (claim, apiStage) => {
    if (claim.domain === domain && left > 0) {
      left -= 1;
      throw error;
    }
    return map(claim, apiStage);
  });
}

test('a removal maps the domains that redirected to the removed one, and no others', async () => {
  const name = await projectOf('touched');
  await world.done('domains.remove', { project: 'touched', domain: name('a') });
  expect(world.calls.filter(call => call.startsWith('map ')).toSorted()).toEqual([
    `map ${name('b')} abcdefghij`,
    `map ${name('c')} abcdefghij`,
  ]);
});

test('a removal makes as many calls to AWS in a project of many domains as in a small one', async () => {
  const names = Array.from({ length: 12 }, (_, number) => `n${number}.many.example.com`);
  await world.project('many', ...names);
  await world.done('domains.remove', { project: 'many', domain: 'n3.many.example.com' });
  expect(world.calls).toHaveLength(2);
});

describe('a sibling whose domain name is gone', () => {
  test('keeps neither a removal nor the other siblings from their end, and is reported', async () => {
    const name = await projectOf('broken');
    failMapping(name('b'), new NotAttached(`API Gateway has no domain name ${name('b')}.`));
    const reply = await world.ask('domains.remove', { project: 'broken', domain: name('a') });
    expect(reply).toMatchObject({
      ok: true,
      result: { status: 'removing' },
      warnings: [
        `The mapping of ${name('b')} couldn't be changed: API Gateway has no domain name ${name('b')}. Verify ${name('b')}.`,
      ],
    });
    expect(world.mapped.get(name('c'))).toBe('abcdefghij');
    expect(world.calls).toContain(`start removal ${name('a')} 3`);
  });

  test('does not concern a redirect between others', async () => {
    const name = await projectOf('aside');
    failMapping(name('b'), new NotAttached('gone'));
    const reply = await world.ask('domains.redirect', {
      project: 'aside',
      domain: name('d'),
      to: name('a'),
    });
    expect(reply).toMatchObject({ ok: true });
    expect(reply).not.toHaveProperty('warnings');
    expect(world.mapped.get(name('d'))).toBe('redirects1');
  });

  test('gets a warning when it is the one that is asked to redirect', async () => {
    const name = await projectOf('itself');
    failMapping(name('d'), new NotAttached('It is gone.'));
    const fields = { project: 'itself', domain: name('d'), to: name('a'), requestId: 'itself-d' };
    for (const replayed of [undefined, true]) {
      expect(await world.ask('domains.redirect', fields)).toMatchObject({
        ok: true,
        ...(replayed && { replayed }),
        warnings: [expect.stringContaining(`Verify ${name('d')}.`)],
      });
    }
  });
});

describe('a mapping that fails for a moment', () => {
  test('is reported, and written by the scheduled reconcile', async () => {
    const name = await projectOf('moment');
    failMapping(name('b'), new Error('socket hang up'), 1);
    expect(await world.ask('domains.remove', { project: 'moment', domain: name('a') })).toMatchObject({
      ok: true,
      warnings: [`The mapping of ${name('b')} couldn't be changed yet. It will be retried within minutes.`],
    });
    expect(world.mapped.get(name('b'))).toBe('redirects1');
    await reconcileAll(world.parts);
    expect(world.mapped.get(name('b'))).toBe('abcdefghij');
  });

  test('fails the scheduled reconcile, which tries again', async () => {
    const name = await projectOf('twice');
    failMapping(name('b'), new Error('socket hang up'), 2);
    await world.ask('domains.remove', { project: 'twice', domain: name('a') });
    await expect(reconcileAll(world.parts)).rejects.toThrow('The work on some domains failed.');
    await reconcileAll(world.parts);
    expect(world.mapped.get(name('b'))).toBe('abcdefghij');
  });
});

test('the scheduled reconcile corrects the mapping of a function that died, once its lease is over', async () => {
  const name = await projectOf('late');
  const { route: map } = world.parts.front;
  const redirect = { project: 'late', domain: name('b'), to: name('a') };
  const written = Promise.withResolvers<unknown>();
  vi.spyOn(world.parts.front, 'route').mockImplementationOnce(async (claim, apiStage) => {
    const { warnings } = (await world.ask('domains.redirect', redirect)) as { warnings?: unknown };
    await map(claim, apiStage);
    written.resolve(warnings);
    // Lambda ends the function here.
    await new Promise(() => {});
  });
  void world.ask('domains.unredirect', { project: 'late', domain: name('b') });
  expect(await written.promise).toEqual([expect.stringContaining('It will be retried within minutes.')]);
  await reconcileAll(world.parts);
  expect(world.mapped.get(name('b'))).toBe('abcdefghij');
  world.nowMs += LEASE_MS;
  await reconcileAll(world.parts);
  expect(world.mapped.get(name('b'))).toBe('redirects1');
});

test('removals of most domains of a project at once all succeed at the first request', async () => {
  const names = Array.from({ length: 14 }, (_, number) => `n${number}.crowd.example.com`);
  await world.project('crowd', ...names);
  const removals = names.slice(1).map(domain => world.ask('domains.remove', { project: 'crowd', domain }));
  const replies = await Promise.all(removals);
  expect(replies.filter(({ ok }) => !ok)).toEqual([]);
  expect(await world.routingOf('crowd')).toMatchObject({ liveDomains: [names[0]] });
});
