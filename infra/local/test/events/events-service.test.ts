import { PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../../iam/principal.ts';
import { recordingPrincipal } from '../../testing/served-endpoint.ts';
import { serveEvents } from '../../testing/served-events.ts';

const ENTRY = { Source: 'zoo', DetailType: 'Pet fed', Detail: '{"pet":"Ada"}' };
const BUS = 'arn:aws:events:us-east-1:000000000000:event-bus';

async function put(Entries: PutEventsRequestEntry[], principal?: Principal) {
  const { client, accepted } = await serveEvents(principal);
  const response = await client.send(new PutEventsCommand({ Entries })).catch((error: Error) => error);
  return { response, accepted };
}

describe('PutEvents', () => {
  test('accepts events, and returns the ids that they have on the bus', async () => {
    const Time = new Date('2026-01-31T12:00:00.789Z');
    const { response, accepted } = await put([ENTRY, { ...ENTRY, Time, Resources: ['arn:one'] }]);
    expect(accepted).toMatchObject([
      { source: 'zoo', 'detail-type': 'Pet fed', detail: { pet: 'Ada' }, resources: [] },
      { time: '2026-01-31T12:00:00Z', resources: ['arn:one'] },
    ]);
    expect(response).toMatchObject({
      FailedEntryCount: 0,
      Entries: accepted.map(({ id }) => ({ EventId: id })),
    });
  });

  test.each<[what: string, entry: PutEventsRequestEntry, code: string]>([
    ['without a source', { ...ENTRY, Source: undefined }, 'InvalidArgument'],
    ['without a detail type', { ...ENTRY, DetailType: undefined }, 'InvalidArgument'],
    ['without a detail', { ...ENTRY, Detail: undefined }, 'InvalidArgument'],
    ['with a source of more than 256 characters', { ...ENTRY, Source: 'z'.repeat(257) }, 'InvalidArgument'],
    ['with a detail type of more than 128', { ...ENTRY, DetailType: 'z'.repeat(129) }, 'InvalidArgument'],
    ["with a source of AWS's own", { ...ENTRY, Source: 'aws.acm' }, 'NotAuthorizedForSourceException'],
    ['with a detail that is not JSON', { ...ENTRY, Detail: '{' }, 'MalformedDetail'],
    ['with a detail that is a JSON array', { ...ENTRY, Detail: '[]' }, 'MalformedDetail'],
    ['with a detail that is null', { ...ENTRY, Detail: 'null' }, 'MalformedDetail'],
  ])('fails an entry %s, and accepts the others', async (_, entry, ErrorCode) => {
    const { response, accepted } = await put([ENTRY, entry, ENTRY]);
    expect(response).toMatchObject({
      FailedEntryCount: 1,
      Entries: [{ EventId: expect.any(String) }, { ErrorCode }, { EventId: expect.any(String) }],
    });
    expect(accepted).toHaveLength(2);
  });

  test.each<[what: string, entries: PutEventsRequestEntry[]]>([
    ['no entry', []],
    ['eleven entries', Array(11).fill(ENTRY)],
    ['entries of 256 KB together', Array(2).fill({ ...ENTRY, Detail: `"${'z'.repeat(128 * 1024)}"` })],
    ['a name that no bus can have', [{ ...ENTRY, EventBusName: 'a bus' }]],
  ])('400: %s', async (_, entries) => {
    const { response, accepted } = await put(entries);
    expect(response).toMatchObject({ name: 'ValidationException', $metadata: { httpStatusCode: 400 } });
    expect(accepted).toEqual([]);
  });

  test('accepts an entry for a bus that does not exist, and drops it', async () => {
    const { response, accepted } = await put([{ ...ENTRY, EventBusName: 'other' }]);
    expect(response).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
    expect(accepted).toEqual([]);
  });

  test('accepts an event of almost 256 KB', async () => {
    const Detail = JSON.stringify({ text: 'z'.repeat(256 * 1024 - 100) });
    expect((await put([{ ...ENTRY, Detail }])).response).toMatchObject({ FailedEntryCount: 0 });
  });

  test('takes the permission for every bus that is named, and gives conditions the sources and types', async () => {
    const { principal, asked } = recordingPrincipal();
    const other = { ...ENTRY, DetailType: 'Pet sold', EventBusName: `${BUS}/other` };
    await put([ENTRY, other, ENTRY], principal);
    const keys = { 'events:source': ['zoo'], 'events:detail-type': ['Pet fed', 'Pet sold'] };
    expect(asked).toEqual(
      [`${BUS}/default`, `${BUS}/other`, `${BUS}/default`].map(bus => ({
        permission: `events:PutEvents ${bus}`,
        keys,
      })),
    );
  });

  test('400: a role that may not put events', async () => {
    const { response, accepted } = await put([ENTRY], { denial: () => 'You may not.' });
    expect(response).toMatchObject({ name: 'AccessDeniedException', message: 'You may not.' });
    expect(accepted).toEqual([]);
  });
});
