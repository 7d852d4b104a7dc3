import * as z from 'zod/mini';
import type { Item } from '../aws/document-client.ts';

/** A domain whose mapping a change of the routing has changed. Two changes make two of them, by different ids. */
export interface PendingMapping {
  readonly id: string;
  readonly project: string;
  readonly domain: string;
}

/** The entry of a pending mapping in the item of its project (project-table.ts). */
export function pendingEntry({ id, domain }: Pick<PendingMapping, 'id' | 'domain'>): string {
  return `${id} ${domain}`;
}

const Entries = z.set(z.string());

/** The pending mappings in the item of a project. */
export function pendingOf({ id: project, pendingMappings = new Set() }: Item): PendingMapping[] {
  return [...Entries.parse(pendingMappings)].map(entry => {
    const [id = '', domain = ''] = entry.split(' ');
    return { id, project: String(project), domain };
  });
}
