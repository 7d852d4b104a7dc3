import { beforeEach, expect, test } from 'vitest';
import { claimOfLink } from '../../../../shared/setup/link.ts';
import { DAY } from '../../domains/claimed-domain.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();
beforeEach(() => world.reset());

/** The project of the claim that the link of an operator leads to, as the pages look them up. */
async function ledTo(url: string) {
  const [, , , , , domain = '', key = ''] = url.split('/');
  return claimOfLink(await world.domains.claimsOf(domain), key, world.nowMs)?.project;
}

test('a link is made when somebody asks for one, and is the same for everybody who asks that day', async () => {
  const fields = await world.added('linked');
  expect((await world.claimOf(fields.domain)).linkKey).toBeUndefined();
  const links = await Promise.all(Array.from({ length: 4 }, () => world.done('domains.link', fields)));
  const [{ url, until }] = links;
  expect(new Set(links.map(link => link.url))).toEqual(new Set([url]));
  expect(url).toMatch(
    /^https:\/\/domains\.apps\.petstore\.example\/v1\/setup\/www\.linked\.example\.com\/[\w-]+$/,
  );
  expect(Date.parse(until) - world.nowMs).toBeGreaterThan(90 * DAY);
  expect(await ledTo(url)).toBe('linked');
  expect(world.calls).toEqual([]);
  const stored = await world.claimOf(fields.domain);
  await world.done('domains.link', fields);
  expect(await world.claimOf(fields.domain)).toEqual(stored);
});

test('says whether the pages are at their URL already', async () => {
  const fields = await world.added('served');
  expect(await world.done('domains.link', fields)).toMatchObject({ isServed: false });
  world.defaultUrls.servesPages.mockResolvedValueOnce(true);
  expect(await world.done('domains.link', fields)).toMatchObject({ isServed: true });
});

test('unlink ends all links, also those of the apex or www that has the same page; the next one is another', async () => {
  const project = 'pair';
  await world.project(project);
  await world.done('domains.add', { project, domain: 'www.pair-zoo.com', withWww: true });
  const apex = { project, domain: 'pair-zoo.com' };
  const www = { project, domain: 'www.pair-zoo.com' };
  const other = { project, domain: 'pair.example.com' };
  await world.done('domains.add', other);
  const [first, second, kept] = await Promise.all(
    [apex, www, other].map(async fields => (await world.done('domains.link', fields)).url),
  );
  expect(await Promise.all([first, second, kept].map(ledTo))).toEqual([project, project, project]);
  await world.done('domains.unlink', apex);
  expect(await Promise.all([first, second, kept].map(ledTo))).toEqual([undefined, undefined, project]);
  const { url } = await world.done('domains.link', apex);
  expect(url).not.toBe(first);
  expect(await ledTo(url)).toBe(project);
});

test('neither reports nor the audit log have the secret of a link', async () => {
  const fields = await world.added('secret');
  await world.done('domains.link', fields);
  const { linkKey } = await world.claimOf(fields.domain);
  const shown = await world.done('domains.show', fields);
  const ended = await world.done('domains.unlink', fields);
  expect(JSON.stringify([shown, ended, await world.audit.list(50, {})])).not.toContain(linkKey);
});

test('refuses a link for a domain that is being removed, of another project, or of an environment whose pages nobody can reach', async () => {
  const fields = await world.added('refused');
  const refused = (reason: string) => ({ ok: false, error: { reason } });
  expect(await world.ask('domains.link', { ...fields, project: 'linked' })).toMatchObject(
    refused('domain_unknown'),
  );
  world.platform.delegation = { isInPlace: false, observed: ['nothing'], nameServers: ['ns-1.example'] };
  expect(await world.ask('domains.link', fields)).toMatchObject(refused('platform_domain_not_delegated'));
  world.platform.delegation = { isInPlace: true };
  await world.done('domains.remove', fields);
  expect(await world.ask('domains.link', fields)).toMatchObject(refused('removal_in_progress'));
});
