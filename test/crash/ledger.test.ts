import { describe, expect, test } from 'vitest';
import { Findings } from './findings.ts';
import { GONE, Ledger } from './ledger.ts';

const rex = { name: 'Rex', id: '1', state: 'available' };

function ledger() {
  const { report, violations } = new Findings();
  const kinds = () => violations.map(violation => violation.split(':')[0]);
  return { pets: new Ledger('pet of staging', report), kinds };
}

describe('the ledger', () => {
  test('accepts what was acknowledged, however often', () => {
    const { pets, kinds } = ledger();
    pets.requested('Rex', 'available');
    pets.acknowledged(rex);
    pets.acknowledged(rex);
    pets.compare([rex], 'the list');
    expect(kinds()).toEqual([]);
  });

  test('accepts that a request without a response was carried out, or not', () => {
    const { pets, kinds } = ledger();
    pets.requested('Rex', 'available');
    pets.compare([], 'the list');
    pets.compare([rex], 'the list');
    expect(kinds()).toEqual([]);
  });

  test.each([
    ['lost', []],
    ['doubled', [rex, { ...rex, id: '2' }]],
    ['doubled', [rex, rex]],
    ['doubled', [{ ...rex, id: '2' }]],
    ['altered', [{ ...rex, state: 'sold' }]],
    ['invented', [rex, { ...rex, name: 'Max' }]],
  ])('reports as %s what was acknowledged and is found as %j', (kind, found) => {
    const { pets, kinds } = ledger();
    pets.acknowledged(rex);
    pets.compare(found, 'the list');
    expect(kinds()).toEqual([kind]);
  });

  test('reports that a request without a response was carried out twice', () => {
    const { pets, kinds } = ledger();
    pets.requested('Rex', 'available');
    pets.compare([rex, { ...rex, id: '2' }], 'the list');
    expect(kinds()).toEqual(['doubled']);
  });

  test('reports two ids for one request', () => {
    const { pets, kinds } = ledger();
    pets.acknowledged(rex);
    pets.acknowledged({ ...rex, id: '2' });
    expect(kinds()).toEqual(['doubled']);
  });

  test('expects the state that was acknowledged last, and nothing of what was deleted', () => {
    const { pets, kinds } = ledger();
    pets.acknowledged(rex);
    pets.acknowledged({ ...rex, state: GONE });
    pets.compare([], 'the list');
    expect(kinds()).toEqual([]);
    pets.compare([rex], 'the list');
    expect(kinds()).toEqual(['altered']);
  });

  test('requires of a filter only what it is to have', () => {
    const { pets, kinds } = ledger();
    pets.acknowledged(rex);
    pets.compare([], 'the sold ones', state => state === 'sold');
    expect(kinds()).toEqual([]);
    pets.compare([], 'the available ones', state => state === 'available');
    expect(kinds()).toEqual(['lost']);
  });
});
