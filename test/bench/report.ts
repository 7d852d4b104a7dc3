import Table from 'cli-table3';
import type { Budget, Results } from './budgets.ts';

/** The first `textColumns` columns hold text; the others hold numbers and are aligned to the right. */
function table(textColumns: number, head: string[], rows: (string | number)[][]): string {
  const drawn = new Table({
    head,
    colAligns: head.map((_, column) => (column < textColumns ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  drawn.push(...rows);
  return drawn.toString();
}

const ratio = (value: number) => value.toFixed(2);
const milliseconds = (value: number) => value.toFixed(1);
const kilobytes = (value: number) => (value / 1000).toFixed(0);
const count = (value: number) => value.toLocaleString('en');

/** The results as tables for the terminal. */
export function tables({ cold, warm, dynamodb }: Results): string {
  const parts: string[] = [];
  if (cold) {
    parts.push(
      'Cold start: a fresh process, CPU milliseconds; × is the ratio to the bare handler (orders: to its list, authorize: to its get)',
      table(
        2,
        ['operation', 'variant', 'KB', '×', 'import', 'first call', 'both', '×', 'undici'],
        cold.map(row => [
          row.operation,
          row.variant,
          kilobytes(row.bytes),
          ratio(row.bytesRatio),
          milliseconds(row.importMs),
          milliseconds(row.firstInvocationMs),
          milliseconds(row.totalMs),
          ratio(row.totalRatio),
          row.isUndiciLoaded ? 'yes' : 'no',
        ]),
      ),
    );
  }
  if (warm) {
    parts.push(
      'Warm: CPU microseconds of one invocation; × is the ratio to the bare handler',
      table(
        2,
        ['request', 'variant', 'µs', '×'],
        warm.map(row => [row.workload, row.variant, row.cpuMicroseconds.toFixed(0), ratio(row.ratio)]),
      ),
    );
  }
  if (dynamodb) {
    parts.push(
      'DynamoDB: what the engine reports for one request to the service',
      table(
        1,
        ['operation', 'pets', 'calls', 'units', 'for authentication'],
        dynamodb.map(row => [
          row.operation,
          count(row.pets),
          row.calls,
          row.capacityUnits,
          row.authenticationCalls,
        ]),
      ),
    );
  }
  return parts.join('\n\n');
}

export function budgetTable(budgets: readonly Budget[]): string {
  const number = (value: number) => String(Math.round(value * 1000) / 1000);
  return [
    'Budgets',
    table(
      1,
      ['what', 'limit', 'measured', ''],
      budgets.map(({ what, limit, measured, isKept }) => [
        what,
        limit,
        number(measured),
        isKept ? 'ok' : 'missed',
      ]),
    ),
  ].join('\n\n');
}
