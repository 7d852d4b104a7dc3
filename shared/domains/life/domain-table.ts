/**
 * Domains table: partition key `domain` (S), so a name has one owner. Index `byProject`: partition key `project` (S),
 * sort key `domain`. The attributes are the fields of Domain, its objects maps and its arrays lists. The item `#slots` is
 * no domain: its `nextSlotMs` (N) spaces the calls that API Gateway allows once in 30 seconds.
 */
export const DOMAINS_TABLE = {
  partitionKey: 'domain',
  projectIndex: { name: 'byProject', partitionKey: 'project', sortKey: 'domain' },
  slotsItem: '#slots',
} as const;
