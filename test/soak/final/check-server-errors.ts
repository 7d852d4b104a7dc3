import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoakContext } from '../context.ts';

/** Lambda's limit for the start of a function. */
const START_LIMIT_MS = 10_000;

/**
 * Examines the answers with 500 by the access logs. One of the gateway, for a function that did not start within the limit
 * and so never ran, is the fault of a busy machine and is counted; any other is a defect.
 */
export function checkServerErrors({ serverErrors, tally, violations }: SoakContext, folder: string): void {
  const entries = new Map(accessEntries(folder).map(entry => [entry.requestId, entry]));
  for (const [requestId, request] of serverErrors) {
    const entry = entries.get(requestId);
    const hasNeverRun = entry?.functionRequestId === '-' && Number(entry.functionLatencyMs) >= START_LIMIT_MS;
    if (hasNeverRun) tally.count('functions too slow to start on this machine');
    else
      violations.add('undocumented answer', `${request} was answered with 500 (X-Request-Id ${requestId})`);
  }
}

function accessEntries(folder: string): Record<string, string>[] {
  const logs = join(folder, '.local', 'logs');
  return readdirSync(logs)
    .filter(name => name.includes('AccessLogs'))
    .flatMap(name => readFileSync(join(logs, name), 'utf8').split('\n'))
    .flatMap(line => parsed(line.slice(line.indexOf('{'))));
}

/** A line that a kill has cut off has no entry. */
function parsed(line: string): Record<string, string>[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
