import { describe, expect, test } from 'vitest';
import {
  addressOf,
  CALM,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  validationOf,
} from '../../../infra/local/simulation.ts';
import { CLAIM_TAG } from '../../../shared/aws/ownership-tags.ts';
import { CHALLENGE_LABEL } from '../../../shared/domains/dns/required-record.ts';
import type { DomainReport } from '../../../shared/domains/report.ts';
import { beginRenewal, loseCertificate, useProxy } from '../people/incidents.ts';
import { ThirdParty } from '../people/people.ts';
import { type CalmRun, calmRun, WWW } from './calm-run.ts';

const APEX = 'zoo.com';
const ELSEWHERE = addressOf('elsewhere.test');

/** What the table of look.ts promises: by requests, and in full; the latter sooner where there is a trouble. */
const SEEN_WITHIN_MS = {
  live: { request: HOUR_MS, full: DAY_MS },
  ready: { request: 0, full: HOUR_MS },
} as const;
const CLEARED_WITHIN_MS = HOUR_MS;

/** A sweep begins every five minutes, and an execution that it wakes needs a minute. */
const SWEEP_MS = 6 * MINUTE_MS;
/** Resolvers keep answers for an hour, and the absence of records for five minutes. */
const CACHED_MS = HOUR_MS;

type Todo = DomainReport['troubles'][number]['todo'];
type Kind = keyof typeof SEEN_WITHIN_MS;

/** What becomes of a domain that is damaged. */
type Course =
  | { readonly isTold: boolean; readonly reason: string; readonly todo: Todo }
  /** By the service. Visitors may have been told of it meanwhile. */
  | { readonly isRestored: true; readonly eventReason?: string }
  | typeof NOTHING;

const NOTHING = 'means nothing';
const BY_OWNER = {
  records: { kind: 'records', by: 'owner' },
  message: { kind: 'message', by: 'owner' },
} as const;
const told = (reason: string, todo: Todo): Course => ({ isTold: true, reason, todo });
const byOwner = (reason: string, kind: keyof typeof BY_OWNER = 'records') => told(reason, BY_OWNER[kind]);
const byOperator = (reason: string) => told(reason, { kind: 'message', by: 'operator' });
const passing = (reason: string) => told(reason, null);
const restored = (eventReason?: string): Course => ({
  isRestored: true,
  ...(eventReason !== undefined && { eventReason }),
});

type Work = (run: CalmRun, domain: string) => unknown;

interface Damage {
  readonly title: string;
  readonly domain?: string;
  readonly seenBy: 'request' | 'full';
  readonly damage: Work;
  /** Absent where the service does it. */
  readonly undo?: Work;
  readonly live: Course;
  readonly ready: Course;
}

const certificates = ({ world }: CalmRun) => world.certificates.list().filter(({ tags }) => tags[CLAIM_TAG]);
const verifyAgain: Work = (run, domain) => run.ask('verify', { domain });
const setRecords: Work = (run, domain) =>
  run.people.setRecords(domain, { isPreparation: run.status(domain) === 'ready' });
const project = (changes: Record<string, unknown>) => (run: CalmRun) => {
  const projects = run.world.dynamodb.items(run.world.staging.tables.projects);
  projects.set('alpha', { ...projects.get('alpha'), ...changes });
};
const unmap: Work = (run, domain) => run.world.domainNames.map(domain, undefined);
const host = (run: CalmRun, domain: string) => {
  const { target = '' } = run.domain(domain) ?? {};
  return { zoneId: run.world.staging.platformZone.id, target };
};
const deleteValidation: Work = (run, domain) => run.world.dns.set(validationOf(domain).name, 'CNAME');
const lose =
  (status: 'REVOKED' | 'EXPIRED'): Work =>
  run => {
    for (const { arn } of certificates(run)) loseCertificate(run.world, arn, status);
  };
const deleteAddresses: Work = (run, domain) => {
  for (const type of ['A', 'AAAA'] as const) run.world.dns.set(domain, type);
  setRecords(run, domain);
};

/** What is ours at AWS. */
const OURS: readonly Damage[] = [
  { title: 'its mapping is deleted', seenBy: 'request', damage: unmap, live: restored(), ready: restored() },
  {
    title: 'its mapping is changed',
    seenBy: 'full',
    damage: (run, domain) => {
      run.world.stages.set('of-others', 'prod');
      run.world.domainNames.map(domain, { restApiId: 'of-others', stage: 'prod' });
    },
    live: restored(),
    ready: restored(),
  },
  {
    title: 'its host record is deleted',
    seenBy: 'request',
    damage(run, domain) {
      const { zoneId, target } = host(run, domain);
      run.world.route53.remove(zoneId, target, 'CNAME');
    },
    live: restored('https_unreachable'),
    ready: restored(),
  },
  {
    title: 'its host record is changed',
    seenBy: 'request',
    damage(run, domain) {
      run.world.dns.set('elsewhere.test', 'A', ELSEWHERE);
      const { zoneId, target } = host(run, domain);
      const record = run.world.route53.find(zoneId, target, 'CNAME');
      Object.assign(record ?? {}, { values: ['elsewhere.test'] });
      run.world.dns.noteChange({ name: target, type: record?.type ?? 'CNAME', before: record });
    },
    live: restored('https_unreachable'),
    ready: restored(),
  },
  {
    title: 'its domain name is deleted',
    seenBy: 'request',
    damage: (run, domain) => run.world.domainNames.remove(domain),
    live: restored('domain_name_gone'),
    ready: restored('domain_name_gone'),
  },
  {
    title: 'its domain name is deleted while the quota is used up',
    seenBy: 'request',
    damage(run, domain) {
      const { domainNames } = run.world;
      domainNames.remove(domain);
      const quota = domainNames.list().length;
      run.change({ maxDomainNames: () => quota });
    },
    undo: run => run.change({ maxDomainNames: CALM.maxDomainNames }),
    live: byOperator('attachment_refused'),
    ready: byOperator('attachment_refused'),
  },
  {
    title: 'its domain name has another certificate',
    seenBy: 'request',
    damage: (run, domain) =>
      run.world.domainNames.changeCertificate(domain, new ThirdParty(run.world).certify(domain)),
    live: restored('domain_name_recertified'),
    ready: restored('domain_name_recertified'),
  },
  {
    title: 'another team has its domain name',
    seenBy: 'request',
    damage(run, domain) {
      run.world.domainNames.remove(domain);
      new ThirdParty(run.world).occupy(domain);
    },
    undo: (run, domain) => new ThirdParty(run.world).leave(domain),
    live: byOperator('domain_name_foreign'),
    ready: byOperator('domain_name_foreign'),
  },
  {
    title: 'its certificate is revoked',
    seenBy: 'request',
    damage: lose('REVOKED'),
    undo: verifyAgain,
    live: byOwner('certificate_lost', 'message'),
    ready: byOwner('certificate_lost', 'message'),
  },
  {
    title: 'its certificate has expired',
    seenBy: 'request',
    damage: lose('EXPIRED'),
    undo: verifyAgain,
    live: byOwner('certificate_lost', 'message'),
    ready: byOwner('certificate_lost', 'message'),
  },
];

const OF_THE_PROJECT: readonly Damage[] = [
  {
    title: 'the API of its project is gone',
    seenBy: 'request',
    damage(run, domain) {
      unmap(run, domain);
      run.world.stages.delete(run.world.staging.apiOf('alpha'));
    },
    undo: ({ world: { stages, staging } }) => stages.set(staging.apiOf('alpha'), staging.name),
    live: byOperator('api_gone'),
    ready: byOperator('api_gone'),
  },
  {
    title: 'its project has no successful deploy any more',
    seenBy: 'full',
    damage: project({ deployState: 'failed', succeededAt: null }),
    undo: project({ deployState: 'succeeded', succeededAt: new Date(0).toISOString() }),
    live: NOTHING,
    ready: byOperator('deploy_required'),
  },
];

const IN_DNS: readonly Damage[] = [
  ...[
    { domain: APEX, live: byOwner('ownership_record_missing') },
    // Its CNAME record is proof enough.
    { domain: WWW, live: NOTHING } as const,
  ].map(
    (row): Damage => ({
      title: `the TXT record of ${row.domain} is deleted`,
      seenBy: 'full',
      damage: (run, domain) => run.world.dns.set(`${CHALLENGE_LABEL}.${domain}`, 'TXT'),
      undo: setRecords,
      ready: byOwner('ownership_record_missing'),
      ...row,
    }),
  ),
  {
    title: 'its traffic record is deleted',
    seenBy: 'request',
    damage: (run, domain) => run.world.dns.set(domain, 'CNAME'),
    undo: setRecords,
    live: byOwner('traffic_record_missing'),
    ready: NOTHING,
  },
  {
    title: 'its traffic is led elsewhere',
    seenBy: 'request',
    damage: (run, domain) => run.people.pointElsewhere(domain),
    undo: setRecords,
    live: byOwner('traffic_record_mismatch'),
    ready: NOTHING,
  },
  {
    title: 'another record is in the way',
    seenBy: 'request',
    damage({ world: { dns } }, domain) {
      dns.set(domain, 'CNAME');
      dns.set(domain, 'A', ELSEWHERE);
    },
    undo: deleteAddresses,
    live: byOwner('traffic_record_conflict'),
    ready: NOTHING,
  },
  {
    title: 'one address of two leads elsewhere',
    domain: APEX,
    seenBy: 'request',
    damage(run, domain) {
      const ours = run.status(domain) === 'ready' ? [addressOf(run.world.hostOf(domain) ?? '')] : [];
      run.world.dns.set(domain, 'A', ...ours, ELSEWHERE);
    },
    undo: (run, domain) =>
      run.world.dns.set(domain, 'A', ...(run.status(domain) === 'ready' ? [ELSEWHERE] : [])),
    live: byOwner('traffic_record_mismatch'),
    ready: byOwner('traffic_record_mismatch'),
  },
  {
    title: 'a proxy does not pass requests on',
    seenBy: 'request',
    damage: (run, domain) => useProxy(run.world, domain, { project: 'alpha', isPassing: false }),
    undo: deleteAddresses,
    live: byOwner('traffic_record_conflict'),
    ready: NOTHING,
  },
  {
    title: 'its validation record is deleted',
    seenBy: 'full',
    damage: deleteValidation,
    undo: setRecords,
    live: byOwner('certificate_record_missing'),
    ready: byOwner('certificate_record_missing'),
  },
  {
    title: 'its validation record is deleted while ACM renews its certificate',
    seenBy: 'full',
    damage(run, domain) {
      deleteValidation(run, domain);
      for (const { arn } of certificates(run)) beginRenewal(run.world, arn);
    },
    undo: setRecords,
    live: byOwner('renewal_action_required', 'message'),
    ready: byOwner('renewal_action_required', 'message'),
  },
  {
    title: 'a CAA record forbids its certificate',
    seenBy: 'full',
    damage: ({ world }) => world.dns.set(APEX, 'CAA', '0 issue "letsencrypt.org"'),
    undo: ({ world }) => world.dns.set(APEX, 'CAA'),
    live: byOwner('caa_blocked'),
    ready: byOwner('caa_blocked'),
  },
  ...[false, true].map(
    (isSilent): Damage => ({
      title: `the name servers ${isSilent ? "don't answer" : 'fail'}`,
      seenBy: 'request',
      damage: ({ world }) => world.dns.failFor(APEX, DAY_MS, { isSilent }),
      undo: ({ world }) => world.dns.failFor(APEX, 0),
      live: passing('traffic_record_unreachable'),
      // Nobody is sent here yet, and it's as ready as before.
      ready: NOTHING,
    }),
  ),
];

const DAMAGES = [...OURS, ...OF_THE_PROJECT, ...IN_DNS];

/** A domain of this kind, and sweeps every five minutes. */
async function calmDomain(kind: Kind, domain: string): Promise<CalmRun> {
  const run = calmRun();
  await (kind === 'live' ? run.goLive({ domain }) : run.becomeReady(domain));
  run.world.staging.sweepsAlways = true;
  await run.pass(SWEEP_MS);
  return run;
}

/** What its report and its events since the damage say. */
async function said(run: CalmRun, domain: string, eventsBefore: number) {
  const { status, reason } = run.domain(domain) ?? {};
  const reply = await run.ask('show', { domain });
  const { troubles = [], next = [] } = reply.ok ? (reply.result as DomainReport) : {};
  const isRepeated = (step: string) => next.some(other => other !== step && other.includes(step));
  expect(next.filter(isRepeated)).toEqual([]);
  await run.pass(3 * MINUTE_MS);
  const events = run.delivered().slice(eventsBefore);
  return {
    status,
    reason,
    todo: troubles[0]?.todo,
    events: events.map(({ detailType, detail }) => [detailType, detail.reason]),
  };
}

describe.each(['live', 'ready'] as const)('a %s domain', kind => {
  test.each(DAMAGES.map(row => [row.title, row] as const))('when %s', async (_, row) => {
    const { domain = WWW, seenBy, damage, undo } = row;
    const course = row[kind];
    const run = await calmDomain(kind, domain);
    const eventsBefore = run.delivered().length;
    const isInDns = IN_DNS.includes(row);
    const cachedMs = isInDns ? CACHED_MS : 0;
    const well = { status: kind, reason: null, todo: undefined };
    if (!isInDns) run.world.tampered.add(domain);
    await damage(run, domain);
    run.world.version += 1;
    await run.pass(SEEN_WITHIN_MS[kind][seenBy] + cachedMs + SWEEP_MS);

    if (course === NOTHING) {
      expect(await said(run, domain, eventsBefore)).toEqual({ ...well, events: [] });
      return;
    }
    const back = [`Domain ${kind}`, null];
    if ('isRestored' in course) {
      // Caches keep for five minutes that a host isn't there.
      await run.pass(2 * SWEEP_MS);
      const { eventReason } = course;
      const events = eventReason === undefined ? [] : [['Domain needs attention', eventReason], back];
      expect(await said(run, domain, eventsBefore)).toEqual({ ...well, events });
      const claim = run.domain(domain);
      expect(claim && run.world.staging.isInPlace(claim)).toBe(true);
      return;
    }
    const { reason, todo } = course;
    const trouble = await said(run, domain, eventsBefore);
    expect(trouble).toMatchObject({ status: kind, reason, todo });
    const isFirst = trouble.events.length === 1;
    expect([isFirst, trouble.events[0]?.[0]]).toEqual([true, 'Domain needs attention']);

    await undo?.(run, domain);
    run.world.version += 1;
    await run.pass(CLEARED_WITHIN_MS + cachedMs + SWEEP_MS);
    const end = await said(run, domain, eventsBefore);
    expect(end).toEqual({ ...well, events: [...trouble.events, back] });
    const claim = run.domain(domain);
    expect(claim && run.world.staging.isInPlace(claim)).toBe(true);
  });
});

test('of a domain one of whose addresses leads elsewhere some visitors are said to be lost', async () => {
  const run = await calmDomain('live', APEX);
  run.world.dns.set(APEX, 'A', ELSEWHERE);
  await run.pass(HOUR_MS + CACHED_MS + SWEEP_MS);
  expect(run.domain(APEX)?.message).toMatch(
    /^Some visitors of zoo\.com don't arrive here\. Delete the A record/,
  );
});
