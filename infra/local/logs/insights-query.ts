import { AwsApiError, notSupported } from '../aws-api/aws-api-error.ts';

type Fields = Readonly<Record<string, unknown>>;
type Row = readonly { readonly field: string; readonly value: string }[];

/** A query of CloudWatch Logs Insights. */
export interface InsightsQuery {
  /** The rows that it finds for the messages of log events, in no order. */
  rowsOf(messages: Iterable<string>): Row[];
}

/** The most rows that a query may ask for, and what it gets without a limit. */
const MOST_ROWS = 10_000;

const FILTER = /^filter\s+(@?\w+)\s*(=|like)\s*("[^"\\]*"|\/\^?[\w-]+\/)$/;
const STATS = /^stats\s+count\(\*\)\s+as\s+(\w+)\s+by\s+(@?\w+(?:\s*,\s*@?\w+)*)$/;
const LIMIT = /^limit\s+(\d+)$/;

/**
 * Reads `filter <field> = "<text>" | filter <field> like /<text>/ | stats count(*) as <name> by <fields> | limit <n>`, in
 * which all but the statistics may be left out. Other queries are refused.
 */
export function insightsQuery(text: string): InsightsQuery {
  const filters: ((fields: Fields) => boolean)[] = [];
  let counted: { readonly name: string; readonly by: readonly string[] } | undefined;
  let limit = MOST_ROWS;
  for (const command of text.split('|').map(part => part.trim())) {
    const [, field = '', operator, wanted = ''] = FILTER.exec(command) ?? [];
    const [, name, by = ''] = STATS.exec(command) ?? [];
    const [, rows] = LIMIT.exec(command) ?? [];
    if (operator && !counted) filters.push(filterOf(field, operator, wanted));
    else if (name && !counted) counted = { name, by: by.split(',').map(each => each.trim()) };
    else if (rows && counted && Number(rows) >= 1 && Number(rows) <= MOST_ROWS) limit = Number(rows);
    else if (/^(filter|stats|limit|fields|sort|parse|dedup|display|pattern)\b/.test(command)) {
      throw notSupported(`The Insights command "${command}" here`);
    } else {
      throw new AwsApiError(
        'MalformedQueryException',
        `unexpected symbol found at the beginning of ${command}`,
      );
    }
  }
  if (!counted) throw notSupported('An Insights query without stats count(*)');
  const { name, by } = counted;
  return {
    rowsOf(messages) {
      const counts = new Map<string, { readonly row: Row; count: number }>();
      for (const message of messages) {
        const fields = fieldsOf(message);
        if (!filters.every(matches => matches(fields))) continue;
        // A row has only the fields that its events have.
        const row = by.flatMap(field => (field in fields ? [{ field, value: String(fields[field]) }] : []));
        const key = JSON.stringify(row);
        const group = counts.get(key) ?? { row, count: 0 };
        group.count += 1;
        counts.set(key, group);
      }
      const rows = [...counts.values()].map(({ row, count }) => [
        ...row,
        { field: name, value: String(count) },
      ]);
      return rows.toReversed().slice(0, limit);
    },
  };
}

function filterOf(field: string, operator: string, wanted: string): (fields: Fields) => boolean {
  const text = wanted.slice(1, -1);
  const isPattern = wanted.startsWith('/');
  if (isPattern && operator === '=') throw notSupported('A comparison with a regular expression');
  const pattern = new RegExp(text);
  return fields => {
    if (!(field in fields)) return false;
    const value = String(fields[field]);
    if (operator === '=') return value === text;
    return isPattern ? pattern.test(value) : value.includes(text);
  };
}

/** The fields that Insights discovers: those of a message that is a JSON object. */
function fieldsOf(message: string): Fields {
  try {
    const value = JSON.parse(message);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
