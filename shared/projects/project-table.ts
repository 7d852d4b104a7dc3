/**
 * Table: partition key `id` (S). The other attributes are the fields of Project, all text; `deployState`, `deployedAt`
 * and `succeededAt` hold what Project has under `deploy`, `routing` (M) is its Routing, absent at first. `pendingMappings`
 * (SS) has an entry `<id> <domain>` for every domain whose mapping a change of the routing has changed, until it is mapped,
 * and an entry `<id> <domain> <time>` for every function that writes a mapping, in milliseconds since 1970, until it has;
 * the id is another for every change and every function. `writeToken` identifies the write that added the project, for a
 * retry whose first answer was lost.
 */
export const PROJECTS_TABLE = { partitionKey: 'id' } as const;
