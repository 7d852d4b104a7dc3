import { expect, test } from 'vitest';
import { caaDecision } from '../../../../infra/local/acm/caa.ts';
import type { CaaRecord } from '../../../../infra/local/acm/lookup.ts';
import { FakeLookup, issue } from './fake-lookup.ts';

const decide = (records: Readonly<Record<string, readonly CaaRecord[]>>, name = 'www.zoo.example') => {
  const lookup = new FakeLookup();
  for (const [owner, set] of Object.entries(records)) lookup.caas.set(owner, set);
  return caaDecision(name, lookup);
};

test('allowed: no records up to the root', async () => {
  expect(await decide({})).toBe('allowed');
});

test.each(['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com', ' Amazon.com ; account=1'])(
  'allowed: issue %s',
  async value => {
    expect(await decide({ 'zoo.example': [issue('other.example'), issue(value)] })).toBe('allowed');
  },
);

test.each([';', 'other.example', 'amazon.com.example', ''])('forbidden: issue %s', async value => {
  expect(await decide({ 'zoo.example': [issue(value)] })).toBe('forbidden');
});

test('the nearest set of records decides', async () => {
  const far = [issue('other.example')];
  expect(await decide({ 'www.zoo.example': [issue('amazon.com')], 'zoo.example': far })).toBe('allowed');
  expect(await decide({ 'www.zoo.example': far, 'zoo.example': [issue('amazon.com')] })).toBe('forbidden');
});

test('allowed: a set with iodef only does not restrict', async () => {
  const iodef = { flags: 0, tag: 'iodef', value: 'mailto:keeper@zoo.example' };
  expect(await decide({ 'zoo.example': [iodef] })).toBe('allowed');
});

test('forbidden: an unknown critical tag; allowed: an unknown tag that is not critical', async () => {
  const unknown = { flags: 128, tag: 'tbs', value: 'Unknown' };
  expect(await decide({ 'zoo.example': [issue('amazon.com'), unknown] })).toBe('forbidden');
  expect(await decide({ 'zoo.example': [issue('amazon.com'), { ...unknown, flags: 0 }] })).toBe('allowed');
});

test('issuewild replaces issue for wildcards and has no effect on other names', async () => {
  const records = {
    'zoo.example': [issue('amazon.com'), { flags: 0, tag: 'issuewild', value: 'other.example' }],
  };
  expect(await decide(records, '*.zoo.example')).toBe('forbidden');
  expect(await decide(records, 'zoo.example')).toBe('allowed');
  expect(await decide({ 'zoo.example': [issue('amazon.com')] }, '*.zoo.example')).toBe('allowed');
});

test('unknown: a lookup that fails, at the name or any parent', async () => {
  const lookup = new FakeLookup();
  lookup.failing.add('zoo.example');
  expect(await caaDecision('www.zoo.example', lookup)).toBe('unknown');
});

test('follows aliases at the name, then asks the parents of the name itself', async () => {
  const lookup = new FakeLookup();
  lookup.cnames.set('www.zoo.example', 'host.other.example');
  lookup.caas.set('host.other.example', [issue('other.example')]);
  expect(await caaDecision('www.zoo.example', lookup)).toBe('forbidden');
  lookup.caas.delete('host.other.example');
  expect(await caaDecision('www.zoo.example', lookup)).toBe('allowed');
  expect(lookup.questions).toContain('CAA zoo.example');
  expect(lookup.questions).not.toContain('CAA other.example');
});
