import { readAccessLine } from './access-line.ts';
import type { LogGroup, LogSource, Query } from './log-source.ts';

/** How one API key used one operation in a period. Every request is counted once. */
export interface Usage {
  /** Null for requests without a valid key, and for those throttled before the key check. */
  readonly keyId: string | null;
  readonly operation: string;
  readonly requests: number;
  /** Refused with 4xx, but not throttled. */
  readonly refused: number;
  readonly throttled: number;
  readonly failed: number;
}

interface Window extends Pick<Query, 'startMs' | 'endMs' | 'signal'> {
  readonly keyId?: string | undefined;
}

/** The most rows a query returns, however many it finds. */
const MOST_ROWS = 10_000;
const HEX_DIGITS = [...'0123456789abcdef'];

/** The use of the operations by the access logs, the most frequent first. */
export async function readUsage(
  source: Pick<LogSource, 'query'>,
  groups: readonly LogGroup[],
  { keyId, ...window }: Window,
): Promise<Usage[]> {
  const logs = groups.filter(({ isAccessLog }) => isAccessLog);
  const count = async (
    filters: readonly string[],
    idPrefix: string,
  ): Promise<Readonly<Record<string, string>>[]> => {
    const commands = [
      ...filters,
      'stats count(*) as requests by keyId, method, resource, status',
      `limit ${MOST_ROWS}`,
    ];
    const rows = await source.query(logs, { ...window, text: commands.join(' | ') });
    if (rows.length < MOST_ROWS) return rows;
    // Some rows may be missing, so keys are counted in parts, by the hexadecimal digits of their ids.
    const parts = [...(idPrefix === 'key_' ? [await count(['filter keyId = "-"'], '')] : [])];
    for (const digit of HEX_DIGITS) {
      parts.push(await count([`filter keyId like /^${idPrefix}${digit}/`], `${idPrefix}${digit}`));
    }
    return parts.flat();
  };
  const rows = await count(keyId === undefined ? [] : [`filter keyId = "${keyId}"`], 'key_');
  return usageOf(rows);
}

function usageOf(rows: readonly Readonly<Record<string, string>>[]): Usage[] {
  const all = rows.flatMap(row => {
    const line = readAccessLine(JSON.stringify(row));
    // Documents, redirects and unknown paths aren't operations.
    if (line?.operation === undefined) return [];
    const { operation, status, keyId = null } = line;
    const requests = Number(row.requests);
    const countIf = (isCounted: boolean) => (isCounted ? requests : 0);
    return {
      keyId,
      operation,
      requests,
      refused: countIf(status >= 400 && status < 500 && status !== 429),
      throttled: countIf(status === 429),
      failed: countIf(status >= 500),
    };
  });
  return [...Map.groupBy(all, ({ keyId, operation }) => `${keyId} ${operation}`).values()]
    .map(same => same.reduce(sum))
    .sort((left, right) => right.requests - left.requests);
}

function sum(left: Usage, right: Usage): Usage {
  return {
    ...left,
    requests: left.requests + right.requests,
    refused: left.refused + right.refused,
    throttled: left.throttled + right.throttled,
    failed: left.failed + right.failed,
  };
}
