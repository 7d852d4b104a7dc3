import { expect, test } from 'vitest';
import { timelineOf } from '../../../../infra/dashboard/page/timeline.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { MINUTE } from '../../../shared/domains/steps/flow-world.ts';
import { operatingDomains } from '../../../shared/operator/operating-domains.ts';
import { ADDED, FAILED, ISSUING, LIVE, VERIFYING } from '../../cli/domains/domain-fixture.ts';

const states = (report: DomainReport) => timelineOf(report).map(({ state }) => state);

/** A domain that came so far: live but for its last milestone, or its last two. */
const ATTACHED = { ...LIVE.milestones, liveAt: null };
const ISSUED = { ...ATTACHED, attachedAt: null };

test('names the way from added to live', () => {
  expect(timelineOf(ADDED).map(({ title }) => title)).toEqual([
    'Added',
    'DNS seen',
    'Certificate issued',
    'Attached',
    'Answers over HTTPS',
  ]);
});

test('a domain that was added waits for the records of its owner', () => {
  expect(states(ADDED)).toEqual(['done', 'waiting', 'todo', 'todo', 'todo']);
  expect(states(VERIFYING)).toEqual(['done', 'waiting', 'todo', 'todo', 'todo']);
});

test('a domain whose records are seen waits for its certificate', () => {
  expect(states(ISSUING)).toEqual(['done', 'done', 'current', 'todo', 'todo']);
});

test('a domain whose certificate is issued is being attached', () => {
  expect(states({ ...ISSUING, milestones: ISSUED })).toEqual(['done', 'done', 'done', 'current', 'todo']);
});

test('an apex that is attached waits for the record of its traffic', () => {
  expect(states({ ...VERIFYING, milestones: ATTACHED })).toEqual(['done', 'done', 'done', 'done', 'waiting']);
});

test('a domain that does not answer over HTTPS yet is attached', () => {
  const reason = 'https_unreachable' as const;
  const report = { ...ISSUING, reason, milestones: ATTACHED };
  expect(states(report)).toEqual(['done', 'done', 'done', 'done', 'current']);
});

test('a live domain has done everything', () => {
  expect(states(LIVE)).toEqual(['done', 'done', 'done', 'done', 'done']);
});

test('a failed verification shows where it failed', () => {
  expect(states(FAILED)).toEqual(['done', 'blocked', 'todo', 'todo', 'todo']);
});

test('a domain that went live has done everything, also where times in between are not known', () => {
  const milestones = { ...LIVE.milestones, issuedAt: null, attachedAt: null };
  for (const status of ['live', 'removing'] as const) {
    const steps = timelineOf({ ...LIVE, status, milestones });
    expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(steps[3]?.at).toBe(null);
  }
});

test('an environment of an earlier version tells no times', () => {
  const { milestones, ...earlier } = LIVE;
  expect(timelineOf(earlier as DomainReport)).toEqual([]);
});

test('the times are those that the service itself writes', async () => {
  const world = await operatingDomains();
  const minuteLater = () => {
    world.nowMs += MINUTE;
    return new Date(world.nowMs).toISOString();
  };
  const fields = await world.added('timeline');
  const { target, createdAt } = await world.claimOf(fields.domain);
  minuteLater();
  await world.done('domains.verify', fields);
  const step = { ...fields, attempt: (await world.claimOf(fields.domain)).attempt };
  world.zone = { [`${fields.domain} CNAME`]: [target] };
  const seenAt = minuteLater();
  await world.parts.verification.checkDns(step);
  const issuedAt = minuteLater();
  await world.parts.verification.checkCertificate(step);
  const liveAt = minuteLater();
  await world.parts.attachment.attach(step);
  const report = await world.done('domains.show', fields);
  expect(timelineOf(report).map(({ at }) => at)).toEqual([createdAt, seenAt, issuedAt, liveAt, liveAt]);
});
