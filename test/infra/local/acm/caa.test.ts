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

test('the nearest set decides', async () => {
  const far = [issue('other.example')];
  expect(await decide({ 'www.zoo.example': [issue('amazon.com')], 'zoo.example': far })).toBe('allowed');
  expect(await decide({ 'www.zoo.example': far, 'zoo.example': [issue('amazon.com')] })).toBe('forbidden');
});

test('allowed: a set with iodef only does not restrict', async () => {
  const iodef = { flags: 0, tag: 'iodef', value: 'mailto:keeper@zoo.example' };
  expect(await decide({ 'zoo.example': [iodef] })).toBe('allowed');
});

test('forbidden: a critical tag that is not known; allowed if it is not critical', async () => {
  const unknown = { flags: 128, tag: 'tbs', value: 'Unknown' };
  expect(await decide({ 'zoo.example': [issue('amazon.com'), unknown] })).toBe('forbidden');
  expect(await decide({ 'zoo.example': [issue('amazon.com'), { ...unknown, flags: 0 }] })).toBe('allowed');
});

test('issuewild counts for wildcards only, and there in place of issue', async () => {
  const records = {
    'zoo.example': [issue('amazon.com'), { flags: 0, tag: 'issuewild', value: 'other.example' }],
  };
  expect(await decide(records, '*.zoo.example')).toBe('forbidden');
  expect(await decide(records, 'zoo.example')).toBe('allowed');
  expect(await decide({ 'zoo.example': [issue('amazon.com')] }, '*.zoo.example')).toBe('allowed');
});

test('unknown: a look-up that fails, however far up', async () => {
  const lookup = new FakeLookup();
  lookup.failing.add('zoo.example');
  expect(await caaDecision('www.zoo.example', lookup)).toBe('unknown');
});

test('aliases are followed at the name, its own parents are asked after that', async () => {
  const lookup = new FakeLookup();
  lookup.cnames.set('www.zoo.example', 'host.other.example');
  lookup.caas.set('host.other.example', [issue('other.example')]);
  expect(await caaDecision('www.zoo.example', lookup)).toBe('forbidden');
  lookup.caas.delete('host.other.example');
  expect(await caaDecision('www.zoo.example', lookup)).toBe('allowed');
  expect(lookup.questions).toContain('CAA zoo.example');
  expect(lookup.questions).not.toContain('CAA other.example');
});
