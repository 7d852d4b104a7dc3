import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceTable } from '../service-table.ts';
import { type AlarmDeclaration, FIVE_MINUTES, splitByLimit, sumOf, TWO_OF_THREE } from './service-alarm.ts';
import { titleOf } from './titles.ts';

/** The operations of transactions are counted under this name. */
const TRANSACTION = 'TransactWriteItems';

const READS = ['GetItem', 'Query', 'Scan'];

/** Of each table: requests that DynamoDB throttles, and requests that fail at DynamoDB itself. */
export function tableAlarms(table: ServiceTable): AlarmDeclaration[] {
  const title = `${titleOf(table)} table`;
  return [
    ...splitByLimit(`${title} throttles`, capacities(table), (name, dimensions) => ({
      title: name,
      description: `DynamoDB throttled requests to the table ${table.name} or an index of it.`,
      metric: sumOf(
        dimensions.map(([metricName, dimensionsMap]) => dynamoDb(metricName, dimensionsMap)),
        FIVE_MINUTES,
        'throttled reads and writes',
      ),
      threshold: 5,
      periods: TWO_OF_THREE,
    })),
    ...splitByLimit(`${title} system errors`, operationsOf(table), (name, operations) => ({
      title: name,
      description: `DynamoDB answered requests to the table ${table.name} with an error of its own.`,
      metric: sumOf(
        operations.map(Operation => dynamoDb('SystemErrors', { TableName: table.tableName, Operation })),
        FIVE_MINUTES,
        'failed requests',
      ),
      threshold: 5,
      periods: TWO_OF_THREE,
    })),
  ];
}

type Capacity = readonly [metricName: string, dimensions: Record<string, string>];

/** A table and each of its indexes are throttled by themselves, reads and writes apart. */
function capacities({ tableName: TableName, indexNames }: ServiceTable): Capacity[] {
  const places = [
    { TableName },
    ...indexNames.map(GlobalSecondaryIndexName => ({ TableName, GlobalSecondaryIndexName })),
  ];
  return places.flatMap(place => [
    ['ReadThrottleEvents', place] as const,
    ['WriteThrottleEvents', place] as const,
  ]);
}

function operationsOf({ operations, indexNames }: ServiceTable): string[] {
  const isWritten = [...operations].some(operation => !READS.includes(operation));
  const counted = new Set([
    ...operations,
    ...(indexNames.length > 0 ? ['Query'] : []),
    ...(isWritten ? [TRANSACTION] : []),
  ]);
  // A condition check exists within transactions only.
  counted.delete('ConditionCheckItem');
  return [...counted].toSorted();
}

function dynamoDb(metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap,
    statistic: 'sum',
    period: FIVE_MINUTES,
    label: Object.values(dimensionsMap).at(-1) ?? metricName,
  });
}
