/**
 * Table: partition key `id` (S). The other attributes are the fields of Project, all text; `deployState` and `deployedAt`
 * hold what Project has under `deploy`, `primaryDomain` what it has as `primary`. `writeToken` tells our own write.
 */
export const PROJECTS_TABLE = { partitionKey: 'id' } as const;
