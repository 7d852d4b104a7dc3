import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DOMAIN_REASONS } from '../../../../shared/domains/life/domain-reason.ts';
import { DOMAIN_STATUSES } from '../../../../shared/domains/life/domain-status.ts';
import { NAME, REDIRECTS } from '../claimed-domain.ts';
import { oldRun } from './old-run.ts';
import type { Outcome } from './outcome.ts';
import { type Situation, situationOf, situationSeeds } from './situation.ts';
import { RIVAL, SIBLING, type Stage } from './situation-claims.ts';

/** Where situations of each stage end. */
const ENDINGS = {
  dns: [
    'verifying/dns',
    'failed/dns',
    'issuing/certificate',
    'failed/certificate',
    'issuing/attachment',
    'verifying/attachment',
    'failed/attachment',
    'ready/attachment',
    'live/live',
  ],
  certificate: [
    'issuing/certificate',
    'failed/certificate',
    'issuing/attachment',
    'verifying/attachment',
    'failed/attachment',
    'ready/attachment',
    'live/live',
  ],
  attachment: [
    'issuing/attachment',
    'verifying/attachment',
    'failed/attachment',
    'ready/attachment',
    'live/live',
  ],
  pointing: ['verifying/attachment', 'failed/attachment', 'ready/attachment', 'live/live'],
  failed: ['failed/dns', 'failed/certificate', 'failed/attachment'],
  removing: ['removing/removal', 'stalled/removal', 'gone'],
  stalled: ['stalled/removal'],
  unverified: ['pending_dns/dns'],
} as const satisfies Record<Stage, readonly string[]>;

/** The reasons that no step leaves. */
const NEVER_LEFT = [
  // A text can stand beside any other record.
  'ownership_record_conflict',
  // One that is late is delayed, or waits for a record.
  'certificate_timeout',
  // The domain is verified again at once.
  'domain_name_gone',
  'domain_name_recertified',
  // Whoever watches over the executions writes it.
  'internal_error',
  // These are found at domains that are ready or live for some time.
  'host_record_changed',
  'mapping_changed',
  'not_switched',
];

/** What has to happen in some of the situations. */
const HAPPENINGS: Readonly<Record<string, (situation: Situation, outcome: Outcome) => boolean>> = {
  'a name is taken over': ({ owner }, outcome) => owner === RIVAL.project && outcome.owner !== owner,
  'the owner of a name is told of a takeover': ({ rival }, outcome) =>
    !rival?.takeover && outcome.rival?.takeover !== undefined,
  'a notice is withdrawn': ({ rival }, outcome) =>
    rival?.takeover !== undefined && outcome.rival?.takeover === undefined,
  'a name goes from a subdomain to an apex, or back': ({ claim }, outcome) =>
    outcome.claim !== null && outcome.claim.kind !== claim.kind,
  'a certificate is requested': (_, { aws }) => aws.requested > 0,
  'a certificate is deleted': (_, { aws }) => aws.deleted > 0,
  'a certificate was renewed': (_, { claim }) => claim?.certificate.formerSerial === 'aa:01',
  'a change waits for its slot': (_, { claim }) => claim !== null && claim.slotAt !== null,
  'a mapping leads to the API of redirects': ({ gateway }, { aws }) =>
    gateway.routes[NAME]?.apiId !== REDIRECTS.apiId && aws.routes[NAME]?.apiId === REDIRECTS.apiId,
  'another domain is mapped otherwise': (_, { calls }) =>
    calls.some(call => call.startsWith(`route ${SIBLING.domain}`)),
  'the visitors of a domain get elsewhere from now on': ({ projects }, { routing }) =>
    !projects.some(project => project.awayDomains?.includes(NAME)) &&
    Object.values(routing).some(({ awayDomains }) => awayDomains?.includes(NAME)),
  'a domain is live behind a proxy': (_, { claim }) => claim?.status === 'live' && claim.isProxied === true,
  'a quota is used up': (_, { claim }) => claim?.quota !== undefined,
  ...Object.fromEntries(
    [
      'attach',
      'recertify',
      'route',
      'unroute',
      'detach',
      'point',
      'remove',
      'create CNAME',
      'create TXT',
      'create A',
      'delete CNAME',
      'delete TXT',
      'delete A',
    ].map(call => [
      `call: ${call}`,
      (_: Situation, { calls }: Outcome) => calls.some(each => each.startsWith(call)),
    ]),
  ),
  ...Object.fromEntries(
    [
      '(FrontBusy)',
      '(FrontRefused)',
      '(FrontTaken)',
      '(FrontFull)',
      '(AttachedByOthers)',
      '(ApiUnknown)',
    ].map(error => [
      `call refused: ${error}`,
      (_: Situation, { calls }: Outcome) => calls.some(each => each.endsWith(error)),
    ]),
  ),
  ...Object.fromEntries(
    ['live', 'ready', 'needs attention', 'failed', 'taken over', 'removed'].map(type => [
      `event: ${type}`,
      (_: Situation, { events }: Outcome) => events.some(event => event.startsWith(`${type}:`)),
    ]),
  ),
};

// Steps log what needs attention.
beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const [FIRST_SEED = 1, ...MORE_SEEDS] = situationSeeds();

test.each([FIRST_SEED, FIRST_SEED + 1, FIRST_SEED + 2, FIRST_SEED + 3])(
  'the situation of seed %s and what becomes of it are the same each time, also when it was written down',
  async seed => {
    const written: Situation = JSON.parse(JSON.stringify(situationOf(seed)));
    expect(written).toEqual(situationOf(seed));
    expect(await oldRun(written)).toEqual(await oldRun(situationOf(seed)));
    expect(situationOf(seed + 4)).not.toEqual(written);
  },
);

describe('over many situations the steps and checks of today', () => {
  const endings = new Map<Stage, Set<string>>();
  const reasons = new Set<string>();
  const statuses = new Set<string>();
  const happened = new Set<string>();

  /** Notes what was reached, where the outcome differs from what was there before. */
  const note = (situation: Situation, outcome: Outcome) => {
    const { stage, claim, rival } = situation;
    const end = outcome.claim ? `${outcome.claim.status}/${outcome.claim.phase}` : 'gone';
    endings.set(stage, (endings.get(stage) ?? new Set()).add(end));
    if (outcome.claim) statuses.add(outcome.claim.status);
    for (const [before, after] of [
      [claim, outcome.claim],
      [rival, outcome.rival],
    ] as const) {
      // One that was told of a takeover gets back whatever reason it had.
      const isNew = after && before && !before.takeover && after.reason !== before.reason;
      if (isNew && after.reason !== null) reasons.add(after.reason);
    }
    for (const [what, isSo] of Object.entries(HAPPENINGS)) {
      if (!happened.has(what) && isSo(situation, outcome)) happened.add(what);
    }
  };

  beforeAll(async () => {
    for (const seed of [FIRST_SEED, ...MORE_SEEDS]) {
      const situation = situationOf(seed);
      note(situation, await oldRun(situation));
    }
  });

  test.each(Object.entries(ENDINGS))(
    'take a domain from the stage %s to each of its ends',
    (stage, expected) => {
      expect([...(endings.get(stage as Stage) ?? [])]).toEqual(expect.arrayContaining([...expected]));
    },
  );

  test('reach every status', () => {
    expect([...statuses].toSorted()).toEqual([...DOMAIN_STATUSES].toSorted());
  });

  test('reach every reason that they can leave, and no other', () => {
    const expected = DOMAIN_REASONS.filter(reason => !NEVER_LEFT.includes(reason));
    expect([...reasons].toSorted()).toEqual(expected.toSorted());
  });

  test.each(Object.keys(HAPPENINGS))('%s', what => {
    expect(happened).toContain(what);
  });
});
