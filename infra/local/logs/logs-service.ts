import { constraintMessage } from '../aws-api/constraint-message.ts';
import { type JsonApi, jsonService } from '../aws-api/json-protocol.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { describeLogGroups } from './describe-log-groups.ts';
import { filterLogEvents, type LogSearchOptions } from './filter-log-events.ts';
import { LOGS_STATUS_BY_ERROR, LogsError } from './logs-error.ts';

/** CloudWatch Logs' limit for a request. */
const BODY_LIMIT_BYTES = 1_048_576;

/** FilterLogEvents and DescribeLogGroups per account: the lowest of any region. */
const REQUESTS_PER_SECOND = 5;
const BURST = 10;

/** The CloudWatch Logs API. */
export function logsApi(options: LogSearchOptions): JsonApi {
  const rate = () =>
    tokenBucket({
      ratePerSecond: REQUESTS_PER_SECOND,
      burst: BURST,
      now: options.now,
      refusal: () => new LogsError('ThrottlingException', 'Rate exceeded'),
    });
  return {
    title: 'CloudWatch Logs',
    actionPrefix: 'logs',
    targetPrefix: 'Logs_20140328',
    jsonVersion: '1.1',
    operations: [
      { ...describeLogGroups(options.logGroups), rate: rate() },
      { ...filterLogEvents(options), rate: rate() },
    ],
    model: () => loadServiceModel('logs'),
    statusByError: LOGS_STATUS_BY_ERROR,
    errorNames: {
      accessDenied: 'AccessDeniedException',
      invalidInput: 'InvalidParameterException',
      unreadableRequest: 'SerializationException',
      bodyTooLarge: 'InvalidParameterException',
    },
    describeIssues: constraintMessage,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  };
}

export function logsService(options: LogSearchOptions): AwsService {
  return jsonService(logsApi(options));
}
