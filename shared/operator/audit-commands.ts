import * as z from 'zod/mini';
import type { AuditLog } from '../audit/audit-log.ts';
import { type CommandTable, command } from './command.ts';
import { ListLimit } from './list-limit.ts';

/** What operators ask the audit log. */
export function auditCommands(audit: AuditLog): CommandTable<'audit.list'> {
  return {
    'audit.list': command(z.strictObject({ limit: ListLimit }), async ({ limit }) => ({
      entries: await audit.list(limit),
    })),
  };
}
