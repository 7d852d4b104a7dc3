import { describe, expect, test } from 'vitest';
import { checkWalk, PetLedger, type Walk } from './pet-ledger.ts';
import { Violations } from './violations.ts';

const at = (ms: number) => ({ fromMs: ms, toMs: ms });
const rex = { name: 'Rex', categoryId: '9223372036854775807', status: 'available' };

function ledger() {
  const violations = new Violations(() => 0);
  const pets = new PetLedger('staging', violations.add);
  const kinds = () => violations.kept.map(({ kind }) => kind);
  /** Requests and acknowledges a pet. */
  const created = (id: string, fields: Partial<typeof rex> = {}) => {
    const pet = { ...rex, name: `Rex ${id}`, ...fields };
    pets.requested(pet, 0);
    pets.created({ ...pet, id }, at(1));
    return { ...pet, id };
  };
  return { pets, violations, kinds, created };
}

describe('the ledger of pets', () => {
  test('accepts what was acknowledged, as often as it is seen', () => {
    const { pets, kinds, created } = ledger();
    const pet = created('1');
    pets.seen(pet, at(2), 'a list');
    pets.created(pet, at(3));
    expect(kinds()).toEqual([]);
    expect(pets.acknowledged).toHaveLength(1);
  });

  test('accepts that a request without a response has created its pet, or not', () => {
    const { pets, kinds } = ledger();
    pets.requested(rex, 0);
    pets.seen({ ...rex, id: '1' }, at(1), 'a list');
    pets.requested({ ...rex, name: 'Max' }, 0);
    expect(kinds()).toEqual([]);
    expect(pets.acknowledged).toEqual([]);
  });

  test('reports a second pet for one request, whether a 201 or a list shows it', () => {
    const { pets, kinds, created } = ledger();
    const pet = created('1');
    pets.seen({ ...pet, id: '2' }, at(2), 'a list');
    pets.created({ ...pet, id: '3' }, at(2));
    expect(kinds()).toEqual(['doubled', 'doubled']);
  });

  test('reports one id for two pets', () => {
    const { kinds, created } = ledger();
    created('1');
    created('1', { name: 'Max' });
    expect(kinds()).toEqual(['doubled']);
  });

  test('reports a pet that nobody has requested', () => {
    const { pets, kinds } = ledger();
    pets.seen({ ...rex, id: '1' }, at(1), 'a list');
    expect(kinds()).toEqual(['invented']);
  });

  test.each([{ categoryId: '9223372036854775806' }, { status: 'sold' }])(
    'reports an altered field: %j',
    field => {
      const { pets, kinds, created } = ledger();
      pets.seen({ ...created('1'), ...field }, at(2), 'a list');
      expect(kinds()).toEqual(['altered']);
    },
  );

  test('allows the old and the new status while a change is under way, and only the new one afterwards', () => {
    const { pets, kinds, created } = ledger();
    const pet = created('1');
    pets.statusRequested('1', 'pending', 10);
    for (const status of ['available', 'pending']) pets.seen({ ...pet, status }, at(15), 'a list');
    pets.statusKnown('1', 'pending', 20);
    pets.seen({ ...pet, status: 'available' }, { fromMs: 18, toMs: 30 }, 'a list that began before');
    pets.seen({ ...pet, status: 'pending' }, at(30), 'a list');
    expect(kinds()).toEqual([]);
    pets.seen({ ...pet, status: 'available' }, at(30), 'a list');
    expect(kinds()).toEqual(['altered']);
  });
});

describe('the check of a walk', () => {
  const walked = (
    setUp: ReturnType<typeof ledger>,
    ids: readonly string[],
    fields: Partial<Walk> & { hasNext?: boolean; limit?: number } = {},
  ) => {
    const { hasNext = false, limit = 100, ...walk } = fields;
    const pets = ids.map(id => ({ ...rex, id, name: `Rex ${id}` }));
    const pages = [{ pets, limit, hasNext, during: at(10) }];
    const acknowledgedBefore = [...setUp.pets.acknowledged];
    const named = { name: 'GET /pets', status: undefined, pages, acknowledgedBefore, ...walk };
    checkWalk(named, setUp.pets, setUp.violations.add);
    return setUp.kinds();
  };
  const withPets = (...ids: string[]) => {
    const setUp = ledger();
    for (const id of ids) setUp.created(id);
    return setUp;
  };

  test('accepts every pet once, in order, with later ones', () => {
    const setUp = withPets('1', '2', '10');
    setUp.pets.requested({ ...rex, name: 'Rex 11' }, 5);
    expect(walked(setUp, ['1', '2', '10', '11'])).toEqual([]);
  });

  test.each<[string, string[], string[], object, string]>([
    ['a gap', ['1', '2', '3'], ['1', '3'], {}, 'lost'],
    ['a pet that is there twice', ['1', '2'], ['1', '2', '2'], {}, 'doubled'],
    ['the wrong order', ['1', '2'], ['2', '1'], {}, 'out of order'],
    ['a short page that announces another', ['1', '2'], ['1', '2'], { hasNext: true }, 'out of order'],
  ])('reports %s', (_, ids, seen, fields, kind) => {
    expect(walked(withPets(...ids), seen, fields)).toEqual([kind]);
  });

  test('requires of a walk that was not finished only what is before its last pet', () => {
    const setUp = withPets('1', '2', '3');
    expect(walked(setUp, ['1', '2'], { hasNext: true, limit: 2 })).toEqual([]);
    expect(walked(setUp, ['2'], { hasNext: true, limit: 1 })).toEqual(['lost']);
  });

  test('requires of a filtered walk the pets whose status did not change meanwhile', () => {
    const setUp = withPets('1', '2');
    setUp.pets.statusRequested('2', 'pending', 5);
    expect(walked(setUp, ['1'], { status: 'available' })).toEqual([]);
    expect(walked(setUp, [], { status: 'available' })).toEqual(['lost']);
  });

  test('reports a pet of another status in a filtered walk', () => {
    expect(walked(withPets('1'), ['1'], { status: 'sold' })).toContain('altered');
  });
});
