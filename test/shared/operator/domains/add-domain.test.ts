import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CHALLENGE_LABEL } from '../../../../shared/domains/dns/required-record.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import type { DomainReport } from '../../../../shared/domains/report.ts';
import { loggedLines } from '../../../functions/logged-lines.ts';
import { HOUR, VALIDATION } from '../../domains/claimed-domain.ts';
import { saveProven } from '../../domains/stored-claims.ts';
import { refusal } from '../operating.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();
beforeEach(() => world.reset());

const found = (name: string) => world.claimOf(name);

test('claims the name and shows the records, those of ACM included', async () => {
  await world.project('adding');
  const added = await world.done('domains.add', { project: 'adding', domain: 'WWW.Adding.Example.COM.' });
  const { target, certificate } = await found('www.adding.example.com');
  expect(target).toMatch(/^[0-9a-f]{20}\.apps\.petstore\.example$/);
  expect(added).toMatchObject({
    project: 'adding',
    domain: 'www.adding.example.com',
    kind: 'subdomain',
    status: 'pending_dns',
    records: [
      { type: 'CNAME', name: 'www.adding.example.com', value: target, ttl: 3600, state: 'missing' },
      { type: 'CNAME', ...VALIDATION, state: 'missing' },
    ],
    certificate: { arn: certificate.arn },
    primary: false,
    redirect: null,
  });
  expect(world.calls).toEqual([`open ${target} abcdefghij.execute-api.us-east-1.amazonaws.com`, 'request']);
});

test('asks for an ALIAS and a TXT record at an apex, and says what to do without an ALIAS', async () => {
  await world.project('apex');
  const added = await world.done('domains.add', { project: 'apex', domain: 'apex-zoo.com' });
  expect(added.records).toMatchObject([
    { type: 'ALIAS', name: 'apex-zoo.com', ttl: 3600 },
    { type: 'TXT', name: `${CHALLENGE_LABEL}.apex-zoo.com` },
    { purpose: 'certificate' },
  ]);
  expect(added.notes[0]).toContain('Not every DNS provider has ALIAS or ANAME records.');
});

test('400: refuses a name that is too long for the validation record of ACM', async () => {
  await world.project('long');
  const long = ['b', 'c', 'd'].map(letter => letter.repeat(63)).join('.');
  const ofLength = (length: number) =>
    `${'a'.repeat(length - `.${long}.example.com`.length)}.${long}.example.com`;
  const fields = (length: number) => ({ project: 'long', domain: ofLength(length) });
  expect(ofLength(219)).toHaveLength(219);
  await world.done('domains.add', fields(219));
  const message = `${ofLength(220)} is too long for a certificate: it has 220 characters, and the limit is 219.`;
  expect(await world.ask('domains.add', fields(220))).toEqual(
    refusal('invalid_request', message, 'domain_invalid'),
  );
});

test('starts attempt and revision above those of any earlier claim of the name', async () => {
  await world.project('counted');
  const fields = { project: 'counted', domain: 'www.counted.example.com' };
  await world.done('domains.add', fields);
  const first = await found(fields.domain);
  // The certificate was stored since.
  expect(first).toMatchObject({ attempt: world.nowMs / 1000, revision: world.nowMs + 1 });
  await world.done('domains.verify', fields);
  await world.done('domains.remove', fields);
  const last = await found(fields.domain);
  expect(last.attempt).toBe(first.attempt + 2);
  await world.forget(last);

  world.nowMs += HOUR;
  await world.done('domains.add', fields);
  const next = await found(fields.domain);
  expect(next).toMatchObject({ attempt: world.nowMs / 1000, revision: world.nowMs + 1 });
  expect(next.attempt).toBeGreaterThan(last.attempt);
  expect(next.revision).toBeGreaterThan(last.revision);
  expect(next.target).not.toBe(first.target);
});

test('returns the same claim when the project adds the name again', async () => {
  await world.project('again');
  const fields = { project: 'again', domain: 'www.again.example.com' };
  const first = await world.done('domains.add', fields);
  world.calls.length = 0;
  expect(await world.done('domains.add', fields)).toEqual(first);
  expect(world.calls).not.toContain('request');
});

test('makes one claim when the project adds the name many times at once', async () => {
  await world.project('crowd');
  const fields = { project: 'crowd', domain: 'www.crowd.example.com' };
  const added = await Promise.all(Array.from({ length: 4 }, () => world.done('domains.add', fields)));
  expect(new Set(added.map(({ records }) => records[0].value)).size).toBe(1);
});

test('is completed by a second delivery when the first ended after the claim', async () => {
  await world.project('ended');
  const fields = { project: 'ended', domain: 'www.ended.example.com', requestId: 'add-ended' };
  loggedLines();
  const open = vi.spyOn(world.parts.zone, 'open').mockRejectedValueOnce(new Error('gone'));
  onTestFinished(() => {
    open.mockRestore();
  });
  expect(await world.ask('domains.add', fields)).toMatchObject({ error: { code: 'internal_error' } });
  const { attempt, target, certificate } = await found('www.ended.example.com');
  expect(certificate.arn).toBeNull();

  expect(await world.ask('domains.add', fields)).toMatchObject({ ok: true, replayed: true });
  expect(await found('www.ended.example.com')).toMatchObject({
    attempt,
    target,
    certificate: { arn: expect.any(String), validations: [VALIDATION] },
  });
});

test.each([
  [
    'the plan is free',
    'plan',
    'plan_required',
    'is on the free plan. Custom domains need the pro plan or above.',
  ],
  ['no deploy has succeeded', 'deploy', 'deploy_required', 'has no successful deploy yet. Deploy it first.'],
] as const)(
  'conflict: %s; nothing is claimed or created until that is solved',
  async (_, id, reason, message) => {
    await world.done('projects.create', { id: `no-${id}`, plan: id === 'plan' ? 'free' : 'pro' });
    const state = id === 'plan' ? 'succeeded' : 'failed';
    await world.done('projects.deployed', { id: `no-${id}`, state });
    const domain = `www.no-${id}.example.com`;
    expect(await world.ask('domains.add', { project: `no-${id}`, domain })).toEqual(
      refusal('conflict', `Project no-${id} ${message}`, reason),
    );
    expect([await world.domains.find(domain, `no-${id}`), world.calls]).toEqual([undefined, []]);
    await world.done('projects.plan', { id: `no-${id}`, plan: 'enterprise' });
    await world.done('projects.deployed', { id: `no-${id}` });
    await world.done('domains.add', { project: `no-${id}`, domain });
  },
);

test('conflict: the platform domain is not delegated; nothing is claimed or created', async () => {
  await world.project('undelegated');
  const { delegation } = world.platform;
  onTestFinished(() => {
    world.platform.delegation = delegation;
  });
  const nameServers = ['ns-1.awsdns-01.org'];
  world.platform.delegation = { isInPlace: false, nameServers, observed: ['no NS records'] };
  const domain = 'www.undelegated.example.com';
  expect(await world.ask('domains.add', { project: 'undelegated', domain })).toEqual(
    refusal(
      'conflict',
      expect.stringContaining(
        'create an NS record at apps.petstore.example with the values ns-1.awsdns-01.org',
      ),
      'platform_domain_not_delegated',
    ),
  );
  expect(await world.domains.find(domain, 'undelegated')).toBeUndefined();
  expect(world.calls).toEqual([]);
});

test('accepts a project whose last deploy failed after one that succeeded', async () => {
  await world.project('broken-deploy');
  await world.done('projects.deployed', { id: 'broken-deploy', state: 'failed' });
  const fields = { project: 'broken-deploy', domain: 'www.broken-deploy.example.com' };
  expect(await world.done('domains.add', fields)).toMatchObject({ status: 'pending_dns' });
});

test('conflict: more than 20 domains that are not verified, or one of a pair would be; a verified one makes room', async () => {
  await world.project('hoarder');
  const add = (number: number) =>
    world.ask('domains.add', { project: 'hoarder', domain: `n${number}.hoarder.example.com` });
  for (let number = 1; number < 20; number += 1) await add(number);
  const pair = { project: 'hoarder', domain: 'pair.example.com', withWww: true };
  expect(await world.ask('domains.add', pair)).toMatchObject({
    error: { reason: 'too_many_unverified_domains' },
  });
  expect(await world.domains.listOf('hoarder')).toHaveLength(19);
  const replies = await Promise.all([add(20), add(21), add(22)]);
  expect(replies.map(({ ok }) => ok).toSorted()).toEqual([false, false, true]);
  const refused = replies.find(({ ok }) => !ok);
  expect(refused).toEqual(
    refusal(
      'conflict',
      'Project hoarder already has 20 unverified domains, the maximum. Verify or remove some first.',
      'too_many_unverified_domains',
    ),
  );
  const claim = await found('n1.hoarder.example.com');
  await saveProven(world.domains, nextRevision(claim));
  expect(await add(23)).toMatchObject({ ok: true });
});

test('conflict: another project has proven the name, which keeps it and is not named', async () => {
  const domain = 'www.owned.example.com';
  await world.project('owner', domain);
  await world.project('thief');
  const before = await found(domain);
  world.zone = { [`${domain} CNAME`]: [before.target] };
  expect(await world.ask('domains.add', { project: 'thief', domain })).toEqual(
    refusal(
      'conflict',
      expect.stringContaining('www.owned.example.com is in use by another project.'),
      'domain_taken',
    ),
  );
  expect([await found(domain), world.calls]).toEqual([before, []]);
});

test('claims a name beside the claim of another project that has not proven it', async () => {
  const domain = 'www.contested.example.com';
  await world.project('squatter');
  await world.project('rightful');
  const [theirs, ours] = [
    await world.done('domains.add', { project: 'squatter', domain }),
    await world.done('domains.add', { project: 'rightful', domain }),
  ];
  expect(ours).toMatchObject({ project: 'rightful', status: 'pending_dns' });
  expect(ours.records[0].value).not.toBe(theirs.records[0].value);
});

test('conflict: another environment or team has the name at API Gateway; nothing is claimed or created', async () => {
  await world.project('late');
  const domain = 'www.late.example.com';
  world.gateway = { host: 'd-9', hostedZoneId: 'Z9', certificateArn: 'theirs', isOurs: false };
  expect(await world.ask('domains.add', { project: 'late', domain })).toEqual(
    refusal(
      'conflict',
      `Another environment or team in this AWS account has ${domain} at API Gateway. Delete it there first.`,
      'domain_name_foreign',
    ),
  );
  expect([await world.domains.find(domain, 'late'), world.calls]).toEqual([undefined, []]);
});

test('conflict: the name is being removed; says when to add it again', async () => {
  await world.project('leaving', 'www.leaving.example.com');
  const fields = { project: 'leaving', domain: 'www.leaving.example.com' };
  await world.done('domains.remove', fields);
  expect(await world.ask('domains.add', fields)).toEqual(
    refusal(
      'conflict',
      "www.leaving.example.com is being removed. Add it again once that's done, usually within minutes.",
      'removal_in_progress',
    ),
  );
});

test.each([
  ['*.example.com', 'is a wildcard'],
  ['shop.apps.petstore.example', 'is under apps.petstore.example, which is reserved'],
])('invalid_request: %s', async (domain, message) => {
  expect(await world.ask('domains.add', { domain })).toEqual(
    refusal('invalid_request', expect.stringContaining(`${domain} ${message}`), 'domain_invalid'),
  );
});

test('invalid_request: no name, or none that could be one', async () => {
  expect(await world.ask('domains.add')).toEqual(refusal('invalid_request', 'domain is required'));
  expect(await world.ask('domains.add', { domain: 'a b' })).toEqual(
    refusal('invalid_request', expect.stringContaining('domain must be 1–255 characters')),
  );
});

test('a name whose owner has no record in DNS any more can be claimed, and is proven by a TXT record', async () => {
  const domain = 'www.sold.example.com';
  await world.project('seller', domain);
  await world.project('buyer');
  world.zone = {};
  const { records } = await world.done('domains.add', { project: 'buyer', domain });
  expect(records.map(({ purpose }: { purpose: string }) => purpose)).toContain('ownership');
  expect(await world.domains.ownerOf(domain)).toBe('seller');
});

test('switchLater: the TXT record comes first, the traffic record last; it can be asked for afterwards', async () => {
  await world.project('in-use');
  const fields = { project: 'in-use', domain: 'www.in-use.example.com' };
  const purposes = (report: DomainReport) => report.records.map(({ purpose }) => purpose);
  expect(purposes(await world.done('domains.add', fields))).toEqual(['traffic', 'certificate']);
  const later = await world.done('domains.add', { ...fields, switchLater: true });
  expect([purposes(later), later.switchLater]).toEqual([['ownership', 'certificate', 'traffic'], true]);
  expect(await world.done('domains.show', fields)).toMatchObject({ switchLater: true });
});

describe('withWww', () => {
  const pairOf = async (id: string, domain: string) => {
    await world.project(id);
    return world.done('domains.add', { project: id, domain, withWww: true });
  };

  test.each([
    ['paired.example.com', 'www.paired.example.com'],
    ['www.other-way.example.com', 'other-way.example.com'],
  ])('%s is added with %s, which redirects to it once both are live', async (domain, sibling) => {
    const id = domain.replaceAll('.', '-');
    expect(await pairOf(id, domain)).toMatchObject({
      domain,
      redirect: null,
      sibling: { domain: sibling, redirect: { to: domain, status: 301, isPending: true } },
    });
    expect(await world.routingOf(id)).toMatchObject({ redirects: [`${sibling} → ${domain}`] });
    // A second time it changes nothing.
    const again = await world.done('domains.add', { project: id, domain, withWww: true });
    expect(again.sibling).toMatchObject({ domain: sibling });
    expect(await world.domains.listOf(id)).toHaveLength(2);
  });

  test('a name that redirects to the primary domain that it is added beside', async () => {
    await world.project('www-first', 'www.first.example.com');
    await world.done('domains.add', { project: 'www-first', domain: 'first.example.com', withWww: true });
    expect(await world.routingOf('www-first')).toMatchObject({
      primary: 'www.first.example.com',
      redirects: ['first.example.com → www.first.example.com'],
    });
  });

  test('an apex whose DNS provider has no ALIAS records redirects to its www, which serves', async () => {
    world.delegation = { zone: 'stuck-zoo.com', nameServers: ['ns1.domaincontrol.com'] };
    expect(await pairOf('stuck', 'stuck-zoo.com')).toMatchObject({
      redirect: { to: 'www.stuck-zoo.com', isPending: true },
      detour: { provider: 'GoDaddy', www: 'www.stuck-zoo.com', isAdded: true },
      sibling: { domain: 'www.stuck-zoo.com', redirect: null, detour: null },
    });
  });
});

test('a name that is removed and added again within 30 days has the same records, and others after that', async () => {
  await world.project('again');
  const fields = { project: 'again', domain: 'www.again.example.com' };
  const valuesOf = ({ target, challenge }: Domain) => [target, challenge];
  const added = async () => {
    await world.done('domains.add', fields);
    return (await world.domains.find(fields.domain, 'again')) as Domain;
  };
  const first = await added();
  const DAY_MS = 24 * 60 * 60 * 1000;
  await world.forget(first, world.nowMs + 30 * DAY_MS);
  world.nowMs += 30 * DAY_MS - 1;
  const second = await added();
  expect(valuesOf(second)).toEqual(valuesOf(first));
  await world.forget(second, world.nowMs + 30 * DAY_MS);
  await world.project('others');
  const theirs = await world.done('domains.add', { project: 'others', domain: fields.domain });
  expect(theirs.records[0].value).not.toBe(first.target);
  world.nowMs += 30 * DAY_MS;
  const third = await added();
  expect(valuesOf(third)).not.toEqual(valuesOf(first));
  // The records are those of one claim at a time: a claim that was moved keeps them.
  await world.forget(third, world.nowMs + DAY_MS);
  expect(valuesOf(await added())).toEqual(valuesOf(third));
  await world.project('again-elsewhere');
  await world.done('domains.move', { ...fields, to: 'again-elsewhere' });
  expect(valuesOf(await added())).not.toEqual(valuesOf(third));
});
