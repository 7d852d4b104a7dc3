import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHALLENGE_LABEL } from '../../../shared/domains/dns/required-record.ts';
import { nextRevision } from '../../../shared/domains/life/domain.ts';
import { certified } from '../domains/claimed-domain.ts';
import { HOUR, MINUTE } from '../domains/steps/flow-world.ts';
import { refusal } from './operating.ts';
import { type OperatingDomains, operatingDomains } from './operating-domains.ts';

/** The statements of the interface about the custom domain of a published project, quoted by the titles. */
const world = await operatingDomains();
beforeEach(() => world.reset());

const claimOf = (name: string) => world.claimOf(name);

/** Adds a domain to a project of its own and starts its verification; its owner creates no record. */
async function verifying(id: string) {
  const fields = await world.added(id);
  await world.done('domains.verify', fields);
  const { attempt, target } = await claimOf(fields.domain);
  return { fields, target, step: { ...fields, attempt } };
}

const shown = (fields: object) => world.done('domains.show', fields);

describe('the preconditions', () => {
  test('"A paid plan (Pro or above) is required."', async () => {
    await world.done('projects.create', { id: 'unpaid', plan: 'free' });
    await world.done('projects.deployed', { id: 'unpaid' });
    const fields = { project: 'unpaid', domain: 'www.unpaid.example.com' };
    expect(await world.ask('domains.add', fields)).toEqual(
      refusal('conflict', expect.stringContaining('Custom domains need pro or above.'), 'plan_required'),
    );
    for (const plan of ['pro', 'enterprise']) {
      await world.done('projects.plan', { id: 'unpaid', plan });
      expect(await world.done('domains.add', fields)).toMatchObject({ status: 'pending_dns' });
    }
  });

  test('"a successful deploy of the project"', async () => {
    await world.done('projects.create', { id: 'undeployed', plan: 'pro' });
    const fields = { project: 'undeployed', domain: 'www.undeployed.example.com' };
    expect(await world.ask('domains.add', fields)).toEqual(
      refusal('conflict', expect.stringContaining('no successful deploy'), 'deploy_required'),
    );
    await world.done('projects.deployed', { id: 'undeployed' });
    expect(await world.done('domains.add', fields)).toMatchObject({ status: 'pending_dns' });
  });

  test('"By default a project is published at a subdomain of the hosting platform. A custom domain replaces it."', async () => {
    await world.project('replaced');
    const before = await world.done('projects.show', { id: 'replaced' });
    expect(before.address).toBe(before.defaultAddress);
    await world.project('replaced', 'www.replaced.example.com');
    expect(await world.done('projects.show', { id: 'replaced' })).toMatchObject({
      address: 'https://www.replaced.example.com',
    });
  });
});

describe('the records', () => {
  test('"For a subdomain: type CNAME, name = the subdomain label, value = {platform_host} (as shown in the dashboard), TTL 3600."', async () => {
    const fields = await world.added('cname');
    const { target } = await claimOf(fields.domain);
    expect((await shown(fields)).records[0]).toMatchObject({
      type: 'CNAME',
      name: fields.domain,
      value: target,
      ttl: 3600,
    });
  });

  test('"For an apex domain (no subdomain) an ALIAS or ANAME record is used instead; not every DNS provider supports these."', async () => {
    await world.project('apex');
    const added = await world.done('domains.add', { project: 'apex', domain: 'apex-zoo.com' });
    expect(added.records).toMatchObject([
      { type: 'ALIAS', name: 'apex-zoo.com', ttl: 3600 },
      { type: 'TXT', name: `${CHALLENGE_LABEL}.apex-zoo.com` },
      { purpose: 'certificate' },
    ]);
    expect(added.notes.join('\n')).toContain('Not every DNS provider has ALIAS or ANAME records.');
  });
});

describe('the verification', () => {
  test('"After verification succeeds, an SSL certificate is issued automatically […]. The domain is then live."', async () => {
    const { fields, step, target } = await verifying('procedure');
    const { checkDns, checkCertificate } = world.parts.verification;
    world.zone = { [`${fields.domain} CNAME`]: [target] };
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION' };
    expect(await checkDns(step)).toMatchObject({ outcome: 'done' });
    expect(await shown(fields)).toMatchObject({ status: 'issuing' });
    expect(await checkCertificate(step)).toMatchObject({ outcome: 'waiting' });
    world.certificate = { ...world.certificate, status: 'ISSUED' };
    expect(await checkCertificate(step)).toMatchObject({ outcome: 'done' });
    expect(await world.parts.attachment.attach(step)).toMatchObject({ outcome: 'done' });
    expect(await shown(fields)).toMatchObject({ status: 'live', role: 'primary' });
  });

  test('"Can take up to 48 hours; most changes resolve within minutes."', async () => {
    const { fields, step } = await verifying('propagation');
    const { checkDns } = world.parts.verification;
    world.zone = {};
    expect(await checkDns(step)).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
    world.nowMs += 48 * HOUR;
    expect(await checkDns(step)).toMatchObject({ outcome: 'waiting' });
    world.nowMs += MINUTE;
    expect(await checkDns(step)).toMatchObject({ outcome: 'failed' });
    expect(await shown(fields)).toMatchObject({ status: 'failed' });
  });
});

describe('several domains', () => {
  test('"one primary and a list of redirects. Each redirect has `from` (domain), `to` (domain) and `status` (HTTP redirect status, 301 in the example shape)."', async () => {
    const [www, apex] = ['www.several.example.com', 'several.example.com'];
    await world.project('several', www, apex);
    await world.done('domains.redirect', { project: 'several', domain: apex, to: www });
    expect(await world.done('projects.show', { id: 'several' })).toMatchObject({
      primary: www,
      redirects: [{ from: apex, to: www, status: 301 }],
    });
  });

  test('"Traffic stops being served immediately; a redirect should be set up first if the URL was shared."', async () => {
    const domain = 'www.removal.example.com';
    await world.project('removal', domain);
    const removed = await world.done('domains.remove', { project: 'removal', domain });
    expect(world.mapped.has(domain)).toBe(false);
    expect(removed.notes.join('\n')).toContain('Where a URL was shared, redirect the domain');
  });
});

describe('the troubleshooting rules', () => {
  test.each([
    [
      '"Verification fails when a conflicting DNS record exists for the same subdomain (an existing A record blocks the CNAME)"',
      'conflict',
      (name: string) => ({ [`${name} A`]: ['192.0.2.1'] }),
    ],
    [
      '"or when the CNAME value differs from the one shown in the dashboard."',
      'mismatch',
      (name: string) => ({ [`${name} CNAME`]: ['elsewhere.example'] }),
    ],
  ])('1: %s', async (_, state, zone) => {
    const { fields, step } = await verifying(`rule-${state}`);
    world.zone = zone(fields.domain);
    await world.parts.verification.checkDns(step);
    expect(await shown(fields)).toMatchObject({
      reason: `traffic_record_${state}`,
      message: expect.stringMatching(/^Verification fails:/),
    });
  });

  test('2: "If the certificate is not provisioned after 30 minutes: […] choose Re-verify to trigger a new attempt."', async () => {
    const { fields, step, target } = await verifying('rule-delay');
    const before = await claimOf(fields.domain);
    const certificate = certified({ status: 'PENDING_VALIDATION' });
    const [{ name, value } = { name: '', value: '' }] = certificate.validations;
    await world.domains.save(
      nextRevision({ ...before, status: 'issuing', phase: 'certificate', certificate }),
    );
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION' };
    world.zone = { [`${fields.domain} CNAME`]: [target], [`${name} CNAME`]: [value] };
    world.nowMs += 31 * MINUTE;
    await world.parts.verification.checkCertificate(step);
    expect(await shown(fields)).toMatchObject({
      reason: 'certificate_delayed',
      message: expect.stringContaining('Verify again to trigger a new attempt.'),
    });
    await world.done('domains.verify', fields);
    expect((await claimOf(fields.domain)).attempt).toBe(step.attempt + 1);
  });

  test('2: "check that no CAA record blocks the certificate authority"', async () => {
    const { fields, step, target } = await verifying('rule-caa');
    const before = await claimOf(fields.domain);
    await world.domains.save(nextRevision({ ...before, status: 'issuing', phase: 'certificate' }));
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION' };
    world.zone = {
      [`${fields.domain} CNAME`]: [target],
      'rule-caa.example.com CAA': ['0 issue "letsencrypt.org"'],
    };
    await world.parts.verification.checkCertificate(step);
    expect(await shown(fields)).toMatchObject({ reason: 'caa_blocked' });
  });

  test('3: "A browser warning about a private connection means the certificate is not yet provisioned or an old certificate is cached"', async () => {
    const { fields } = await verifying('rule-browser');
    const before = await claimOf(fields.domain);
    await world.domains.save(nextRevision({ ...before, status: 'issuing', phase: 'certificate' }));
    const next = (await shown(fields)).next.join('\n');
    expect(next).toContain('browsers warn that the connection is not private');
    expect(next).toContain('try again in a few minutes in a fresh session');
  });

  test('4: "Redirect problems can come from cached redirect chains; check the served response headers directly."', async () => {
    const [www, apex] = ['www.rule-chain.example.com', 'rule-chain.example.com'];
    await world.project('rule-chain', www, apex);
    await world.done('domains.redirect', { project: 'rule-chain', domain: apex, to: www });
    expect((await shown({ project: 'rule-chain', domain: apex })).next).toEqual([
      `Browsers remember redirects. See what is really served with: curl -sI https://${apex}`,
    ]);
  });
});
