import { beforeEach, expect, test, vi } from 'vitest';
import { nextRevision } from '../../../../shared/domains/life/domain.ts';
import { loggedLines } from '../../../functions/logged-lines.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();
beforeEach(() => world.reset());

const found = (name: string) => world.claimOf(name);

test('stops the traffic, then the flow, and makes the next domain primary', async () => {
  const [gone, left] = ['www.gone.example.com', 'gone.example.com'];
  await world.project('going', gone, left);
  expect(await world.done('domains.remove', { project: 'going', domain: gone })).toMatchObject({
    status: 'removing',
    message: 'No longer served.',
    primary: false,
  });
  expect(world.calls.slice(0, 2)).toEqual([`unmap ${gone}`, `start removal ${gone} 3`]);
  expect(world.mapped.has(gone)).toBe(false);
  expect(await found(gone)).toMatchObject({ status: 'removing', attempt: 3 });
  expect(await world.routingOf('going')).toEqual({ liveDomains: [left], primary: left, redirects: [] });
});

test('is completed by a second delivery when the first ended after the commit, redirects included', async () => {
  const [target, from] = ['to.cut.example.com', 'from.cut.example.com'];
  await world.project('cut', target, from);
  await world.done('domains.redirect', { project: 'cut', domain: from, to: target });
  const fields = { project: 'cut', domain: target, requestId: 'remove-cut' };
  loggedLines();
  const unmap = vi.spyOn(world.parts.front, 'unroute').mockRejectedValueOnce(new Error('gone'));
  expect(await world.ask('domains.remove', fields)).toMatchObject({ error: { code: 'internal_error' } });
  unmap.mockRestore();

  expect(await world.ask('domains.remove', fields)).toMatchObject({ ok: true, replayed: true });
  expect(await found(target)).toMatchObject({ attempt: 3 });
  expect(world.mapped.get(from)).toBe('abcdefghij');
  expect(world.calls).toContain(`start removal ${target} 3`);
});

test('tells every caller what the removal has ended', async () => {
  const [target, from] = ['to.noted.example.com', 'from.noted.example.com'];
  await world.project('noted', target, from);
  await world.done('domains.redirect', { project: 'noted', domain: from, to: target });
  const { notes } = await world.done('domains.remove', { project: 'noted', domain: target });
  expect(notes).toEqual([
    expect.stringContaining(`Links to https://${target} stop working.`),
    `https://${from} no longer redirects to https://${target}, and serves the project itself.`,
    expect.stringContaining(`Then delete the DNS records of ${target}`),
  ]);
});

test('returns the running removal when it is repeated', async () => {
  await world.project('once', 'www.once.example.com');
  const fields = { project: 'once', domain: 'www.once.example.com' };
  await world.done('domains.remove', fields);
  const before = await found(fields.domain);
  expect(await world.done('domains.remove', fields)).toMatchObject({ status: 'removing' });
  expect(await found(fields.domain)).toEqual({ ...before, revision: expect.any(Number) });
});

test('starts again when the removal has stalled', async () => {
  const fields = { project: 'stuck', domain: 'www.stuck.example.com' };
  await world.project('stuck', fields.domain);
  await world.done('domains.remove', fields);
  const stalled = { status: 'stalled', reason: 'certificate_in_use', rounds: 40 } as const;
  await world.save(nextRevision({ ...(await found(fields.domain)), ...stalled }));
  await world.done('domains.remove', fields);
  expect(await found(fields.domain)).toMatchObject({ attempt: 4, reason: null, rounds: 0 });
  expect(world.calls.at(-1)).toBe(`start removal ${fields.domain} 4`);
});
