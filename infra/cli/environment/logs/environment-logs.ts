import type { Session } from '../../framework/session.ts';
import { noLogGroups } from './explain-logs-error.ts';
import type { LogGroup } from './log-group.ts';
import { connectLogs, type LogSource } from './log-source.ts';

/** The logs of the session's environment, which has at least one log group. */
export async function environmentLogs({
  target,
}: Session): Promise<{ readonly source: LogSource; readonly groups: readonly LogGroup[] }> {
  const source = await connectLogs(target);
  const groups = await source.groups();
  if (groups.length === 0) throw noLogGroups({ ...target, region: source.region });
  return { source, groups };
}
