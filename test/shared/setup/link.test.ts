import { expect, test } from 'vitest';
import { claimOfLink, isLinkLike, LINK_DAYS, linkOf, newLinkKey } from '../../../shared/setup/link.ts';
import { AT_MS, claimed, DAY, HOUR, NAME } from '../domains/claimed-domain.ts';

const claim = { ...claimed(), linkKey: newLinkKey() };
const rival = { ...claimed({ project: 'rival' }), linkKey: newLinkKey() };
const unlinked = claimed({ project: 'unlinked' });
const keyAt = (ms: number, of = claim) => linkOf(of, ms).path.split('/').at(-1) as string;
const found = (key: string, ms = AT_MS) => claimOfLink([unlinked, rival, claim], key, ms)?.project;

test('a link leads to its claim, and is the same all day', () => {
  const midnight = Math.floor(AT_MS / DAY) * DAY;
  expect(keyAt(midnight)).toBe(keyAt(midnight + DAY - 1));
  expect(keyAt(midnight)).not.toBe(keyAt(midnight + DAY));
  expect(found(keyAt(AT_MS))).toBe('zoo');
  expect(found(keyAt(AT_MS, rival))).toBe('rival');
  expect(isLinkLike(NAME, keyAt(AT_MS))).toBe(true);
});

test('programs that find links in a text find all of it', () => {
  const ends = Array.from({ length: 200 }, () => keyAt(AT_MS, { ...claim, linkKey: newLinkKey() }).at(-1));
  expect(ends.join('')).toMatch(/^[0-9a-z]+$/);
});

test('a link works until it says, and not after the secret of its claim was replaced', () => {
  const { untilMs } = linkOf(claim, AT_MS);
  expect(untilMs - AT_MS).toBeGreaterThan(LINK_DAYS * DAY);
  expect(untilMs - AT_MS).toBeLessThanOrEqual((LINK_DAYS + 1) * DAY);
  const key = keyAt(AT_MS);
  expect(found(key, untilMs - 1)).toBe('zoo');
  expect(found(key, untilMs)).toBeUndefined();
  expect(claimOfLink([{ ...claim, linkKey: newLinkKey() }, unlinked], key, AT_MS)).toBeUndefined();
});

test('10,000 forged links lead nowhere: another character, day, domain, case or length', () => {
  const key = keyAt(AT_MS);
  const other = { ...claim, domain: 'zoo.example' };
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.%é ';
  const anyOf = (text: string) => text[Math.floor(Math.random() * text.length)] as string;
  const at = () => Math.floor(Math.random() * key.length);
  const replaced = (position: number, by: string) => key.slice(0, position) + by + key.slice(position + 1);
  const swapped = (text: string) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());
  const forgeries = [
    () => replaced(at(), anyOf(alphabet)),
    () => key.slice(0, 27) + (Math.floor(AT_MS / DAY) + Math.floor(Math.random() * 5000)).toString(36),
    () => keyAt(AT_MS - Math.floor(Math.random() * 200) * HOUR, other),
    () => [...key].map((letter, index) => (index === at() ? swapped(letter) : letter)).join(''),
    () => swapped(key),
    () => key.slice(0, at()),
    () => key + anyOf(alphabet),
    () => `${key.slice(0, 27)}0${key.slice(27)}`,
    () => newLinkKey() + newLinkKey(),
  ];
  const keys = Array.from({ length: 10_000 }, (_, index) => forgeries[index % forgeries.length]?.() ?? '');
  expect(keys.filter(forged => forged !== key && found(forged) !== undefined)).toEqual([]);
});

test.each([
  '',
  '#default',
  'ZOO.example',
  'zoo.example/',
  'zoo%2eexample',
  'z'.repeat(254),
  'bücher.example',
])('nothing is looked up for "%s"', name => {
  expect(isLinkLike(name, keyAt(AT_MS))).toBe(false);
});
