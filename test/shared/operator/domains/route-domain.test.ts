import { beforeEach, describe, expect, test } from 'vitest';
import { refusal } from '../operating.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();
beforeEach(() => world.reset());

/** A new project with three live domains, whose first labels are a, b and c; a is the primary. */
async function projectWithDomains(id: string) {
  const name = (label: string) => `${label}.${id}.example.com`;
  await world.project(id, name('a'), name('b'), name('c'));
  const fields = (label: string, more: object = {}) => ({ project: id, domain: name(label), ...more });
  return {
    name,
    fields,
    redirect: (from: string, to: string, options: object = {}) =>
      world.done('domains.redirect', fields(from, { to: name(to), ...options })),
  };
}

describe('domains.primary', () => {
  test('makes a live domain the primary, in place of the other', async () => {
    const { name, fields } = await projectWithDomains('primary');
    expect(await world.done('domains.primary', fields('b'))).toMatchObject({
      domain: name('b'),
      primary: true,
    });
    expect(await world.routingOf('primary')).toMatchObject({ primary: name('b') });
  });

  test("conflict: the domain isn't live", async () => {
    const fields = await world.added('no-primary');
    const message = `${fields.domain} isn't live. Only a live domain can be primary.`;
    expect(await world.ask('domains.primary', fields)).toEqual(
      refusal('conflict', message, 'domain_not_live'),
    );
  });
});

describe('domains.redirect', () => {
  test('redirects a domain with 301 by default, and changes an existing redirect', async () => {
    const { name, redirect } = await projectWithDomains('redirected');
    expect(await redirect('b', 'a')).toMatchObject({ redirect: { to: name('a'), status: 301 } });
    expect(world.mapped.get(name('b'))).toBe('redirects1');
    expect(await redirect('b', 'c', { status: 307 })).toMatchObject({
      redirect: { to: name('c'), status: 307 },
    });
    expect(await world.done('projects.show', { id: 'redirected' })).toMatchObject({
      primary: name('a'),
      redirects: [{ from: name('b'), to: name('c'), status: 307 }],
    });
  });

  test('restores the mapping at API Gateway when the same request is repeated', async () => {
    const { name, fields } = await projectWithDomains('followed');
    const request = fields('b', { to: name('a'), requestId: 'redirect-b' });
    await world.done('domains.redirect', request);
    world.mapped.set(name('b'), 'abcdefghij');
    expect(await world.ask('domains.redirect', request)).toMatchObject({ ok: true, replayed: true });
    expect(world.mapped.get(name('b'))).toBe('redirects1');
  });

  test('conflict: the redirect breaks a rule, and nothing changes', async () => {
    const { name, fields, redirect } = await projectWithDomains('rules');
    await redirect('c', 'b');
    const before = await world.routingOf('rules');
    world.calls.length = 0;
    expect(await world.ask('domains.redirect', fields('b', { to: name('a') }))).toEqual(
      refusal(
        'conflict',
        `${name('c')} redirects to ${name('b')}, and redirects can't be chained. Redirect ${name('c')} elsewhere first.`,
        'redirects_here',
      ),
    );
    expect([await world.routingOf('rules'), world.calls]).toEqual([before, []]);
  });

  test('not_found: the target is a domain of another project', async () => {
    const { fields } = await projectWithDomains('ours');
    const { name } = await projectWithDomains('theirs');
    expect(await world.ask('domains.redirect', fields('b', { to: name('a') }))).toEqual(
      refusal('not_found', expect.stringContaining(name('a')), 'domain_unknown'),
    );
  });

  test('invalid_request: the status is not a redirect, or the target is missing or not a domain name', async () => {
    const { name, fields } = await projectWithDomains('faults');
    expect(await world.ask('domains.redirect', fields('b', { to: name('a'), status: 303 }))).toEqual(
      refusal('invalid_request', 'status must be one of 301, 302, 307, 308'),
    );
    expect(await world.ask('domains.redirect', fields('b'))).toEqual(
      refusal('invalid_request', 'to is required'),
    );
    expect(await world.ask('domains.redirect', fields('b', { to: '*.example.com' }))).toEqual(
      refusal('invalid_request', expect.stringContaining('is a wildcard'), 'domain_invalid'),
    );
  });
});

test('domains.redirect between domains that are not live is pending, until it is ended', async () => {
  const { project, domain } = await world.added('declared');
  const from = `shop.${domain}`;
  await world.done('domains.add', { project, domain: from });
  expect(await world.done('domains.redirect', { project, domain: from, to: domain })).toMatchObject({
    redirect: { to: domain, status: 301, isPending: true },
    role: null,
  });
  expect(await world.done('domains.unredirect', { project, domain: from })).toMatchObject({ redirect: null });
});

describe('domains.unredirect', () => {
  test('ends a redirect, and may be repeated', async () => {
    const { name, fields, redirect } = await projectWithDomains('ended');
    await redirect('b', 'a');
    expect(await world.done('domains.unredirect', fields('b'))).toMatchObject({ redirect: null });
    expect(world.mapped.get(name('b'))).toBe('abcdefghij');
    await world.done('domains.unredirect', fields('b'));
    expect(await world.routingOf('ended')).toMatchObject({ redirects: [] });
  });

  test('keeps a redirect that is added at the same time', async () => {
    const { name, fields, redirect } = await projectWithDomains('concurrent');
    await redirect('b', 'a');
    await Promise.all([world.done('domains.unredirect', fields('b')), redirect('c', 'a')]);
    expect(await world.routingOf('concurrent')).toMatchObject({ redirects: [`${name('c')} → ${name('a')}`] });
    expect([world.mapped.get(name('b')), world.mapped.get(name('c'))]).toEqual(['abcdefghij', 'redirects1']);
  });
});
