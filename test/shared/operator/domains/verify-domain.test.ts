import { beforeEach, describe, expect, test, vi } from 'vitest';
import { certified, HOUR, VALIDATION } from '../../domains/claimed-domain.ts';
import { refusal } from '../operating.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();
beforeEach(() => world.reset());

const found = (name: string) => world.claimOf(name);

test('starts an attempt and its flow', async () => {
  const fields = await world.added('verified');
  const attempt = (await found(fields.domain)).attempt + 1;
  world.nowMs += HOUR;
  const time = new Date(world.nowMs).toISOString();
  expect(await world.done('domains.verify', fields)).toMatchObject({
    status: 'verifying',
    message: 'Looking for the records.',
    deadlines: { verification: new Date(world.nowMs + 30 * 24 * HOUR).toISOString() },
  });
  expect(await found(fields.domain)).toMatchObject({
    attempt,
    verifyStartedAt: time,
  });
  expect(world.calls.at(-1)).toBe(`start verification ${fields.domain} ${attempt}`);
});

test.each(['verifying', 'issuing', 'failed'] as const)(
  'starts another attempt with the same records and certificate when the domain is %s',
  async status => {
    const certificate = certified({ status: 'PENDING_VALIDATION' });
    const { arn } = certificate;
    const fields = await world.added(`again-${status}`, {
      status,
      attempt: 5,
      certificate,
    });
    const { target, challenge } = await found(fields.domain);
    await world.done('domains.verify', fields);
    const again = { status: 'verifying', attempt: 6, target, challenge, certificate: { arn } };
    expect(await found(fields.domain)).toMatchObject(again);
    expect(world.calls).not.toContain('request');
  },
);

test.each(['FAILED', 'VALIDATION_TIMED_OUT'])(
  'forgets a certificate that is %s: another one, with the same record, is requested once the claim is proven',
  async status => {
    const fields = await world.added(`certificate-${status.toLowerCase().replaceAll('_', '-')}`, {
      status: 'failed',
      certificate: certified({ status }),
    });
    expect(await world.done('domains.verify', fields)).toMatchObject({
      records: [{ purpose: 'traffic' }, VALIDATION],
    });
    expect(world.calls).not.toContain('request');
    expect((await found(fields.domain)).certificate.arn).toBeNull();
  },
);

test('is one attempt when it is delivered twice; the second delivery starts the flow if the first did not', async () => {
  const fields = { ...(await world.added('replayed')), requestId: 'verify-replayed' };
  const attempt = (await found(fields.domain)).attempt + 1;
  await world.done('domains.verify', fields);
  expect(await world.ask('domains.verify', fields)).toMatchObject({ ok: true, replayed: true });
  expect(await found(fields.domain)).toMatchObject({ attempt });
  const starts = world.calls.filter(call => call.startsWith('start verification'));
  expect(starts).toEqual(Array(2).fill(`start verification ${fields.domain} ${attempt}`));
});

test('starts the flow of the attempt that wins among many at once', async () => {
  const fields = await world.added('rush');
  const before = await found(fields.domain);
  const replies = await Promise.all(Array.from({ length: 4 }, () => world.ask('domains.verify', fields)));
  const { attempt } = await found(fields.domain);
  expect(attempt).toBeGreaterThan(before.attempt);
  expect(world.calls).toContain(`start verification ${fields.domain} ${attempt}`);
  for (const reply of replies.filter(({ ok }) => !ok)) {
    expect(reply).toMatchObject({
      error: { code: 'conflict', message: expect.stringMatching(/Try again\.$/) },
    });
  }
});

describe('a live domain', () => {
  beforeEach(() => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    return () => vi.restoreAllMocks();
  });

  test('is checked again, and stays live and mapped as it was; the audit log says who asked for it', async () => {
    await world.project('looked', 'www.looked.example.com');
    const fields = { project: 'looked', domain: 'www.looked.example.com' };
    const request = { ...fields, requestId: 'looked-again', by: 'jane' };
    expect(await world.done('domains.verify', request)).toMatchObject({
      status: 'live',
      reason: 'traffic_record_missing',
      checkedAt: new Date(world.nowMs).toISOString(),
    });
    expect(await found(fields.domain)).toMatchObject({ status: 'needs_attention', attempt: 2 });
    expect(world.calls).toEqual([`reach ${fields.domain} aa:01 d-1.execute-api.us-east-1.amazonaws.com`]);
    expect(await world.audit.find('looked-again')).toMatchObject({
      command: 'domains.verify',
      claimedBy: 'jane',
      input: fields,
    });
  });

  test('is left to an execution while somebody else is at work on its name', async () => {
    await world.project('held', 'www.held.example.com');
    const fields = { project: 'held', domain: 'www.held.example.com' };
    const { attempt } = await found(fields.domain);
    vi.spyOn(world.parts, 'tend').mockResolvedValueOnce(undefined);
    expect(await world.done('domains.verify', fields)).toMatchObject({ status: 'live' });
    expect(world.calls).toEqual([`start verification ${fields.domain} ${attempt + 1}`]);
    expect(await found(fields.domain)).toMatchObject({ attempt: attempt + 1 });
  });

  test.each([
    ['gone', undefined],
    ['given another certificate', { certificateArn: 'theirs' }],
  ])('is attached again, with the certificate it has, when its domain name is %s', async (what, changes) => {
    const id = `again-${what.split(' ')[0]}`;
    const fields = { project: id, domain: `www.${id}.example.com` };
    await world.project(id, fields.domain);
    const { certificate } = await found(fields.domain);
    world.gateway = world.gateway && changes && { ...world.gateway, ...changes };
    const reason = changes ? 'domain_name_recertified' : 'domain_name_gone';
    expect(await world.done('domains.verify', fields)).toMatchObject({ status: 'live', reason });
    expect(await found(fields.domain)).toMatchObject({ certificate: { arn: certificate.arn }, attempt: 3 });
    expect(world.calls).not.toContain('request');
    expect(world.calls.at(-1)).toMatch(/^start verification/);
  });

  test.each(['EXPIRED', null])(
    'is no longer live when its certificate is lost (%s), and domains that redirected to it serve',
    async status => {
      const id = `lost-${status ?? 'gone'}`.toLowerCase();
      const [lost, other] = [`www.${id}.example.com`, `old.${id}.example.com`];
      await world.project(id, lost, other);
      await world.done('domains.redirect', { project: id, domain: other, to: lost });
      expect(world.mapped.get(other)).toBe('redirects1');
      world.certificate = { ...world.certificate, status };
      expect(await world.done('domains.verify', { project: id, domain: lost })).toMatchObject({
        status: 'verifying',
        primary: true,
      });
      expect(await world.routingOf(id)).toEqual({
        liveDomains: [other],
        primary: lost,
        redirects: [`${other} → ${lost}`],
      });
      expect(world.mapped.get(other)).toBe('abcdefghij');
    },
  );
});

test('conflict: another project has proven the name meanwhile, and show says so', async () => {
  const fields = await world.added('late');
  await world.project('faster', fields.domain);
  const faster = await world.domains.find(fields.domain, 'faster');
  world.zone = { [`${fields.domain} CNAME`]: [faster?.target ?? ''] };
  expect((await world.done('domains.show', fields)).notes).toContainEqual(
    expect.stringContaining('is in use by another project'),
  );
  expect(await world.ask('domains.verify', fields)).toEqual(
    refusal('conflict', expect.stringContaining('is in use by another project'), 'domain_taken'),
  );
});

test('a claim that was refused says once that another project has the name, and promises nothing', async () => {
  const fields = await world.added('refused');
  await world.done('domains.verify', fields);
  const { attempt } = await world.claimOf(fields.domain);
  await world.project('quicker', fields.domain);
  const quicker = await world.domains.find(fields.domain, 'quicker');
  world.zone = { [`${fields.domain} CNAME`]: [quicker?.target ?? ''] };
  await world.run({ ...fields, attempt });
  const { reason, notes } = await world.done('domains.show', fields);
  expect({ reason, notes }).toEqual({ reason: 'domain_taken', notes: [] });
});

test('conflict: the domain is being removed', async () => {
  const fields = await world.added('removed');
  await world.done('domains.remove', fields);
  expect(await world.ask('domains.verify', fields)).toEqual(
    refusal('conflict', 'www.removed.example.com is being removed.', 'removal_in_progress'),
  );
});

describe('a certificate that is delayed although all records are right', () => {
  const delayed = (id: string, requests: number) =>
    world.added(id, {
      status: 'issuing',
      reason: 'certificate_delayed',
      certificate: certified({ status: 'PENDING_VALIDATION', requests }),
    });

  test('is replaced by another one, with the same records', async () => {
    const fields = await delayed('delayed', 2);
    await world.done('domains.verify', fields);
    expect(world.calls).not.toContain('request');
    expect(await found(fields.domain)).toMatchObject({
      status: 'verifying',
      certificate: {
        arn: null,
        replaces: certified().arn,
        requests: 2,
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
