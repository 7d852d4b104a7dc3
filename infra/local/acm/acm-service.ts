import { constraintMessage } from '../aws-api/constraint-message.ts';
import { type JsonApi, jsonService } from '../aws-api/json-protocol.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { ACM_STATUS_BY_ERROR } from './acm-error.ts';
import { type CertificateOperationsOptions, certificateOperations } from './certificate-operations.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;

/** The ACM API. */
export function acmApi(options: CertificateOperationsOptions): JsonApi {
  return {
    title: 'ACM',
    actionPrefix: 'acm',
    targetPrefix: 'CertificateManager',
    jsonVersion: '1.1',
    operations: certificateOperations(options),
    model: () => loadServiceModel('acm'),
    statusByError: ACM_STATUS_BY_ERROR,
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

export function acmService(options: CertificateOperationsOptions): AwsService {
  return jsonService(acmApi(options));
}
