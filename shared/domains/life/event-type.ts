/** What events tell of a domain. A domain that needs attention is live, or its removal has stalled. */
export const EVENT_TYPES = ['live', 'needs attention', 'failed', 'removed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The `detail-type` of an event, by which subscribers choose. */
export function detailTypeOf(type: EventType): string {
  return `Domain ${type}`;
}

/** The `source` of the events of an environment: `petstore.production`. */
export function eventSourceOf(environment: string): string {
  return `petstore.${environment}`;
}
