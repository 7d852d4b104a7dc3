import { describe, expect, test } from 'vitest';
import { serveEvents } from '../../../../infra/local/test/events/served-events.ts';
import { eventBus } from '../../../../shared/domains/events/event-bus.ts';
import { stubEndpoint } from '../aws/client-endpoint.ts';
import { AT, someEvent } from '../claimed-domain.ts';

describe('eventBus', () => {
  test('puts events under the source of the environment, with all their fields as the detail', async () => {
    const { endpoint, accepted } = await serveEvents();
    stubEndpoint('EVENTBRIDGE', endpoint);
    const events = [someEvent(), someEvent({ type: 'needs attention', revision: 9 })];
    expect(await eventBus('staging').put(events)).toEqual([{ isAccepted: true }, { isAccepted: true }]);
    const { type, ...detail } = someEvent();
    expect(accepted).toMatchObject([
      {
        source: 'petstore.staging',
        'detail-type': 'Domain failed',
        time: AT.replace('.000Z', 'Z'),
        resources: [],
      },
      { 'detail-type': 'Domain needs attention' },
    ]);
    expect(accepted[0]?.detail).toEqual(detail);
  });

  test('says of every event whether it was accepted', async () => {
    const { endpoint, accepted } = await serveEvents();
    stubEndpoint('EVENTBRIDGE', endpoint);
    // The source is too long, so every entry fails by itself.
    const outcomes = await eventBus('e'.repeat(300)).put([someEvent()]);
    expect(outcomes).toEqual([{ isAccepted: false, error: expect.stringContaining('InvalidArgument') }]);
    expect(accepted).toEqual([]);
  });
});
