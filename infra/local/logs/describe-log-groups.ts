import * as z from 'zod';
import { type Operation, operation } from '../aws-api/operation.ts';
import { page } from '../aws-api/paging.ts';
import { logGroupArn } from './log-group-type.ts';
import type { LogGroup, LogGroups } from './log-groups.ts';
import { LogsError } from './logs-error.ts';

/** CloudWatch Logs gives 50 groups at most, and by default. */
const MAX_LIMIT = 50;

/** Lists the log groups by name. The token is the name of the first group of the next page. */
export function describeLogGroups(logGroups: LogGroups): Operation {
  return operation({
    name: 'DescribeLogGroups',
    input: z.strictObject({
      logGroupNamePrefix: z.string().optional(),
      limit: z.int().min(1).max(MAX_LIMIT).default(MAX_LIMIT),
      nextToken: z.string().optional(),
    }),
    resource: () => logGroupArn('*'),
    perform({ logGroupNamePrefix = '', limit, nextToken }) {
      const matching = logGroups.list().filter(({ name }) => name.startsWith(logGroupNamePrefix));
      if (nextToken !== undefined && !matching.some(({ name }) => name === nextToken)) {
        throw new LogsError('InvalidParameterException', 'The specified nextToken is invalid.');
      }
      const { shown, next } = page(matching, limit, ({ name }) => name < (nextToken ?? ''));
      return { logGroups: shown.map(described), ...(next && { nextToken: next.name }) };
    },
  });
}

function described({ name, retentionInDays }: LogGroup) {
  return {
    logGroupName: name,
    arn: logGroupArn(name),
    logGroupArn: logGroupArn(name).replace(/:\*$/, ''),
    metricFilterCount: 0,
    ...(retentionInDays !== undefined && { retentionInDays }),
  };
}
