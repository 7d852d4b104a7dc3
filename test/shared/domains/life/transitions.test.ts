import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Domain, DomainStatus } from '../../../../shared/domains/life/domain.ts';
import { TRANSITIONS } from '../../../../shared/domains/life/transition-table.ts';
import * as transitions from '../../../../shared/domains/life/transitions.ts';
import { AT_MS, CHALLENGE, certified, claimed, ENDPOINT, TARGET } from '../claimed-domain.ts';

const LATER_MS = AT_MS + 60_000;
const OBSTACLE = { reason: 'caa_blocked', message: 'Some message.' } as const;
const VIEW = { status: 'PENDING_VALIDATION', failure: null, renewal: null, validations: [] };
const RECORD = {
  zoneId: 'Z1',
  type: 'CNAME',
  name: 'www.zoo.example',
  value: TARGET,
  ttl: 3600,
  aliasZoneId: null,
} as const;

/** www.zoo.example has become a zone of its own. */
const ZONE = { kind: 'apex', zone: 'www.zoo.example' } as const;

/** Calls of every transition but the first and the last. */
const APPLIED: Readonly<Record<string, (domain: Domain) => Domain>> = {
  certificatePrepared: domain => transitions.certificatePrepared(domain, 'arn', VIEW),
  verificationStarted: domain => transitions.verificationStarted(domain, 'kept', LATER_MS),
  inspected: domain => transitions.inspected(domain, { ...ZONE, certificate: VIEW, records: [] }, LATER_MS),
  recordManaged: domain => transitions.recordManaged(domain, RECORD),
  managedRecordsCreated: domain => transitions.managedRecordsCreated(domain, () => true),
  retryScheduled: domain => transitions.retryScheduled(domain, 15, OBSTACLE, LATER_MS),
  phasePassed: domain => transitions.phasePassed(domain, 'certificate', 'Passed.', LATER_MS),
  certificateReplaced: domain => transitions.certificateReplaced(domain, 'another'),
  attached: domain => transitions.attached(domain, { host: 'd-1', hostedZoneId: 'Z1' }),
  dnsLeftOpen: domain => transitions.dnsLeftOpen(domain),
  wentLive: domain => transitions.wentLive(domain, LATER_MS),
  flowRestarted: domain => transitions.flowRestarted(domain),
  failed: domain => transitions.failed(domain, OBSTACLE, LATER_MS),
  rechecked: domain => transitions.rechecked(domain, OBSTACLE, LATER_MS),
  removalStarted: domain => transitions.removalStarted(domain, LATER_MS),
  removalStalled: domain => transitions.removalStalled(domain, OBSTACLE),
  takenDown: domain => transitions.takenDown(domain, LATER_MS),
};

const rowOf = (name: string) => TRANSITIONS[name as keyof typeof TRANSITIONS];

test('every row of the table but the last has a function', () => {
  expect(Object.keys(TRANSITIONS)).toEqual(['claimed', ...Object.keys(APPLIED), 'forgotten']);
});

test('claimed creates a claim that waits for DNS', () => {
  const name = {
    domain: 'www.zoo.example',
    kind: 'subdomain',
    registrable: 'zoo.example',
    zone: 'zoo.example',
  } as const;
  const claim = { project: 'zoo', target: TARGET, challenge: CHALLENGE, pointsAt: ENDPOINT };
  expect(transitions.claimed(name, claim, AT_MS)).toEqual(
    claimed({ attempt: AT_MS / 1000, revision: AT_MS }),
  );
});

describe.each(Object.keys(APPLIED))('%s', name => {
  const { from, to, changes }: { from: readonly string[]; to: string; changes: readonly string[] } =
    rowOf(name);
  const apply = APPLIED[name] as (domain: Domain) => Domain;

  test.each(DomainStatus.options)(
    'accepts the status %s, and changes fields, only as the table says',
    status => {
      const before = claimed({ status, certificate: certified(), slotAt: 'then', reason: 'internal_error' });
      if (!from.includes(status)) {
        expect(() => apply(before)).toThrow(`www.zoo.example is ${status}: ${name} cannot happen to it.`);
        return;
      }
      const after = apply(before);
      expect(after.status).toBe(to === 'same' ? status : to);
      const changed = (Object.keys(after) as (keyof Domain)[]).filter(
        field => JSON.stringify(after[field]) !== JSON.stringify(before[field]),
      );
      expect([...changes, 'history']).toEqual(expect.arrayContaining(changed));
      expect(after.revision).toBe(before.revision);
    },
  );
});

test('verificationStarted keeps the validation records of a lost certificate, and nothing else of it', () => {
  const before = claimed({ status: 'live', certificate: certified({ status: 'EXPIRED', requests: 3 }) });
  const { certificate } = transitions.verificationStarted(before, 'lost', LATER_MS);
  expect(certificate).toEqual({
    arn: null,
    status: null,
    failure: null,
    requests: 0,
    renewal: null,
    validations: before.certificate.validations,
  });
});

test('certificatePrepared and inspected keep the validation records when ACM names none', () => {
  const before = claimed({ status: 'verifying', certificate: certified() });
  const prepared = transitions.certificatePrepared(before, 'arn', VIEW);
  const seen = transitions.inspected(before, { ...ZONE, certificate: VIEW, records: [] }, LATER_MS);
  for (const { certificate } of [prepared, seen]) {
    expect(certificate).toMatchObject({
      status: 'PENDING_VALIDATION',
      validations: before.certificate.validations,
    });
  }
});

test('retryScheduled books the slot for the time of the retry, and ends an earlier slot', () => {
  const before = claimed({ status: 'issuing', slotAt: 'earlier' });
  const booked = transitions.retryScheduled(before, 31, { hasSlot: true }, AT_MS);
  expect(booked.slotAt).toBe(booked.nextCheckAt);
  expect(transitions.retryScheduled(before, 31, {}, AT_MS).slotAt).toBeNull();
});

test('the README draws the table', () => {
  const readme = readFileSync(new URL('../../../../shared/domains/README.md', import.meta.url), 'utf8');
  const [, drawing] = /```mermaid\n(stateDiagram-v2\n[^`]*)```/.exec(readme) ?? [];
  expect(drawing).toBe(stateDiagram());
});

/** The changes of status in the table, as mermaid draws them. */
function stateDiagram(): string {
  const edges = new Map<string, string[]>();
  for (const [name, { from, to }] of Object.entries(TRANSITIONS)) {
    for (const status of from as readonly string[]) {
      if (to === 'same' || to === status) continue;
      const edge = `${status === 'new' ? '[*]' : status} --> ${to === 'gone' ? '[*]' : to}`;
      edges.set(edge, [...(edges.get(edge) ?? []), name]);
    }
  }
  const lines = [...edges].map(([edge, names]) => `  ${edge}: ${names.join(', ')}\n`);
  return `stateDiagram-v2\n${lines.join('')}`;
}
