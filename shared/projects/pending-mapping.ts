import * as z from 'zod/mini';
import type { Item } from '../aws/document-client.ts';

/**
 * A domain whose mapping may not be the one that the routing asks for, because a change of the routing has changed it, or
 * because a function is writing it. Two changes, or two functions, make two of them, by different ids.
 */
export interface PendingMapping {
  readonly id: string;
  readonly project: string;
  readonly domain: string;
  /** Since when a function is writing the mapping; undefined for a change of the routing. */
  readonly writtenSinceMs?: number;
}

/** The entry of a pending mapping in the item of its project (project-table.ts). */
export function pendingEntry({ id, domain, writtenSinceMs }: Omit<PendingMapping, 'project'>): string {
  return [id, domain, ...(writtenSinceMs === undefined ? [] : [writtenSinceMs])].join(' ');
}

const Entries = z.set(z.string());

/** The pending mappings in the item of a project. */
export function pendingOf({ id: project, pendingMappings = new Set() }: Item): PendingMapping[] {
  return [...Entries.parse(pendingMappings)].map(entry => {
    const [id = '', domain = '', since] = entry.split(' ');
    return {
      id,
      project: String(project),
      domain,
      ...(since !== undefined && { writtenSinceMs: Number(since) }),
    };
  });
}
