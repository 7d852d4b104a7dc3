import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EventPattern, matches } from '../../../../infra/local/events/rules.ts';
import {
  DomainEvent,
  detailTypeOf,
  eventOf,
  eventSourceOf,
  removedEvent,
} from '../../../../shared/domains/life/domain-event.ts';
import { DOMAIN_REASONS } from '../../../../shared/domains/life/domain-reason.ts';
import { EVENT_TYPES } from '../../../../shared/domains/life/domain-status.ts';
import { removalStarted } from '../../../../shared/domains/life/transitions.ts';
import { AT, AT_MS, claimed, live } from '../claimed-domain.ts';
import { someEvent } from './some-event.ts';

const FAILED = { type: 'failed', revision: 8, at: AT } as const;

describe('eventOf', () => {
  const failed = claimed({
    status: 'failed',
    reason: 'caa_blocked',
    message: 'A CAA record forbids it.',
    revision: 8,
    lastEvent: FAILED,
  });

  test('has what the revision says that was written with the event', () => {
    expect(eventOf(failed)).toEqual(someEvent());
    expect(DomainEvent.parse(someEvent())).toEqual(someEvent());
  });

  test('is undefined for the revisions after it, and for a record without events', () => {
    expect(eventOf({ ...failed, revision: 9 })).toBeUndefined();
    expect(eventOf(claimed())).toBeUndefined();
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

  test('does not call a name free that another project has taken over', () => {
    const takenOver = removalStarted(live(), AT_MS, { isTakenOver: true });
    expect(removedEvent(takenOver, AT_MS).message).toBe('No longer served. Everything is deleted.');
  });
});

const readme = readFileSync(new URL('../../../../shared/domains/README.md', import.meta.url), 'utf8');
const [, section = ''] = readme.split('\n## Events\n');
const [chapter = ''] = section.split('\n## ');
const examples = [...chapter.matchAll(/```json\n([^`]*)```/g)].map(([, text = '']) => JSON.parse(text));
const events = examples.filter(example => 'time' in example);
const patterns = examples.filter(example => !('time' in example));

describe('the chapter on events', () => {
  test('lists every type of event, and has an example of each', () => {
    const listed = [...chapter.matchAll(/^\| `(Domain [\w ]+)` \|/gm)].map(([, type]) => type);
    expect(listed).toEqual(EVENT_TYPES.map(detailTypeOf));
    expect(events.map(event => event['detail-type'])).toEqual(listed);
  });

  test.each(events)('has an example that is as it is published: $detail-type', event => {
    const { detail } = event;
    const type = event['detail-type'].replace('Domain ', '');
    expect(DomainEvent.parse({ ...detail, type })).toEqual({ ...detail, type });
    expect(event.source).toBe(eventSourceOf('production'));
    expect(event.time).toBe(detail.at.replace(/\.\d+/, ''));
    expect(detail.id).toMatch(new RegExp(`^[0-9a-f]{20}-${detail.revision}(-from)?$`));
    expect([null, ...DOMAIN_REASONS]).toContain(detail.reason);
  });

  test('has patterns that match all events of an environment, and the failures of one project', () => {
    const [all = {}, failures = {}] = patterns.map(pattern => EventPattern.parse(pattern));
    const typesMatching = (pattern: EventPattern, from: readonly object[]) =>
      from.filter(event => matches(pattern, event)).map(event => Reflect.get(event, 'detail-type'));
    expect(patterns).toHaveLength(2);
    expect(typesMatching(all, events)).toHaveLength(EVENT_TYPES.length);
    expect(typesMatching(failures, events)).toEqual(['Domain failed']);
    const ofOthers = events.map(event => ({ ...event, detail: { ...event.detail, project: 'farm' } }));
    expect(typesMatching(failures, ofOthers)).toEqual([]);
    const ofStaging = events.map(event => ({ ...event, source: eventSourceOf('staging') }));
    expect(typesMatching(all, ofStaging)).toEqual([]);
  });
});
