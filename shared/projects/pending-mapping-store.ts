import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item } from '../aws/document-client.ts';
import { orUnavailable } from '../aws/dynamodb-client.ts';
import { scanAll } from '../aws/scan-all.ts';
import { type PendingMapping, pendingEntry, pendingOf } from './pending-mapping.ts';

/** The part of the projects that says which domains are to be mapped. */
export interface PendingMappingStore {
  /** The domains whose mapping may not be the one that the routing asks for: of a project, or of all. */
  pendingMappings(project?: string): Promise<PendingMapping[]>;
  /** Adds a domain to that list whose mapping the caller writes from now on, and returns its entry. */
  mappingStarted(project: string, domain: string, nowMs: number): Promise<PendingMapping>;
  /** Takes domains that were mapped off that list. */
  mapped(done: readonly PendingMapping[]): Promise<void>;
}

/** `read` reads the item of a project. */
export function pendingMappingStore(
  tableName: string,
  read: (id: string) => Promise<Item | undefined>,
): PendingMappingStore {
  return {
    async pendingMappings(project) {
      const items = project === undefined ? await scanAll(tableName) : [await read(project)];
      return items.flatMap(item => (item ? pendingOf(item) : []));
    },

    async mappingStarted(project, domain, nowMs) {
      const started = { id: randomUUID(), project, domain, writtenSinceMs: nowMs };
      await orUnavailable(
        documents.send(
          new UpdateCommand({
            TableName: tableName,
            Key: { id: project },
            UpdateExpression: 'ADD pendingMappings :started',
            ConditionExpression: 'attribute_exists(id)',
            ExpressionAttributeValues: { ':started': new Set([pendingEntry(started)]) },
          }),
        ),
      );
      return started;
    },

    async mapped(done) {
      for (const [id, entries = []] of Object.entries(Object.groupBy(done, ({ project }) => project))) {
        await orUnavailable(
          documents.send(
            new UpdateCommand({
              TableName: tableName,
              Key: { id },
              UpdateExpression: 'DELETE pendingMappings :done',
              ExpressionAttributeValues: { ':done': new Set(entries.map(pendingEntry)) },
            }),
          ),
        );
      }
    },
  };
}
