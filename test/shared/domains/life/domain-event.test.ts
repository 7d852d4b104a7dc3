import { describe, expect, test } from 'vitest';
import { DomainEvent, eventOf, removedEvent } from '../../../../shared/domains/events/domain-event.ts';
import { AT, AT_MS, claimed, live } from '../claimed-domain.ts';
import { someEvent } from '../events/some-event.ts';

const FAILED = { type: 'failed', revision: 8, at: AT } as const;

describe('eventOf', () => {
  const failed = claimed({
    status: 'failed',
    reason: 'caa_blocked',
    message: 'A CAA record forbids it.',
    revision: 8,
    lastEvent: FAILED,
  });

  test('tells what the revision says that was written with the event', () => {
    expect(eventOf(failed)).toEqual(someEvent());
    expect(DomainEvent.parse(someEvent())).toEqual(someEvent());
  });

  test('is undefined for the revisions after it, and for a record without events', () => {
    expect(eventOf({ ...failed, revision: 9 })).toBeUndefined();
    expect(eventOf(claimed())).toBeUndefined();
  });

  test('cuts a message that would make the event too large, and leaves valid text', () => {
    const message = `${'z'.repeat(998)}🐫 and more`;
    const cut = eventOf({ ...failed, message })?.message ?? '';
    expect(cut).toBe(`${'z'.repeat(998)}\uFFFD…`);
    expect(eventOf({ ...failed, message: 'z'.repeat(1000) })?.message).toHaveLength(1000);
    const largest = JSON.stringify(someEvent({ message: '\u0001'.repeat(1000) }));
    expect(10 * Buffer.byteLength(largest)).toBeLessThan(256 * 1024);
  });
});

describe('removedEvent', () => {
  test('counts the deletion as the revision after the last one', () => {
    expect(removedEvent(live({ revision: 8 }), AT_MS)).toMatchObject({
      id: '0123456789abcdef0123-9',
      revision: 9,
      type: 'removed',
      status: 'removed',
      reason: null,
      at: AT,
    });
  });
});
