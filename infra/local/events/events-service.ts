import { constraintMessage } from '../aws-api/constraint-message.ts';
import { type JsonApi, jsonService } from '../aws-api/json-protocol.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { type PutEventsOptions, putEvents } from './put-events.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;

/** The errors of the EventBridge API and their HTTP status. */
const STATUS_BY_ERROR = {
  AccessDeniedException: 400,
  InternalException: 500,
  SerializationException: 400,
  ValidationException: 400,
};

/** The EventBridge API. */
export function eventsApi(options: PutEventsOptions): JsonApi {
  return {
    title: 'EventBridge',
    actionPrefix: 'events',
    targetPrefix: 'AWSEvents',
    jsonVersion: '1.1',
    operations: [putEvents(options)],
    model: () => loadServiceModel('events'),
    statusByError: STATUS_BY_ERROR,
    errorNames: {
      accessDenied: 'AccessDeniedException',
      invalidInput: 'ValidationException',
      unreadableRequest: 'SerializationException',
      bodyTooLarge: 'ValidationException',
    },
    describeIssues: constraintMessage,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  };
}

export function eventsService(options: PutEventsOptions): AwsService {
  return jsonService(eventsApi(options));
}
