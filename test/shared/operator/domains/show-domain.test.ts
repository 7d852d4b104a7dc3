import { beforeEach, describe, expect, test } from 'vitest';
import { pageOf } from '../../../../shared/operator/command.ts';
import type { DomainRecord } from '../../../../shared/operator/contract.ts';
import { certified, HOUR, MINUTE, VALIDATION } from '../../domains/claimed-domain.ts';
import { refusal } from '../operating.ts';
import { operatingDomains } from './operating-domains.ts';

const world = await operatingDomains();
beforeEach(() => world.reset());

const found = (name: string) => world.claimOf(name);

describe('domains.show', () => {
  test('shows the record, and asks AWS nothing', async () => {
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

  test('has the validation record as soon as ACM names it, and stores nothing', async () => {
    await world.project('named');
    const fields = { project: 'named', domain: 'www.named.example.com' };
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION', validations: [] };
    expect((await world.done('domains.add', fields)).records).toHaveLength(1);
    const before = await found(fields.domain);
    expect((await world.done('domains.show', fields)).records).toHaveLength(1);
    world.certificate = { ...world.certificate, validations: [VALIDATION] };
    expect((await world.done('domains.show', fields)).records).toMatchObject([{}, VALIDATION]);
    expect(await found(fields.domain)).toEqual(before);
  });

  test('says what has not begun, and changes nothing', async () => {
    const certificate = certified({ arn: null, status: null, validations: [] });
    const fields = await world.added('never-begun', { certificate });
    const before = await found(fields.domain);
    world.nowMs += 4 * MINUTE;
    const { next } = await world.done('domains.show', fields);
    expect(next[0]).toMatch(/^Its certificate hasn't been requested yet/);
    expect([await found(fields.domain), world.calls]).toEqual([before, []]);
  });
});

describe('domains.look', () => {
  test('looks at a live domain at which nobody has looked for over an hour, and at no other', async () => {
    await world.project('looked', 'www.looked.example.com');
    const fields = { project: 'looked', domain: 'www.looked.example.com' };
    Object.assign(world, { zone: {}, reached: { kind: 'unreachable', why: 'The connection was refused.' } });
    world.nowMs += HOUR;
    expect(await world.done('domains.look', fields)).toMatchObject({ reason: null });
    expect(world.calls).toEqual([]);
    world.nowMs += 1;
    const before = await world.done('domains.show', fields);
    expect(before).toMatchObject({ reason: null, isLookOverdue: true });
    const after = await world.done('domains.look', fields);
    const lookedAt = new Date(world.nowMs).toISOString();
    expect(after).toMatchObject({ status: 'live', reason: 'traffic_record_missing', lookedAt });
    expect(after).not.toHaveProperty('isLookOverdue');
    expect(await world.done('domains.show', fields)).toEqual(after);
  });
});

describe('domains.look at a domain that waits for records', () => {
  const VALIDATED = { [`${VALIDATION.name} CNAME`]: [VALIDATION.value] };

  /** What a look sees, and that it has changed nothing. */
  async function look(fields: { project: string; domain: string }) {
    const before = [await world.domains.all(), await world.audit.list(100)];
    world.calls.length = 0;
    const report = await world.done('domains.look', fields);
    expect([[await world.domains.all(), await world.audit.list(100)], world.calls]).toEqual([before, []]);
    const states = report.records.map(({ state, isChecked }: DomainRecord) =>
      isChecked ? state : 'not found',
    );
    return { ...report, states };
  }

  test('shows the records that are there before the first check, and what is wrong with others', async () => {
    const fields = await world.added('awaited', { certificate: certified({ status: 'PENDING_VALIDATION' }) });
    const traffic = { [`${fields.domain} CNAME`]: [(await found(fields.domain)).target] };
    world.zone = {};
    expect(await look(fields)).toMatchObject({ status: 'pending_dns', states: ['not found', 'not found'] });
    world.zone = { ...VALIDATED, [`${fields.domain} A`]: ['192.0.2.1'] };
    expect((await look(fields)).states).toEqual(['conflict', 'ok']);
    world.zone = traffic;
    expect((await look(fields)).states).toEqual(['ok', 'not found']);
    world.zone = { ...traffic, ...VALIDATED };
    const lookedAt = new Date(world.nowMs).toISOString();
    expect(await look(fields)).toMatchObject({
      states: ['ok', 'ok'],
      message: 'The records are there.',
      checkedAt: null,
      lookedAt,
    });
    expect(await world.done('domains.show', fields)).toMatchObject({ records: [{ isChecked: false }, {}] });
  });

  test('shows of a domain that was checked what was created since, and the trouble that is left', async () => {
    await world.project('created', 'www.created.example.com');
    const fields = { project: 'created', domain: 'www.created.example.com' };
    const traffic = { [`${fields.domain} CNAME`]: [(await found(fields.domain)).target] };
    Object.assign(world, { zone: {}, reached: { kind: 'unreachable', why: 'The connection was refused.' } });
    await world.done('domains.verify', fields);
    expect(await look(fields)).toMatchObject({
      states: ['missing', 'missing'],
      reason: 'traffic_record_missing',
    });
    world.zone = traffic;
    const seen = await look(fields);
    expect(seen).toMatchObject({
      status: 'live',
      states: ['ok', 'missing'],
      reason: 'traffic_record_missing',
    });
    expect(seen.message).toBe('The records are there.');
  });

  test('asks nothing about a domain whose records the service creates itself', async () => {
    const managed = {
      zoneId: 'Z1',
      type: 'CNAME',
      name: 'www.own-zone.example.com',
      value: 'x',
      ttl: 60,
      aliasZoneId: null,
    } as const;
    const fields = await world.added('own-zone', { managed: [managed] });
    world.zone = { [`${fields.domain} CNAME`]: [(await found(fields.domain)).target] };
    expect((await look(fields)).states[0]).toBe('not found');
  });
});

describe('domains.check', () => {
  const checked = (project: string, domain: string) => world.done('domains.check', { project, domain });

  test('looks at a name, and writes and asks for nothing', async () => {
    await world.project('looking');
    world.zone = {};
    world.delegation = { zone: 'looking-zoo.com', nameServers: ['ns1.looking-zoo.com'] };
    const before = await world.domains.all();
    expect(await checked('looking', 'looking-zoo.com')).toMatchObject({
      isRegistered: true,
      refusal: null,
      suggestion: { domain: 'looking-zoo.com', withWww: true, switchLater: false },
    });
    expect([await world.domains.all(), world.calls]).toEqual([before, []]);
    await world.done('domains.add', { project: 'looking', domain: 'looking-zoo.com' });
    expect(await checked('looking', 'looking-zoo.com')).toMatchObject({ isPresent: true, suggestion: null });
  });

  test('says that another project has the name, and not which one', async () => {
    await world.project('secret-owner', 'www.had.example.com');
    await world.project('asker');
    world.zone = { 'www.had.example.com CNAME': [(await found('www.had.example.com')).target] };
    const look = await checked('asker', 'www.had.example.com');
    expect(look).toMatchObject({ refusal: { reason: 'domain_taken' }, suggestion: null });
    expect(JSON.stringify(look)).not.toContain('secret-owner');
  });

  test('says what the project lacks', async () => {
    await world.done('projects.create', { id: 'unpaid' });
    expect(await checked('unpaid', 'www.unpaid.example.com')).toMatchObject({
      refusal: { reason: 'plan_required' },
    });
  });

  test.each([['co.uk'], ['not a name'], ['192.0.2.1'], ['shop.apps.petstore.example']])(
    '400: %s cannot be added',
    async domain => {
      const reply = await world.ask('domains.check', { project: 'asker', domain });
      const reason = domain.includes(' ') ? 'input_invalid' : 'domain_invalid';
      expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_request', reason } });
    },
  );
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

test('domains.summary has the domains of all projects by name, in pages', async () => {
  await world.project('one', 'summary-a.example.com', 'summary-c.example.com');
  await world.project('two', 'summary-b.example.com');
  const ofTest = async (page: object) => {
    const { domains, next } = await world.done('domains.summary', page);
    const isOfTest = ({ domain }: { domain: string }) => domain.startsWith('summary-');
    return { domains: domains.filter(isOfTest), next };
  };
  const { domains } = await ofTest({});
  expect(domains).toMatchObject([
    { project: 'one', domain: 'summary-a.example.com', status: 'live', role: 'primary' },
    { project: 'two', domain: 'summary-b.example.com', role: 'primary' },
    { project: 'one', domain: 'summary-c.example.com', role: 'also_serves' },
  ]);
  const after = 'summary-a.example.com one';
  expect(await ofTest({ after, limit: 1 })).toEqual({
    domains: [domains[1]],
    next: 'summary-b.example.com two',
  });
});

test('a page ends before its limit where Lambda would refuse the response', () => {
  const all = Array.from({ length: 5 }, (_, index) => ({ id: String(index), text: 'ü'.repeat(1_000_000) }));
  const page = (limit: number | undefined, after?: string) => {
    const { entries, next } = pageOf(all, ({ id }) => id, { after, limit });
    return [entries.map(({ id }) => id).join(''), next];
  };
  expect(page(5)).toEqual(['01', '1']);
  expect(page(5, '1')).toEqual(['23', '3']);
  expect(page(5, '3')).toEqual(['4', null]);
  expect(page(undefined)).toEqual(['01234', null]);
});

test.each([
  ['domains.verify', {}],
  ['domains.show', {}],
  ['domains.remove', {}],
  ['domains.primary', {}],
  ['domains.redirect', { to: 'a.example.com' }],
  ['domains.unredirect', {}],
])(
  'not_found: %s with an unknown project, an unknown domain, or a domain of another project',
  async (command, more) => {
    const id = command.replace('.', '-');
    await world.project(id);
    await world.project(`${id}-other`, `www.${id}.example.com`);
    expect(await world.ask(command, { project: 'nowhere', domain: 'www.example.com', ...more })).toEqual(
      refusal('not_found', "Project nowhere doesn't exist.", 'project_unknown'),
    );
    for (const domain of ['nothing.example.com', `www.${id}.example.com`]) {
      expect(await world.ask(command, { project: id, domain, ...more })).toEqual(
        refusal('not_found', `${domain} isn't in project ${id}.`, 'domain_unknown'),
      );
    }
    expect(await found(`www.${id}.example.com`)).toMatchObject({ status: 'live', attempt: 2 });
    expect(world.calls).toEqual([]);
  },
);

test.each([
  ['domains.list', {}],
  ['domains.add', { domain: 'www.example.com' }],
])('not_found: %s with an unknown project', async (command, more) => {
  expect(await world.ask(command, { project: 'nowhere', ...more })).toEqual(
    refusal('not_found', "Project nowhere doesn't exist.", 'project_unknown'),
  );
});
