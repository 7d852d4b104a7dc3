/** The ACM API, JSON 1.1: `POST /` with the header `X-Amz-Target: CertificateManager.RequestCertificate`. */
import { throttle } from '../apigateway/throttle.ts';
import { type AwsRequest, type AwsService, answerJson, readBody } from '../aws-service.ts';
import { AcmError } from './acm-error.ts';
import {
  type AcmOperation,
  type CertificateOperationsOptions,
  certificateOperations,
} from './certificate-operations.ts';

/** Requests per second and account; of what is not here there is no limit to reach on one machine. */
const RATES_PER_SECOND = { RequestCertificate: 5, DescribeCertificate: 10, DeleteCertificate: 10 };

const BODY_LIMIT_BYTES = 1024 * 1024;
const CONTENT_TYPE = { 'content-type': 'application/x-amz-json-1.1' };

type Operation = AcmOperation & { mayPass?(): boolean };

export function acmService(options: CertificateOperationsOptions): AwsService {
  const operations = new Map<string, Operation>(Object.entries(certificateOperations(options)));
  for (const [name, rate] of Object.entries(RATES_PER_SECOND)) {
    const mayPass = throttle({ ratePerSecond: rate, burst: rate }, options.now);
    operations.set(name, { ...(operations.get(name) as AcmOperation), mayPass });
  }
  return async call => {
    try {
      answerJson(call.response, 200, await answer(call, operations), CONTENT_TYPE);
    } catch (error) {
      if (!(error instanceof AcmError)) throw error;
      const body = { __type: error.name, message: error.message };
      answerJson(call.response, error.status, body, { ...CONTENT_TYPE, 'x-amzn-errortype': error.name });
    }
  };
}

async function answer(
  { request, principal }: AwsRequest,
  operations: ReadonlyMap<string, Operation>,
): Promise<unknown> {
  const sent = jsonBody(await readBody(request, BODY_LIMIT_BYTES));
  const target = String(request.headers['x-amz-target']);
  const name = target.replace(/^CertificateManager\./, '');
  const operation = operations.get(name);
  if (operation === undefined) {
    throw new AcmError('NotImplemented', `${name} of the ACM API is not supported by the local runtime.`);
  }
  if (operation.mayPass?.() === false) throw new AcmError('ThrottlingException', 'Rate exceeded');
  for (const [action, resource] of operation.permissions(sent)) {
    const denial = principal.denial(action, resource);
    if (denial !== undefined) throw new AcmError('AccessDeniedException', denial);
  }
  return operation.perform(sent);
}

function jsonBody(sent: Buffer | undefined): unknown {
  try {
    const body: unknown = JSON.parse(sent === undefined || sent.length === 0 ? '{}' : sent.toString());
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Answered below, with everything else that is no object.
  }
  throw new AcmError('SerializationException', 'The request body is not a JSON object.');
}
