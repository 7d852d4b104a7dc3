import { describe, expect, test } from 'vitest';
import { checkRecord } from '../../../../shared/domains/dns/check-record.ts';
import type { Found } from '../../../../shared/domains/dns/lookup.ts';
import type { RequiredRecord } from '../../../../shared/domains/dns/required-record.ts';
import { vantageOf } from './vantage.ts';

const NAME = '_petstore-challenge.example.com';
const VALUE = 'petstore-0123456789abcdef';
const TXT: RequiredRecord = {
  purpose: 'ownership',
  type: 'TXT',
  name: NAME,
  label: '_petstore-challenge',
  value: VALUE,
  ttl: 3600,
};

describe('a required TXT record', () => {
  test('ok: one of the values is right', async () => {
    const checked = await checkRecord(TXT, vantageOf({ [`${NAME} TXT`]: ['other', VALUE] }));
    expect(checked).toMatchObject({ state: 'ok', action: null });
  });

  test.each([
    ['missing: the record does not exist', {}, 'missing', `Create a TXT record at ${NAME}`],
    ['mismatch: other values', { [`${NAME} TXT`]: ['other'] }, 'mismatch', `Add the value ${VALUE}`],
    [
      'mismatch: the value has quotation marks in it',
      { [`${NAME} TXT`]: [`"${VALUE}"`] },
      'mismatch',
      `Enter ${VALUE} without them.`,
    ],
    [
      'mismatch: the value has escaped quotation marks and a space in it',
      { [`${NAME} TXT`]: [`\\"${VALUE}\\" `] },
      'mismatch',
      `Enter ${VALUE} without them.`,
    ],
    [
      'mismatch: the zone is appended twice to the name',
      { [`${NAME}.example.com TXT`]: [VALUE] },
      'mismatch',
      'Enter _petstore-challenge as the name',
    ],
    ['unreachable: the name servers fail', 'SERVFAIL', 'unreachable', 'did not answer'],
  ] as const)('%s', async (_, zone, state, action) => {
    const checked = await checkRecord(TXT, vantageOf(zone));
    expect(checked.state).toBe(state);
    expect(checked.action).toContain(action);
  });

  test.each<[string, Found]>([
    ['the zone', { kind: 'alias', target: 'somebody.example.net' }],
    ['a resolver', { kind: 'records', values: [VALUE], canonical: 'somebody.example.net' }],
  ])('mismatch: %s has an alias, behind which anybody can put the value', async (_, found) => {
    const checked = await checkRecord(TXT, { ...vantageOf({}), lookup: async () => found });
    expect(checked).toMatchObject({ state: 'mismatch', observed: ['CNAME somebody.example.net'] });
    expect(checked.action).toContain(`Create a TXT record for ${NAME} itself`);
  });
});
