/**
 * Table: partition key `id` (S). The other attributes are the fields of Project, all text; `deployState` and `deployedAt`
 * hold what Project has under `deploy`, `routing` is the JSON of its Routing, absent at first. `writeToken` tells our own
 * write.
 */
export const PROJECTS_TABLE = { partitionKey: 'id' } as const;
