import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Domain, DomainStatus } from '../../../../shared/domains/life/domain.ts';
import { TRANSITIONS } from '../../../../shared/domains/life/transition-table.ts';
import * as transitions from '../../../../shared/domains/life/transitions.ts';
import { AT_MS, CHALLENGE, certified, claimed, ENDPOINT, TARGET } from '../claimed-domain.ts';
import { APPLIED, LATER_MS, VIEW, ZONE } from './applied-transitions.ts';

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
  const [apply] = APPLIED[name] as [(domain: Domain) => Domain];

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
