import * as z from 'zod/mini';
import type { AuditLog } from '../audit/audit-log.ts';
import { type CommandTable, command } from './command.ts';

const DEFAULT_LIMIT = 50;
const MAXIMUM_LIMIT = 500;

const Limit = z
  .int('must be a whole number')
  .check(z.gte(1, `must be 1 to ${MAXIMUM_LIMIT}`), z.lte(MAXIMUM_LIMIT, `must be 1 to ${MAXIMUM_LIMIT}`));

/** What operators ask the audit log. */
export function auditCommands(audit: AuditLog): CommandTable<'audit.list'> {
  return {
    'audit.list': command(z.strictObject({ limit: z._default(Limit, DEFAULT_LIMIT) }), async ({ limit }) => ({
      entries: await audit.list(limit),
    })),
  };
}
