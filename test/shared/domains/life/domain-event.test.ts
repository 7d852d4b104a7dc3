import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EventPattern, matches } from '../../../../infra/local/testing/patterns.ts';
import { changed, liveSaying } from '../../../../shared/domains/life/change.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import {
  DomainEvent,
  detailTypeOf,
  eventOf,
  eventSourceOf,
  removedEvent,
} from '../../../../shared/domains/life/domain-event.ts';
import { EVENT_TYPES } from '../../../../shared/domains/life/domain-status.ts';
import { removalStarted } from '../../../../shared/domains/life/wishes.ts';
import { AT, AT_MS, claimed, live, someEvent } from '../claimed-domain.ts';

const FAILED = { type: 'failed', revision: 8, at: AT } as const;

describe('eventOf', () => {
  const failed = claimed({
    status: 'failed',
    reason: 'caa_blocked',
    message: 'A CAA record forbids it.',
    revision: 8,
    lastEvent: FAILED,
  });

  test('has what its revision of the record says', () => {
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

  test("says what was said when the removal began, and of a name that was never the claim's own nothing", () => {
    const messageOf = (claim: Domain) => removedEvent(claim, AT_MS).message;
    const ended = removalStarted(claimed(), AT_MS, { message: 'Not verified within 30 days.' });
    expect(messageOf(ended)).toBe('Not verified within 30 days. Everything is deleted.');
    expect(messageOf(removalStarted(claimed(), AT_MS))).toBe('The claim has ended. Everything is deleted.');
    const removed = messageOf(removalStarted(live(), AT_MS));
    expect(removed).toBe('No longer served. Everything is deleted, and the name is free.');
  });
});

const guide = readFileSync(new URL('../../../../shared/domains/guide.md', import.meta.url), 'utf8');
const [, chapter = ''] = /\n## Events\n([\s\S]*?)\n## /.exec(guide) ?? [];
const [example, ...patterns] = [...chapter.matchAll(/```json\n([^`]*)```/g)].map(([, text = '']) =>
  JSON.parse(text),
);

describe('the chapter on events', () => {
  test('lists every type of event', () => {
    const listed = [...chapter.matchAll(/^\| `(Domain [\w ]+)` \|/gm)].map(([, type]) => type);
    expect(listed).toEqual(EVENT_TYPES.map(detailTypeOf));
  });

  test('has an example that is as it is published', () => {
    const issuing = claimed({ status: 'issuing', revision: AT_MS + 122 });
    const next = nextRevision(changed(issuing, { ...liveSaying(issuing, undefined), liveAt: AT }, AT_MS));
    const { type, ...detail } = DomainEvent.parse(eventOf(next));
    const time = AT.replace(/\.\d+/, '');
    expect(example).toEqual({
      source: eventSourceOf('production'),
      'detail-type': detailTypeOf(type),
      time,
      detail,
    });
  });

  test('has a pattern for the failures of one project, whose source alone matches all events of an environment', () => {
    const [failures = {}] = patterns.map(pattern => EventPattern.parse(pattern));
    const all = EventPattern.parse({ source: Reflect.get(failures, 'source') });
    const matched = (pattern: EventPattern, project: string, environment: string) => {
      const event = { source: eventSourceOf(environment), detail: { ...example.detail, project } };
      const types = EVENT_TYPES.map(detailTypeOf);
      return types.filter(type => matches(pattern, { ...event, 'detail-type': type }));
    };
    expect(matched(all, 'zoo', 'production')).toHaveLength(EVENT_TYPES.length);
    expect(matched(failures, 'zoo', 'production')).toEqual(['Domain failed']);
    expect(matched(failures, 'farm', 'production')).toEqual([]);
    expect(matched(all, 'zoo', 'staging')).toEqual([]);
  });
});
