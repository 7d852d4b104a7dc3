import { expect, test } from 'vitest';
import { fieldsOf, sentenceOf } from '../../../infra/operator/audit-entries.ts';

const entry = (command: string, input: unknown) => ({
  requestId: 'one',
  at: '2026-01-01T12:00:00.000Z',
  by: 'unverified',
  claimedBy: 'sam',
  command,
  input,
});

test('the sentence names what was changed, and the other fields are listed beside it', () => {
  const created = entry('keys.create', {
    name: 'Acme',
    scopes: ['a', 'b'],
    expiresAt: null,
    overlapHours: 24,
    isUrgent: false,
  });
  expect(sentenceOf(created)).toBe('Created an API key for Acme');
  expect(fieldsOf(created)).toEqual([
    ['scopes', 'a, b'],
    ['overlap in hours', '24'],
  ]);
  expect(sentenceOf(entry('projects.plan', { id: 'shop', plan: 'pro' }))).toBe(
    'Changed the plan of shop to pro',
  );
  expect(sentenceOf(entry('projects.rename', { id: 'shop', name: 'Corner Shop' }))).toBe(
    'Renamed project shop to Corner Shop',
  );
  expect(sentenceOf(entry('projects.rename', { id: 'shop', name: null }))).toBe(
    'Removed the display name of project shop',
  );
});

test.each([
  [undefined, 'Recorded a successful deploy of shop'],
  ['failed', 'Recorded a failed deploy of shop'],
  ['none', 'Cleared the last deploy of shop'],
])('a deploy recorded as %s', (state, sentence) => {
  expect(sentenceOf(entry('projects.deployed', { id: 'shop', state }))).toBe(sentence);
});

test('a command of a later version is named as it is', () => {
  expect(sentenceOf(entry('pets.count', 'text'))).toBe('pets.count');
  expect(fieldsOf(entry('pets.count', 'text'))).toEqual([]);
});
