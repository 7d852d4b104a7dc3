/**
 * Domains table: partition key `domain` (S), sort key `project` (S). Index `byProject`: partition key `project`, sort key
 * `domain`. The keys with `#` are neither names nor ids of projects. The items:
 * - a claim: a project's claim of a name. The attributes are the fields of Domain, its objects maps and its arrays lists.
 *   Several projects may claim one name.
 * - the owner of a name, sort key `#owner`: `provenBy` (S) is the project that was the first to prove the name. The item is
 *   written when its claim passes the DNS phase, and deleted with the claim.
 * - the names of a project, partition key `#names`: `unverified` and `verified` (SS) are the names that it has claimed and
 *   not proven, and those that it has proven.
 * - an event that is not yet published, partition key `#outbox`, sort key `#`, its time and its id: `event` (M) has the
 *   fields of DomainEvent (../events/domain-event.ts). The item is written with the change that the event tells of, and
 *   deleted when EventBridge has accepted the event.
 * - the slots, key `#slots`, `#slots`: `nextSlotMs` (N) spaces the calls that API Gateway allows once in 30 seconds.
 */
export const DOMAINS_TABLE = {
  partitionKey: 'domain',
  sortKey: 'project',
  projectIndex: { name: 'byProject', partitionKey: 'project', sortKey: 'domain' },
  ownerSortKey: '#owner',
  namesPartitionKey: '#names',
  outboxPartitionKey: '#outbox',
  slotsKey: { domain: '#slots', project: '#slots' },
} as const;

/** Whether an item of the table is a claim. */
export function isClaim({
  domain,
  project,
}: {
  readonly domain?: unknown;
  readonly project?: unknown;
}): boolean {
  return ![domain, project].some(key => String(key).startsWith('#'));
}
