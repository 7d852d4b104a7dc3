import { expect, test } from 'vitest';
import { timelineOf } from '../../../../infra/dashboard/page/timeline.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { MINUTE } from '../../../shared/domains/steps/flow-world.ts';
import { operatingDomains } from '../../../shared/operator/operating-domains.ts';
import { ADDED, FAILED, ISSUING, LIVE, VERIFYING } from '../../cli/domains/domain-fixture.ts';

const states = (report: DomainReport) => timelineOf(report).map(({ state }) => state);

const DEADLINES = { dns: '2026-01-03T12:00:00.000Z', certificate: '2026-01-04T12:00:00.000Z', claim: null };
const ISSUED = { ...ISSUING.certificate, status: 'ISSUED' };

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
  expect(states({ ...ISSUING, deadlines: DEADLINES })).toEqual(['done', 'done', 'current', 'todo', 'todo']);
});

test('a domain whose certificate is issued is being attached', () => {
  const report = { ...ISSUING, deadlines: DEADLINES, certificate: ISSUED };
  expect(states(report)).toEqual(['done', 'done', 'done', 'current', 'todo']);
});

test('an apex that is attached waits for the record of its traffic', () => {
  const report = { ...VERIFYING, deadlines: DEADLINES, certificate: ISSUED };
  expect(states(report)).toEqual(['done', 'done', 'done', 'done', 'waiting']);
});

test('a domain that does not answer over HTTPS yet is attached', () => {
  const reason = 'https_unreachable' as const;
  const report = { ...ISSUING, reason, deadlines: DEADLINES, certificate: ISSUED };
  expect(states(report)).toEqual(['done', 'done', 'done', 'done', 'current']);
});

test('a live domain has done everything', () => {
  expect(states(LIVE)).toEqual(['done', 'done', 'done', 'done', 'done']);
});

test('a failed verification shows where it failed', () => {
  expect(states(FAILED)).toEqual(['done', 'blocked', 'todo', 'todo', 'todo']);
});

test('times are those of the latest attempt', () => {
  const at = (minute: number) => `2026-01-01T12:0${minute}:00.000Z`;
  const history = [
    { at: at(0), what: 'pending_dns: added' },
    { at: at(1), what: 'verifying: Looking for the records.' },
    { at: at(2), what: 'issuing: The domain is verified.' },
    { at: at(3), what: 'verifying: Looking for the records.' },
    { at: at(4), what: 'issuing: The domain is verified.' },
    { at: at(5), what: 'issuing: The certificate is issued.' },
    { at: at(6), what: 'live: https://www.example.com is live.' },
  ];
  expect(timelineOf({ ...LIVE, history }).map(step => step.at)).toEqual([at(0), at(4), at(5), at(6), at(6)]);
});

test.each([
  ['answers over HTTPS only later', 'issuing: https://www.example.com does not answer: No route.'],
  ['waits for the record of its traffic', 'verifying: www.example.com does not point here.'],
])('a domain that %s was attached then', (_, what) => {
  const at = (minute: number) => `2026-01-01T12:0${minute}:00.000Z`;
  const history = [
    { at: at(1), what: 'verifying: Looking for the records.' },
    { at: at(2), what: 'issuing: The domain is verified.' },
    { at: at(3), what: 'issuing: The certificate is issued.' },
    { at: at(4), what: 'issuing: API Gateway rejects the domain name: no.' },
    { at: at(5), what },
    { at: at(6), what: 'live: https://www.example.com is live.' },
  ];
  expect(timelineOf({ ...LIVE, history })[3]).toEqual({ title: 'Attached', state: 'done', at: at(5) });
});

test('the times are found in what the service itself writes into the history', async () => {
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
