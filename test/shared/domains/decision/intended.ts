import { isDeepStrictEqual } from 'node:util';
import type { IntendedDifference } from './differences.ts';
import type { Outcome } from './outcome.ts';

/** What a pass does otherwise than the steps, on purpose. */
export const INTENDED: readonly IntendedDifference[] = [
  {
    title: 'What is known to be right is not asked for again.',
    fields: ['aws.idleCalls'],
    applies: (_, old, now) => old.aws.idleCalls !== now.aws.idleCalls,
  },
  {
    title: 'A mapping that was refused is not tried twice.',
    fields: ['calls'],
    applies: (_, old, now) => refusedIn(old) > refusedIn(now) && refusedIn(now) === 1,
  },
  {
    title: 'Nobody arrives while there is no traffic record: what answers was cached.',
    fields: ['claim', 'sibling', 'routing', 'aws.routes', 'events', 'calls'],
    applies: ({ reach }, _, now) =>
      now.claim?.records.traffic?.state === 'missing' && reach.visitors.kind === 'reached',
  },
  {
    title: 'A record that is missing in a zone of ours is created whatever is waited for.',
    fields: ['claim.managed', 'claim.records', 'claim.reason', 'claim.message', 'aws.records', 'calls'],
    applies: ({ hosted }, old, now) => hosted.zones.length > 0 && createdIn(now) >= createdIn(old),
  },
  {
    title: 'Where a domain name is, is known before it is mapped.',
    fields: ['claim.gateway', 'claim.pointsAt', 'claim.attachedAt'],
    applies: (_, __, now) => now.claim?.reason === 'api_gone',
  },
  {
    title: 'Records are created in another order.',
    fields: ['claim.managed', 'calls'],
    applies: (_, old, now) => isDeepStrictEqual(old.calls.toSorted(), now.calls.toSorted()),
  },
  {
    title: 'A project whose API is gone is said at once.',
    fields: ['claim', 'sibling', 'routing', 'events', 'calls'],
    applies: (_, __, now) => isAttached(now) && now.claim?.reason === 'api_gone',
  },
  {
    title: 'Of several things that are wrong, the event names the one that is said.',
    fields: ['events'],
    applies: (_, old, now) => isDeepStrictEqual(typesOf(old), typesOf(now)),
  },
  {
    title: 'Once attached, the records are those that were seen before.',
    fields: ['claim.records.ownership', 'claim.message'],
    applies: (_, old, now) => now.claim?.gateway !== null && now.claim?.status === old.claim?.status,
  },
  {
    title: 'A domain that is ready, but needs attention, says so at once.',
    fields: ['events'],
    applies: (_, old, now) =>
      now.claim?.status === 'ready' && now.claim.reason !== null && old.events.length > now.events.length,
  },
];

function refusedIn({ calls }: Outcome): number {
  return calls.filter(call => call.endsWith('(ApiUnknown)')).length;
}

function createdIn({ calls }: Outcome): number {
  return calls.filter(call => call.startsWith('create ')).length;
}

function typesOf({ events }: Outcome): string[] {
  return events.map(event => event.split(',')[0] ?? '');
}

function isAttached({ claim }: Outcome): boolean {
  return ['ready', 'live', 'needs_attention'].includes(claim?.status ?? '');
}
