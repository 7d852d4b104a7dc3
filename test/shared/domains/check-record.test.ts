import { expect, test } from 'vitest';
import { checkRecord } from '../../../shared/domains/check-record.ts';
import type { Found, Lookup } from '../../../shared/domains/lookup.ts';
import type { WantedRecord } from '../../../shared/domains/wanted-record.ts';

const TARGET = 'label.apps.petstore.example';
const CNAME: WantedRecord = {
  purpose: 'traffic',
  type: 'CNAME',
  name: 'www.example.com',
  value: TARGET,
  ttl: 3600,
};
const ALIAS: WantedRecord = {
  purpose: 'traffic',
  type: 'ALIAS',
  name: 'example.com',
  value: TARGET,
  ttl: 3600,
};

/** Answers by `name TYPE`; `*` stands for any first label; SERVFAIL for everything when there is no zone. */
const serving =
  (zone: Record<string, string[]> | 'SERVFAIL'): Lookup =>
  async (name, type): Promise<Found> => {
    if (zone === 'SERVFAIL') return { kind: 'unknown', why: 'ESERVFAIL' };
    const values = zone[`${name} ${type}`] ?? zone[`${name.replace(/^[^.]+/, '*')} ${type}`];
    return values ? { kind: 'records', values } : { kind: 'none' };
  };

const check = (record: WantedRecord, zone: Parameters<typeof serving>[0]) =>
  checkRecord(record, 'example.com', serving(zone));

test('ok: the CNAME has the value', async () => {
  expect(await check(CNAME, { 'www.example.com CNAME': [TARGET] })).toMatchObject({
    state: 'ok',
    action: null,
  });
});

test.each([
  ['missing: not there yet', {}, 'missing', 'Create a CNAME record at www.example.com'],
  ['mismatch: another value', { 'www.example.com CNAME': ['other.example'] }, 'mismatch', `to ${TARGET}`],
  ['mismatch: a wildcard answers', { '*.example.com CNAME': ['other.example'] }, 'mismatch', 'wildcard'],
  [
    'conflict: an A record blocks it',
    { 'www.example.com A': ['192.0.2.1'] },
    'conflict',
    'Delete the A and AAAA',
  ],
  [
    'conflict: proxied',
    { 'www.example.com A': ['192.0.2.1'], 'example.com NS': ['amy.ns.cloudflare.com'] },
    'conflict',
    'DNS only',
  ],
  [
    'mismatch: the zone appended twice',
    { 'www.example.com.example.com CNAME': [TARGET] },
    'mismatch',
    'Enter www as the name',
  ],
  ['unreachable: the servers fail', 'SERVFAIL', 'unreachable', 'did not answer'],
] as const)('%s', async (_, zone, state, action) => {
  const checked = await check(CNAME, zone as Parameters<typeof serving>[0]);
  expect(checked.state).toBe(state);
  expect(checked.action).toContain(action);
});

test('ok: an ALIAS has one address in common with the target', async () => {
  const zone = { 'example.com A': ['192.0.2.1', '192.0.2.2'], [`${TARGET} A`]: ['192.0.2.2', '192.0.2.3'] };
  expect(await check(ALIAS, zone)).toMatchObject({ state: 'ok' });
  expect(await check(ALIAS, { ...zone, 'example.com A': ['192.0.2.9'] })).toMatchObject({
    state: 'mismatch',
  });
});
