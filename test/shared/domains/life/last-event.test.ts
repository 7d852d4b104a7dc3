import { describe, expect, test } from 'vitest';
import { type Domain, DomainStatus, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { eventOf } from '../../../../shared/domains/life/domain-event.ts';
import { eventTypeOf } from '../../../../shared/domains/life/last-event.ts';
import { TRANSITIONS } from '../../../../shared/domains/life/transition-table.ts';
import { AT, claimed, live } from '../claimed-domain.ts';
import { APPLIED, LATER_MS } from './applied-transitions.ts';

const LATER = new Date(LATER_MS).toISOString();

/** Every transition with every state that it can happen to: the statuses of its row, with and without a reason. */
const CASES = Object.entries(APPLIED).flatMap(([name, applications]) => {
  const { from, events } = TRANSITIONS[name as keyof typeof TRANSITIONS];
  const befores = (from as readonly string[]).flatMap(status =>
    ([null, 'internal_error'] as const).map(reason =>
      claimed({ status: status as DomainStatus, reason, certificate: live().certificate, revision: 7 }),
    ),
  );
  return applications.flatMap(apply =>
    befores.map(before => ({ name, events, before, after: apply(before) })),
  );
});

describe('the table of transitions', () => {
  test('lists exactly the events that the transitions make', () => {
    const typesByTransition = new Map<string, Set<string>>();
    for (const { name, after } of CASES) {
      const event = eventOf(nextRevision(after));
      if (event) typesByTransition.set(name, (typesByTransition.get(name) ?? new Set()).add(event.type));
    }
    const listed = Object.entries(TRANSITIONS)
      // The deletion of a record is no new revision of it: the store makes its event.
      .filter(([name, { events }]) => events.length > 0 && name !== 'forgotten')
      .map(([name, { events }]) => [name, new Set<string>(events)]);
    expect(Object.fromEntries(typesByTransition)).toEqual(Object.fromEntries(listed));
    expect(TRANSITIONS.forgotten.events).toEqual(['removed']);
  });

  test('lists the events of those transitions that write lastEvent, and of no others', () => {
    const rows: [string, { changes: readonly string[]; events: readonly string[] }][] =
      Object.entries(TRANSITIONS);
    const writing = rows.filter(([, { changes }]) => changes.includes('lastEvent')).map(([name]) => name);
    const making = rows.filter(([, { events }]) => events.length > 0).map(([name]) => name);
    expect([...writing, 'forgotten']).toEqual(making);
  });
});

describe('a transition', () => {
  test.each(
    CASES.map(({ before, ...rest }) => ({ ...rest, before, status: before.status, reason: before.reason })),
  )(
    '$name of a domain that is $status ($reason) makes an event exactly if the state changes to one that events tell',
    ({ before, after }) => {
      const type = eventTypeOf(after);
      const isChange = type !== undefined && type !== eventTypeOf(before);
      expect(eventOf(nextRevision(after))?.type).toBe(isChange ? type : undefined);
      if (isChange) expect(after.lastEvent).toEqual({ type, revision: 8, at: LATER });
    },
  );

  test('makes an event once: later writes keep the last event and make none', () => {
    const before = live({ lastEvent: { type: 'live', revision: 1, at: AT } });
    const next = nextRevision(nextRevision(before));
    expect(next.lastEvent).toEqual(before.lastEvent);
    expect(eventOf(next)).toBeUndefined();
  });
});

describe('eventTypeOf', () => {
  const types = (domain: Partial<Domain>) =>
    Object.fromEntries(
      DomainStatus.options.map(status => [status, eventTypeOf(claimed({ ...domain, status }))]),
    );

  test('tells live and failed domains, and those that need attention, from those under way', () => {
    expect(types({ reason: null })).toEqual({ live: 'live', failed: 'failed' });
    expect(types({ reason: 'internal_error' })).toEqual({
      live: 'needs attention',
      failed: 'failed',
      removing: 'needs attention',
    });
  });
});
