/**
 * One JSON object per line, written straight to standard output: Lambda's console wrapper would put its own prefix in front,
 * and its structured logging would nest the line inside another object. Without `timestamp`, Lambda would treat every line as
 * INFO.
 */
function write(level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Record<string, unknown>): void {
  const line = { timestamp: new Date().toISOString(), level, message, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export const log = {
  info: (message: string, fields: Record<string, unknown> = {}) => write('INFO', message, fields),
  warn: (message: string, fields: Record<string, unknown> = {}) => write('WARN', message, fields),
  error: (message: string, fields: Record<string, unknown> = {}) => write('ERROR', message, fields),
};

/** What a scheduled function logs at the end of a run, with its counts. Metrics are made from it. */
export const RUN_COMPLETED = 'The scheduled run is complete.';

/** What the canary logs if it lacks something it needs, which clients don't notice. It counts as a background error. */
export const CANARY_IMPAIRED = 'The canary itself is impaired.';

/** Logs that a scheduled run has succeeded, with its counts, which metric filters read. */
export function logCompletedRun(counts: Readonly<Record<string, number>> = {}): void {
  log.info(RUN_COMPLETED, counts);
}

/** What an operator needs to know about an error, including its causes. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const described: Record<string, unknown> = { name: error.name, message: error.message, stack: error.stack };
  if (error.cause !== undefined) described.cause = describeError(error.cause);
  return described;
}
