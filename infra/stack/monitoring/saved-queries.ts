import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';

/** The key ids of callers, most requests first. A metric by key id would cost a custom metric for each key. */
export const REQUESTS_BY_KEY = {
  fields: ['keyId'],
  filterStatements: ['ispresent(keyId) and keyId != "-"'],
  statsStatements: ['count(*) as requests by keyId'],
  sort: 'requests desc',
  limit: 20,
};

/** The log groups that queries are saved for. */
export interface QueriedLogs {
  readonly accessLogs: readonly ILogGroup[];
  readonly functions: readonly ServiceFunction[];
}

/** Saved queries of CloudWatch Logs Insights, in a folder by the name of the environment. */
export function saveQueries(scope: Construct, stage: string, { accessLogs, functions }: QueriedLogs): void {
  const save = (id: string, name: string, logGroups: readonly ILogGroup[], query: QueryStringProps) =>
    new QueryDefinition(scope, id, {
      queryDefinitionName: `petstore-${stage}/${name}`,
      // A query searches at most 50 log groups.
      logGroups: logGroups.slice(0, 50) as ILogGroup[],
      queryString: new QueryString(query),
    });
  const functionLogs = functions.map(({ logGroup }) => logGroup);

  save('QueryRequestsByKey', 'requests by key id', accessLogs, REQUESTS_BY_KEY);
  save('QueryFailedRequests', 'failed requests', accessLogs, {
    fields: ['time', 'requestId', 'method', 'resource', 'status', 'gatewayError', 'keyId', 'latencyMs'],
    filterStatements: ['status like /^5/'],
    sort: '@timestamp desc',
    limit: 100,
  });
  save('QuerySlowRequests', 'slow requests', accessLogs, {
    fields: ['time', 'requestId', 'method', 'resource', 'status', 'latencyMs', 'functionLatencyMs'],
    filterStatements: ['latencyMs >= 1000'],
    sort: 'latencyMs desc',
    limit: 100,
  });
  save('QueryRefusedRequests', 'refused requests by reason', accessLogs, {
    fields: ['status', 'gatewayError'],
    filterStatements: ['status like /^4/'],
    statsStatements: ['count(*) as requests by status, gatewayError, method, resource'],
    sort: 'requests desc',
    limit: 100,
  });
  save('QueryErrors', 'errors and warnings of the functions', functionLogs, {
    fields: ['@timestamp', '@log', 'level', 'message', 'requestId', 'error.name', 'error.message', 'domain'],
    filterStatements: ['level in ["ERROR", "WARN"] or record.status in ["error", "timeout"]'],
    sort: '@timestamp desc',
    limit: 100,
  });
  save('QueryDurations', 'durations of the functions', functionLogs, {
    fields: ['@log', 'record.metrics.durationMs'],
    filterStatements: ['type = "platform.report"'],
    statsStatements: [
      'count(*) as invocations, max(record.metrics.durationMs) as longestMs, pct(record.metrics.durationMs, 99) as p99Ms by @log',
    ],
    sort: 'longestMs desc',
  });
  save('QueryDomains', 'domains that need attention', functionLogs, {
    fields: ['@timestamp', 'domain', 'project', 'reason', 'message'],
    filterStatements: ['ispresent(domain) and level in ["ERROR", "WARN"]'],
    sort: '@timestamp desc',
    limit: 100,
  });
}

type QueryStringProps = ConstructorParameters<typeof QueryString>[0];
