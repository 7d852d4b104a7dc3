import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Domain, nextRevision } from '../../../shared/domains/life/domain.ts';
import { certified, VALIDATION } from '../domains/claimed-domain.ts';
import { HOUR } from '../domains/steps/flow-world.ts';
import { refusal } from './operating.ts';
import { type OperatingDomains, operatingDomains } from './operating-domains.ts';

let world: OperatingDomains;
beforeAll(async () => {
  world = await operatingDomains();
});
beforeEach(() => world.reset());

const found = async (name: string) => (await world.domains.find(name)) as Domain;
/** Writes a domain as something else has left it. */
const becomes = async (name: string, news: Partial<Domain>) =>
  world.domains.save(nextRevision(await found(name), news));

describe('domains.add', () => {
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

  test('counts attempts and revisions from the moment of the claim: an earlier claim of the name has had others', async () => {
    await world.project('counted');
    const fields = { project: 'counted', domain: 'www.counted.example.com' };
    await world.done('domains.add', fields);
    const first = await found(fields.domain);
    // The certificate was noted since.
    expect(first).toMatchObject({ attempt: world.nowMs / 1000, revision: world.nowMs + 1 });
    await world.done('domains.verify', fields);
    await world.done('domains.remove', fields);
    const last = await found(fields.domain);
    expect(last.attempt).toBe(first.attempt + 2);
    await world.domains.forget(last);

    world.nowMs += HOUR;
    await world.done('domains.add', fields);
    const next = await found(fields.domain);
    expect(next).toMatchObject({ attempt: world.nowMs / 1000, revision: world.nowMs + 1 });
    expect(next.attempt).toBeGreaterThan(last.attempt);
    expect(next.revision).toBeGreaterThan(last.revision);
    expect(next.target).not.toBe(first.target);
  });

  test('again for the same project is the same claim, not another', async () => {
    await world.project('again');
    const fields = { project: 'again', domain: 'www.again.example.com' };
    const first = await world.done('domains.add', fields);
    world.calls.length = 0;
    expect(await world.done('domains.add', fields)).toEqual(first);
    expect(world.calls).not.toContain('request');
  });

  test('of many at once for the same project is one claim', async () => {
    await world.project('crowd');
    const fields = { project: 'crowd', domain: 'www.crowd.example.com' };
    const added = await Promise.all(Array.from({ length: 4 }, () => world.done('domains.add', fields)));
    expect(new Set(added.map(({ records }) => records[0].value)).size).toBe(1);
  });

  test('that ended after the claim is made up for by the same request', async () => {
    await world.project('ended');
    const fields = { project: 'ended', domain: 'www.ended.example.com', requestId: 'add-ended' };
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const open = vi.spyOn(world.parts.zone, 'open').mockRejectedValueOnce(new Error('gone'));
    onTestFinished(() => {
      open.mockRestore();
    });
    expect(await world.ask('domains.add', fields)).toMatchObject({ error: { code: 'internal_error' } });
    vi.mocked(process.stdout.write).mockRestore();
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
    ['the plan is free', 'plan', 'is on the plan free. Custom domains need pro or above.'],
    ['the last deploy failed', 'deploy', 'has no successful deploy yet. Deploy it first.'],
  ])('conflict: %s; nothing is claimed and nothing made', async (_, id, message) => {
    await world.project(`no-${id}`);
    if (id === 'plan') await world.done('projects.plan', { id: 'no-plan', plan: 'free' });
    else await world.done('projects.deployed', { id: 'no-deploy', state: 'failed' });
    const domain = `www.no-${id}.example.com`;
    expect(await world.ask('domains.add', { project: `no-${id}`, domain })).toEqual(
      refusal('conflict', `The project no-${id} ${message}`),
    );
    expect(await world.domains.find(domain)).toBeUndefined();
    expect(world.calls).toEqual([]);
  });

  test('conflict: the name belongs to another project, which keeps it', async () => {
    await world.project('owner');
    await world.project('thief');
    const domain = 'www.owned.example.com';
    await world.done('domains.add', { project: 'owner', domain });
    const before = await found(domain);
    world.calls.length = 0;
    expect(await world.ask('domains.add', { project: 'thief', domain })).toEqual(
      refusal('conflict', 'www.owned.example.com is a domain of the project owner.'),
    );
    expect([await found(domain), world.calls]).toEqual([before, []]);
  });

  test('conflict: the name is being removed, with when to add it again', async () => {
    await world.project('leaving', 'www.leaving.example.com');
    const fields = { project: 'leaving', domain: 'www.leaving.example.com' };
    await world.done('domains.remove', fields);
    expect(await world.ask('domains.add', fields)).toEqual(
      refusal(
        'conflict',
        'www.leaving.example.com is being removed. Add it again when that is done, which can take some minutes.',
      ),
    );
  });

  test('not_found: no such project', async () => {
    expect(await world.ask('domains.add', { project: 'nowhere', domain: 'www.example.com' })).toEqual(
      refusal('not_found', 'There is no project nowhere.'),
    );
  });

  test.each([
    ['*.example.com', 'is a wildcard'],
    ['https://www.example.com/', 'is an address'],
    ['192.0.2.1', 'is an IP address'],
    ['localhost', 'has no dot'],
    ['co.uk', 'is a public suffix'],
    ['www.example.internal', 'is not under a public top-level domain'],
    ['shop.apps.petstore.example', 'belongs to apps.petstore.example, which cannot be claimed'],
    ['abc.execute-api.us-east-1.amazonaws.com', 'belongs to amazonaws.com, which cannot be claimed'],
    ['_dmarc.example.com', 'is not a host name'],
  ])('invalid_request: %s', async (domain, message) => {
    expect(await world.ask('domains.add', { domain })).toEqual(
      refusal('invalid_request', expect.stringContaining(`${domain} ${message}`)),
    );
  });

  test('invalid_request: no name, or none that could be one', async () => {
    expect(await world.ask('domains.add')).toEqual(refusal('invalid_request', 'domain is required'));
    expect(await world.ask('domains.add', { domain: 'a b' })).toEqual(
      refusal('invalid_request', expect.stringContaining('domain must have 1 to 255 characters')),
    );
  });
});

/** A domain that was added to a project of its own, and has become this since. */
async function added(id: string, news: Partial<Domain> = {}) {
  await world.project(id);
  const fields = { project: id, domain: `www.${id}.example.com` };
  await world.done('domains.add', fields);
  await becomes(fields.domain, news);
  world.calls.length = 0;
  return fields;
}

describe('domains.verify', () => {
  test('begins an attempt and its flow', async () => {
    const fields = await added('verified');
    const attempt = (await found(fields.domain)).attempt + 1;
    world.nowMs += HOUR;
    const time = new Date(world.nowMs).toISOString();
    expect(await world.done('domains.verify', fields)).toMatchObject({
      status: 'verifying',
      message: 'Looking for the records.',
      deadlines: { dns: new Date(world.nowMs + 48 * HOUR).toISOString() },
    });
    expect(await found(fields.domain)).toMatchObject({
      attempt,
      phase: 'dns',
      phaseStartedAt: time,
      verifyStartedAt: time,
    });
    expect(world.calls.at(-1)).toBe(`verify ${fields.domain} ${attempt}`);
  });

  test.each(['verifying', 'issuing', 'failed'] as const)(
    'again, when %s, begins another with the same records',
    async status => {
      const fields = await added(`again-${status}`, {
        status,
        phase: 'certificate',
        attempt: 5,
        reason: 'caa_blocked',
        rounds: 20,
        slotAt: 'soon',
        certificate: certified({ status: 'PENDING_VALIDATION', requests: 3 }),
      });
      const before = await found(fields.domain);
      await world.done('domains.verify', fields);
      expect(await found(fields.domain)).toMatchObject({
        status: 'verifying',
        phase: 'dns',
        attempt: 6,
        reason: null,
        rounds: 0,
        slotAt: null,
        target: before.target,
        challenge: before.challenge,
        certificate: { arn: before.certificate.arn, requests: 0 },
      });
      expect(world.calls).not.toContain('request');
    },
  );

  test.each(['FAILED', 'VALIDATION_TIMED_OUT'])(
    'after a certificate that is %s requests another, whose record stays the same',
    async status => {
      const fields = await added(`certificate-${status.toLowerCase().replaceAll('_', '-')}`, {
        status: 'failed',
        certificate: certified({ status }),
      });
      expect(await world.done('domains.verify', fields)).toMatchObject({
        records: [{ purpose: 'traffic' }, VALIDATION],
      });
      expect(world.calls).toContain('request');
      expect((await found(fields.domain)).certificate.arn).toContain('another');
    },
  );

  test('twice with the same requestId is one attempt, whose flow is started again if it is not there', async () => {
    const fields = { ...(await added('replayed')), requestId: 'verify-replayed' };
    const attempt = (await found(fields.domain)).attempt + 1;
    await world.done('domains.verify', fields);
    expect(await world.ask('domains.verify', fields)).toMatchObject({ ok: true, replayed: true });
    expect(await found(fields.domain)).toMatchObject({ attempt });
    const starts = world.calls.filter(call => call.startsWith('verify'));
    expect(starts).toEqual(Array(2).fill(`verify ${fields.domain} ${attempt}`));
  });

  test('of many at once: the attempt that is left is the one that has a flow', async () => {
    const fields = await added('rush');
    const before = await found(fields.domain);
    const replies = await Promise.all(Array.from({ length: 4 }, () => world.ask('domains.verify', fields)));
    const { attempt } = await found(fields.domain);
    expect(attempt).toBeGreaterThan(before.attempt);
    expect(world.calls).toContain(`verify ${fields.domain} ${attempt}`);
    for (const reply of replies.filter(({ ok }) => !ok)) {
      expect(reply).toMatchObject({
        error: { code: 'conflict', message: expect.stringMatching(/Try again\.$/) },
      });
    }
  });

  describe('of a live domain', () => {
    beforeEach(() => {
      vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      return () => vi.restoreAllMocks();
    });

    test('looks at it again, and leaves it live and mapped as it was', async () => {
      await world.project('looked', 'www.looked.example.com');
      const fields = { project: 'looked', domain: 'www.looked.example.com' };
      expect(await world.done('domains.verify', fields)).toMatchObject({
        status: 'live',
        reason: 'traffic_record_missing',
        checkedAt: new Date(world.nowMs).toISOString(),
      });
      expect(await found(fields.domain)).toMatchObject({ status: 'live', attempt: 2 });
      expect(world.calls).toEqual([]);
    });

    test.each(['EXPIRED', null])(
      'whose certificate is lost (%s) requests another; it is no longer live, and who redirected to it serves',
      async status => {
        const id = `lost-${status ?? 'gone'}`.toLowerCase();
        const [lost, other] = [`www.${id}.example.com`, `old.${id}.example.com`];
        await world.project(id, lost, other);
        await world.done('domains.redirect', { project: id, domain: other, to: lost });
        expect(world.mapped.get(other)).toBe('redirects1');
        world.certificate = { ...world.certificate, status };
        expect(await world.done('domains.verify', { project: id, domain: lost })).toMatchObject({
          status: 'verifying',
          primary: false,
        });
        expect(world.calls).toContain('request');
        expect(await world.routingOf(id)).toEqual({ liveDomains: [other], primary: other, redirects: [] });
        expect(world.mapped.get(other)).toBe('abcdefghij');
      },
    );
  });

  test('conflict: it is being removed', async () => {
    const fields = await added('removed');
    await world.done('domains.remove', fields);
    expect(await world.ask('domains.verify', fields)).toEqual(
      refusal('conflict', 'www.removed.example.com is being removed.'),
    );
  });
});

describe('domains.show', () => {
  test('shows what is noted, and asks AWS nothing', async () => {
    await world.project('shown', 'www.shown.example.com');
    const fields = { project: 'shown', domain: 'www.shown.example.com' };
    expect(await world.done('domains.show', fields)).toMatchObject({
      status: 'live',
      primary: true,
      redirect: null,
      certificate: { status: 'ISSUED' },
    });
    expect(world.calls).toEqual([]);
  });

  test('has the validation record as soon as ACM names it', async () => {
    await world.project('named');
    const fields = { project: 'named', domain: 'www.named.example.com' };
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION', validations: [] };
    expect((await world.done('domains.add', fields)).records).toHaveLength(1);
    expect((await world.done('domains.show', fields)).records).toHaveLength(1);
    world.certificate = { ...world.certificate, validations: [VALIDATION] };
    expect((await world.done('domains.show', fields)).records).toMatchObject([{}, VALIDATION]);
    expect((await found(fields.domain)).certificate.validations).toEqual([VALIDATION]);
  });

  test.each<[status: Domain['status'], flow: string]>([
    ['verifying', 'verify'],
    ['removing', 'take down'],
  ])('makes up for a flow that was asked for and never began: %s', async (status, flow) => {
    const fields = await added(`never-${status}`, { status });
    await world.done('domains.show', fields);
    expect(world.calls.filter(call => call.startsWith(flow))).toHaveLength(1);
  });
});

test('domains.list has the domains of a project, with their roles, and no others', async () => {
  await world.project('listed', 'a.listed.example.com', 'b.listed.example.com');
  await world.done('domains.redirect', {
    project: 'listed',
    domain: 'b.listed.example.com',
    to: 'a.listed.example.com',
  });
  await world.done('domains.add', { project: 'listed', domain: 'c.listed.example.com' });
  expect(await world.done('domains.list', { project: 'listed' })).toMatchObject({
    domains: [
      { domain: 'a.listed.example.com', status: 'live', primary: true, redirect: null },
      {
        domain: 'b.listed.example.com',
        primary: false,
        redirect: { to: 'a.listed.example.com', status: 301 },
      },
      { domain: 'c.listed.example.com', status: 'pending_dns', primary: false },
    ],
  });
});

describe('domains.remove', () => {
  test('stops the traffic, then the flow, and hands the primary on', async () => {
    const [gone, left] = ['www.gone.example.com', 'gone.example.com'];
    await world.project('going', gone, left);
    expect(await world.done('domains.remove', { project: 'going', domain: gone })).toMatchObject({
      status: 'removing',
      message: 'No longer served.',
      primary: false,
    });
    expect(world.calls.slice(0, 3)).toEqual([
      `unmap ${gone}`,
      `stop before ${gone} 3`,
      `take down ${gone} 3`,
    ]);
    expect(world.mapped.has(gone)).toBe(false);
    expect(await found(gone)).toMatchObject({ status: 'removing', attempt: 3, phase: 'live' });
    expect(await world.routingOf('going')).toEqual({ liveDomains: [left], primary: left, redirects: [] });
  });

  test('ends the redirects to it: who redirected serves the project again', async () => {
    const [target, from] = ['to.ends.example.com', 'from.ends.example.com'];
    await world.project('ends', target, from);
    await world.done('domains.redirect', { project: 'ends', domain: from, to: target });
    expect(world.mapped.get(from)).toBe('redirects1');
    await world.done('domains.remove', { project: 'ends', domain: target });
    expect(await world.routingOf('ends')).toEqual({ liveDomains: [from], primary: from, redirects: [] });
    expect(world.mapped.get(from)).toBe('abcdefghij');
  });

  test('that ended after the change is made up for by the same request, the redirects to it included', async () => {
    const [target, from] = ['to.cut.example.com', 'from.cut.example.com'];
    await world.project('cut', target, from);
    await world.done('domains.redirect', { project: 'cut', domain: from, to: target });
    const fields = { project: 'cut', domain: target, requestId: 'remove-cut' };
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const unmap = vi.spyOn(world.parts.gateway, 'unmap').mockRejectedValueOnce(new Error('gone'));
    expect(await world.ask('domains.remove', fields)).toMatchObject({ error: { code: 'internal_error' } });
    unmap.mockRestore();
    vi.mocked(process.stdout.write).mockRestore();

    expect(await world.ask('domains.remove', fields)).toMatchObject({ ok: true, replayed: true });
    expect(await found(target)).toMatchObject({ attempt: 3 });
    expect(world.mapped.get(from)).toBe('abcdefghij');
    expect(world.calls).toContain(`take down ${target} 3`);
  });

  test('again, while it goes on, is the same removal', async () => {
    await world.project('once', 'www.once.example.com');
    const fields = { project: 'once', domain: 'www.once.example.com' };
    await world.done('domains.remove', fields);
    const before = await found(fields.domain);
    expect(await world.done('domains.remove', fields)).toMatchObject({ status: 'removing' });
    expect(await found(fields.domain)).toEqual(before);
  });

  test('again, when it could not go on, is begun anew', async () => {
    await world.project('stuck', 'www.stuck.example.com');
    const fields = { project: 'stuck', domain: 'www.stuck.example.com' };
    await world.done('domains.remove', fields);
    await becomes(fields.domain, { reason: 'certificate_in_use', rounds: 40 });
    await world.done('domains.remove', fields);
    expect(await found(fields.domain)).toMatchObject({ attempt: 4, reason: null, rounds: 0 });
    expect(world.calls.at(-1)).toBe(`take down ${fields.domain} 4`);
  });

  test('again, when it was taken down and could not be forgotten, takes it down anew', async () => {
    await world.project('kept', 'www.kept.example.com');
    const fields = { project: 'kept', domain: 'www.kept.example.com' };
    await world.done('domains.remove', fields);
    await becomes(fields.domain, {
      reason: 'internal_error',
      takenDownAt: new Date(world.nowMs).toISOString(),
    });
    await world.done('domains.remove', fields);
    const anew = await found(fields.domain);
    expect(anew).toMatchObject({ attempt: 4, reason: null });
    expect(anew).not.toHaveProperty('takenDownAt');
    expect(world.calls.at(-1)).toBe(`take down ${fields.domain} 4`);
  });

  test('of a claim that nobody verified needs no place in the project', async () => {
    await world.project('early');
    const fields = { project: 'early', domain: 'www.early.example.com' };
    await world.done('domains.add', fields);
    const { attempt } = await found(fields.domain);
    expect(await world.done('domains.remove', fields)).toMatchObject({ status: 'removing' });
    expect(await found(fields.domain)).toMatchObject({ attempt: attempt + 1 });
  });

  test('of a domain that is changed at the same time is decided on what is there', async () => {
    await world.project('busy', 'a.busy.example.com', 'b.busy.example.com', 'c.busy.example.com');
    await Promise.all(
      ['a', 'b'].map(name =>
        world.done('domains.remove', { project: 'busy', domain: `${name}.busy.example.com` }),
      ),
    );
    expect(await world.routingOf('busy')).toEqual({
      liveDomains: ['c.busy.example.com'],
      primary: 'c.busy.example.com',
      redirects: [],
    });
  });
});

test.each(['domains.verify', 'domains.show', 'domains.remove'])(
  'not_found: %s of a project or of a domain that there is not, or of another project’s',
  async command => {
    const id = command.replace('.', '-');
    await world.project(id);
    await world.project(`${id}-other`, `www.${id}.example.com`);
    expect(await world.ask(command, { project: 'nowhere', domain: 'www.example.com' })).toEqual(
      refusal('not_found', 'There is no project nowhere.'),
    );
    for (const domain of ['nothing.example.com', `www.${id}.example.com`]) {
      expect(await world.ask(command, { project: id, domain })).toEqual(
        refusal('not_found', `${domain} is no domain of the project ${id}. Add it first.`),
      );
    }
    expect(await found(`www.${id}.example.com`)).toMatchObject({ status: 'live', attempt: 2 });
    expect(world.calls).toEqual([]);
  },
);

test('not_found: domains.list of a project that there is not', async () => {
  expect(await world.ask('domains.list', { project: 'nowhere' })).toEqual(
    refusal('not_found', 'There is no project nowhere.'),
  );
});
