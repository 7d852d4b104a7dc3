import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { refusal } from '../operating.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();

beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

/** Two projects at different APIs, the first with these live domains. */
async function projects(id: string, ...names: string[]) {
  const [from, to] = [`${id}-a`, `${id}-b`];
  await world.project(from, ...names);
  await world.projects.recordDeploy({ id: to, plan: 'pro', apiId: 'other12345', stage: 'test' }, AT);
  world.calls.length = 0;
  return { from, to };
}
const AT = '2026-01-31T12:00:00.000Z';

test('gives a live domain to another project: its claim, ownership, role and mapping go over at once', async () => {
  const domain = 'www.moved.example.com';
  const { from, to } = await projects('moved', domain);
  const before = (await world.domains.find(domain, from)) as Domain;
  expect(await world.done('domains.move', { project: from, domain, to })).toMatchObject({
    project: to,
    status: 'live',
    role: 'primary',
  });
  expect(await world.domains.find(domain, from)).toBeUndefined();
  expect(await world.domains.find(domain, to)).toMatchObject({
    target: before.target,
    certificate: before.certificate,
    status: 'live',
    lastEvent: { type: 'moved' },
    route: { apiId: 'other12345' },
  });
  expect(await world.domains.ownerOf(domain)).toBe(to);
  expect(await world.routingOf(from)).toMatchObject({ liveDomains: [], primary: null });
  expect(await world.routingOf(to)).toMatchObject({ liveDomains: [domain], primary: domain });
  // One change of the mapping, and nothing else at AWS.
  expect(world.calls).toEqual([`map ${domain} other12345`]);
});

test('an apex and its www move together, with the redirect between them; others to them end', async () => {
  const [apex, www, blog] = ['pair.example.com', 'www.pair.example.com', 'blog.pair.example.com'];
  const { from, to } = await projects('pair', apex, www, blog);
  for (const domain of [www, blog]) await world.done('domains.redirect', { project: from, domain, to: apex });
  expect(await world.done('domains.move', { project: from, domain: www, to })).toMatchObject({
    domain: www,
    role: 'redirects',
    sibling: { domain: apex, project: to, role: 'primary' },
    notes: [
      `${www} keeps its redirect to ${apex}.`,
      `${apex} becomes the primary domain of project ${to}.`,
      `${blog} no longer redirects to ${apex} and becomes the primary domain of project ${from}.`,
    ],
  });
  const redirects = [`${www} → ${apex}`];
  expect(await world.routingOf(to)).toMatchObject({ liveDomains: [apex, www], primary: apex, redirects });
  expect(await world.routingOf(from)).toMatchObject({ liveDomains: [blog], primary: blog, redirects: [] });
  expect([...world.mapped].filter(([name]) => name.endsWith('pair.example.com'))).toEqual([
    [apex, 'other12345'],
    [www, 'redirects1'],
    [blog, 'abcdefghij'],
  ]);
  // Back alone.
  await world.done('domains.move', { project: to, domain: apex, to: from, alone: true });
  expect(await world.routingOf(to)).toMatchObject({ liveDomains: [www], primary: www, redirects: [] });
  expect(await world.ask('projects.plan', { id: to, plan: 'free' })).toMatchObject({
    error: { reason: 'project_has_domains', message: expect.stringContaining(www) },
  });
});

test('a pair of which one is verified and one is not moves, and both count for the other project', async () => {
  const domain = 'half.example.com';
  const { from, to } = await projects('half', domain);
  await world.done('domains.add', { project: from, domain: `www.${domain}` });
  expect(await world.done('domains.move', { project: from, domain, to })).toMatchObject({
    sibling: { project: to, status: 'pending_dns' },
  });
  expect(await world.ask('projects.plan', { id: from, plan: 'free' })).toMatchObject({ ok: true });
  const fields = await world.added('busy-pair', { status: 'verifying' });
  const sibling = `www.${fields.domain}`;
  await world.done('domains.add', { project: fields.project, domain: sibling });
  expect(await world.ask('domains.move', { ...fields, domain: sibling, to })).toEqual(
    refusal('conflict', expect.stringContaining(`Or move ${sibling} alone.`), 'verification_in_progress'),
  );
});

describe('is refused', () => {
  test('while the domain is verified or removed', async () => {
    const { from, to } = await projects('busy', 'www.busy.example.com');
    const fields = await world.added('in-flow', { status: 'verifying' });
    expect(await world.ask('domains.move', { ...fields, to })).toEqual(
      refusal('conflict', expect.stringContaining('is being verified'), 'verification_in_progress'),
    );
    const domain = 'www.busy.example.com';
    await world.done('domains.remove', { project: from, domain });
    expect(await world.ask('domains.move', { project: from, domain, to })).toEqual(
      refusal('conflict', expect.stringContaining('is being removed'), 'removal_in_progress'),
    );
  });

  test('where the other project has claimed the name, is on the plan free, is the same or does not exist', async () => {
    const domain = 'www.stays.example.com';
    const { from, to } = await projects('stays', domain);
    const before = await world.domains.find(domain, from);
    const move = (id: string) => world.ask('domains.move', { project: from, domain, to: id });
    expect(await move(from)).toEqual(refusal('conflict', expect.anything(), 'domain_exists'));
    expect(await move('nowhere')).toEqual(refusal('not_found', expect.anything(), 'project_unknown'));
    await world.done('projects.create', { id: 'stays-free', plan: 'free' });
    expect(await move('stays-free')).toEqual(refusal('conflict', expect.anything(), 'plan_required'));
    world.zone = {};
    await world.done('domains.add', { project: to, domain });
    expect(await move(to)).toEqual(refusal('conflict', expect.anything(), 'domain_exists'));
    expect(await world.domains.find(domain, from)).toEqual(before);
  });
});
