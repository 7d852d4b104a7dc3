import type { Session } from '../../framework/session.ts';

/** Removes the API keys from API Gateway. One run of the command removes keys for half a minute, so it is repeated. */
export async function withdrawKeys(
  session: Session,
): Promise<{ readonly removed: readonly string[]; readonly remaining: number }> {
  const removed: string[] = [];
  for (;;) {
    const run = await session.change('keys.withdraw', {}, '', { isConfirmed: true });
    removed.push(...run.removed);
    if (run.removed.length > 0) session.progress(`API keys removed from API Gateway: ${removed.length}.`);
    if (run.remaining === 0 || run.removed.length === 0) return { removed, remaining: run.remaining };
  }
}
