import { describe, expect, test } from 'vitest';
import { KeyLedger, OrderLedger } from './operator-ledgers.ts';
import { Violations } from './violations.ts';

function reported() {
  const violations = new Violations(() => 0);
  return { add: violations.add, kinds: () => violations.kept.map(({ kind }) => kind) };
}

const key1 = { id: 'key_1', name: 'one', isActive: true };

describe('the ledger of orders', () => {
  const order = { id: '7', petId: '1', status: 'placed' };
  const withOrder = () => {
    const { add, kinds } = reported();
    const orders = new OrderLedger('staging', add);
    orders.placed('request', '1', order);
    return { orders, kinds };
  };

  test('reports a second order for one request, but not the same one in every reply to it, and in a list', () => {
    const { orders, kinds } = withOrder();
    orders.placed('request', '1', order);
    orders.checkAll([order], 'the list');
    expect(kinds()).toEqual([]);
    orders.placed('request', '1', { ...order, id: '8' });
    expect(kinds()).toContain('doubled');
  });

  test('reports a second order for one pet, unless the first was canceled', () => {
    const { orders, kinds } = withOrder();
    orders.known('7', 'gone');
    orders.placed('another request', '1', { ...order, id: '8' });
    expect(kinds()).toEqual([]);
    orders.placed('a third request', '1', { ...order, id: '9' });
    expect(kinds()).toEqual(['doubled']);
  });

  test.each([
    ['lost', []],
    ['doubled', [order, order]],
    ['altered', [{ ...order, status: 'approved' }]],
    ['altered', [{ ...order, petId: '2' }]],
    ['invented', [order, { ...order, id: '8' }]],
  ])('reports in a list: %s', (kind, seen) => {
    const { orders, kinds } = withOrder();
    orders.checkAll(seen, 'the list');
    expect(new Set(kinds())).toEqual(new Set([kind]));
  });

  test('reports a canceled order that is still there', () => {
    const { orders, kinds } = withOrder();
    orders.requested('7', 'gone');
    orders.checkAll([], 'the list');
    orders.checkAll([order], 'the list');
    expect(kinds()).toEqual([]);
    orders.known('7', 'gone');
    orders.checkAll([order], 'the list');
    expect(kinds()).toEqual(['altered']);
  });
});

describe('the ledger of keys', () => {
  const KNOWN_MS = 10_000;
  const withKey = () => {
    const { add, kinds } = reported();
    const keys = new KeyLedger('staging', add);
    return {
      keys,
      kinds,
      entry: keys.created('request', { id: 'key_1', name: 'one', key: 'pet_test_x' }, 0),
    };
  };
  const at = (ms: number) => ({ fromMs: ms, toMs: ms + 5 });

  test('reports a valid key that is refused, except in its first seconds', () => {
    const { keys, kinds, entry } = withKey();
    keys.used(entry, true, at(100));
    keys.used(entry, false, at(KNOWN_MS));
    expect(kinds()).toEqual([]);
    keys.used(entry, true, at(KNOWN_MS));
    expect(kinds()).toEqual(['valid key refused']);
  });

  test('reports a key that is accepted after its revocation was acknowledged, and not while it is under way', () => {
    const { keys, kinds, entry } = withKey();
    keys.ending(entry, KNOWN_MS);
    keys.used(entry, true, at(KNOWN_MS + 1));
    keys.used(entry, false, at(KNOWN_MS + 1));
    keys.ended(entry, KNOWN_MS + 10);
    keys.used(entry, false, at(KNOWN_MS + 9));
    keys.used(entry, true, at(KNOWN_MS + 20));
    expect(kinds()).toEqual([]);
    keys.used(entry, false, at(KNOWN_MS + 20));
    expect(kinds()).toEqual(['invalid key accepted']);
  });

  test.each([
    ['lost', []],
    ['altered', [{ ...key1, isActive: false }]],
    ['invented', [key1, { ...key1, id: 'key_2' }]],
  ])('reports in a list: %s', (kind, seen) => {
    const { keys, kinds } = withKey();
    keys.checkAll(seen, 'the list');
    expect(kinds()).toEqual([kind]);
  });

  test('reports a second key for one request', () => {
    const { keys, kinds } = withKey();
    keys.created('request', { id: 'key_1', name: 'one', key: undefined }, 0);
    expect(kinds()).toEqual([]);
    keys.created('request', { id: 'key_2', name: 'one', key: undefined }, 0);
    expect(kinds()).toEqual(['doubled']);
  });

  test('reports a revocation that was acknowledged and is missing', () => {
    const { keys, kinds, entry } = withKey();
    keys.ending(entry, 1);
    keys.ended(entry, 2);
    keys.checkAll([key1], 'the list');
    expect(kinds()).toEqual(['lost']);
  });
});
