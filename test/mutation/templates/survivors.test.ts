import { describe, expect, test } from 'vitest';
import { differences, listedSurvivors } from './survivors.ts';

const README = [
  '| `run.ts` | A table before. |',
  '',
  '## Survivors',
  '',
  '| Mutant | Why |',
  '|---|---|',
  '| `PetsTable: no index (byStatus)` | Nobody lists. |',
  '| `*: logs as text` | Nobody reads. |',
].join('\n');

describe('the list of survivors', () => {
  const listed = listedSurvivors(README);
  const judged = (id: string, caughtBy?: string) => differences([{ id, caughtBy }], listed);

  test('has a name and a reason in each row', () => {
    expect(listed).toEqual([
      { name: 'PetsTable: no index (byStatus)', reason: 'Nobody lists.' },
      { name: '*: logs as text', reason: 'Nobody reads.' },
    ]);
  });

  test('allows a listed survivor and an unlisted mutant that is caught', () => {
    expect(judged('PetsTable: no index (byStatus)')).toEqual([]);
    expect(judged('PetsListPetsFunction: logs as text')).toEqual([]);
    expect(judged('PetsTable: no billing mode', 'a test')).toEqual([]);
  });

  test('misses a survivor that it does not name', () => {
    expect(judged('OrdersTable: no index (byStatus)')).toEqual([
      'OrdersTable: no index (byStatus): survives, and is not listed',
    ]);
  });

  test('is outdated when a listed mutant is caught', () => {
    expect(judged('PetsListPetsFunction: logs as text', 'a test')).toEqual([
      'PetsListPetsFunction: logs as text: is listed, but caught by a test',
    ]);
  });
});
