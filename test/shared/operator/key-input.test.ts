import { beforeAll, describe, expect, test } from 'vitest';
import { type Operating, operating, refusal } from './operating.ts';

const UNKNOWN = 'key_000000000000000000000000';

describe('a request with invalid fields', () => {
  let world: Operating;
  beforeAll(async () => {
    world = await operating();
  });

  const NAME = 'name must have 1 to 100 characters on one line, no white space around them';
  const TIME = 'expiresAt must be a time such as 2030-01-31T12:00:00Z';
  const SCOPES = 'must be one of pets:read, pets:write, orders:read';

  test.each([
    [{}, 'name is required'],
    [{ name: '' }, NAME],
    [{ name: ' ' }, NAME],
    [{ name: ' Acme' }, NAME],
    [{ name: 'Acme ' }, NAME],
    [{ name: 'Acme\nZoo' }, NAME],
    [{ name: 'a'.repeat(101) }, NAME],
    [{ name: 5 }, 'name must be text'],
    [{ name: null }, 'name must be text'],
    [{ name: 'Acme', expiresAt: '2030-01-31' }, TIME],
    [{ name: 'Acme', expiresAt: '2030-02-30T12:00:00Z' }, TIME],
    [{ name: 'Acme', expiresAt: 'tomorrow' }, TIME],
    [{ name: 'Acme', expiresAt: 1_900_000_000 }, TIME],
    [{ name: 'Acme', expiresAt: null }, TIME],
    [{ name: 'Acme', expiresAt: '2026-01-31T12:00:00Z' }, 'expiresAt must be in the future'],
    [{ name: 'Acme', expiresAt: '2026-01-31T12:30:00+01:00' }, 'expiresAt must be in the future'],
    [{ name: 'Acme', scopes: [] }, 'scopes must name at least one scope'],
    [{ name: 'Acme', scopes: 'pets:read' }, 'scopes must be a list of scopes'],
    [{ name: 'Acme', scopes: ['pets:read', 'pets:delete'] }, `scopes.1 ${SCOPES}`],
    [{ name: 'Acme', scopes: ['pets:read', 'pets:read'] }, 'scopes must name each scope once'],
    [{ name: '', expiresAt: 'soon', scopes: [5] }, `${NAME}; ${TIME}; scopes.0 ${SCOPES}`],
    [
      { name: 'Acme', expires: 'soon' },
      'expires is not a field of this command; it takes name, expiresAt, scopes',
    ],
  ])(
    'keys.create %j is refused with the names of the fields, and nothing is created',
    async (fields, message) => {
      expect(await world.ask('keys.create', fields)).toEqual(
        refusal('invalid_request', message, 'input_invalid'),
      );
      expect(await world.apiKeys.list()).toEqual([]);
      expect(world.plan.addKey).not.toHaveBeenCalled();
    },
  );

  test.each([{}, { id: 'key_1' }, { id: 5 }, { id: 'pet_test_0123456789abcdefghijABCDEFGH012345' }])(
    'keys.revoke %j is refused, and the value is not repeated',
    async fields => {
      const reply = await world.ask('keys.revoke', fields);
      expect(reply).toEqual(
        refusal('invalid_request', expect.stringMatching(/^id (is required|must be )/), 'id_invalid'),
      );
      expect(JSON.stringify(reply)).not.toContain('pet_test');
    },
  );

  test.each([
    [{ id: UNKNOWN }, 'input_invalid', 'overlapHours is required'],
    [{ id: UNKNOWN, overlapHours: '24' }, 'input_invalid', 'overlapHours must be a number of hours'],
    [{ id: UNKNOWN, overlapHours: -1 }, 'input_invalid', 'overlapHours must be 0 to 720 hours'],
    [{ id: UNKNOWN, overlapHours: 721 }, 'input_invalid', 'overlapHours must be 0 to 720 hours'],
    [
      { id: 'Acme', overlapHours: null },
      'id_invalid',
      'id must be a key id such as key_0123456789abcdef01234567; overlapHours must be a number of hours',
    ],
  ] as const)(
    'keys.rotate %j is refused as %s, with the names of the fields',
    async (fields, reason, message) => {
      expect(await world.ask('keys.rotate', fields)).toEqual(refusal('invalid_request', message, reason));
    },
  );
});
