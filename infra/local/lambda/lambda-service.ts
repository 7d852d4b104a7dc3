import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type AwsRequest,
  type AwsService,
  answerJson,
  answerRestJsonError,
  readBody,
} from '../aws-service.ts';
import { arnOfFunction } from './function-name.ts';
import { type LambdaFunctions, REQUEST_LIMIT_BYTES } from './functions.ts';
import { invocationLog } from './invocation-log.ts';
import { LambdaError } from './lambda-error.ts';

const STATUS_BY_ERROR: Readonly<Record<LambdaError['name'], number>> = {
  AccessDeniedException: 403,
  InvalidParameterValueException: 400,
  InvalidRequestContentException: 400,
  RequestTooLargeException: 413,
  ResourceNotFoundException: 404,
  ServiceException: 500,
  TooManyRequestsException: 429,
};

const FUNCTIONS = '/2015-03-31/functions';
const INVOCATIONS = new RegExp(`^${FUNCTIONS}/([^/]+)/invocations$`);

/** The Lambda API: Invoke and ListFunctions. */
export function lambdaService(functions: LambdaFunctions): AwsService {
  return async call => {
    try {
      await answer(functions, call);
    } catch (error) {
      if (!(error instanceof LambdaError)) {
        throw error;
      }
      answerRestJsonError(call.response, STATUS_BY_ERROR[error.name], error.name, error.message);
    }
  };
}

async function answer(functions: LambdaFunctions, call: AwsRequest): Promise<void> {
  const { request, response, principal } = call;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [, encodedName] = INVOCATIONS.exec(url.pathname) ?? [];
  if (request.method === 'POST' && encodedName !== undefined) {
    const functionArn = arnOfFunction(
      decodeURIComponent(encodedName),
      url.searchParams.get('Qualifier') ?? undefined,
    );
    refuseDenied(principal.denial('lambda:InvokeFunction', functionArn));
    await invoke(functions, functionArn, call);
  } else if (request.method === 'GET' && url.pathname.replace(/\/$/, '') === FUNCTIONS) {
    refuseDenied(principal.denial('lambda:ListFunctions', '*'));
    list(functions, response);
  } else {
    const message = `${request.method} ${url.pathname} of the Lambda API is not supported by the local runtime.`;
    answerRestJsonError(response, 501, 'NotImplemented', message);
  }
}

async function invoke(
  functions: LambdaFunctions,
  functionArn: string,
  { request, response }: AwsRequest,
): Promise<void> {
  const body = await readBody(request, REQUEST_LIMIT_BYTES);
  functions.deployed(functionArn);
  const event = jsonText(body);
  const { 'x-amz-invocation-type': invocationType = 'RequestResponse', 'x-amz-log-type': logType } =
    request.headers;
  switch (invocationType) {
    case 'DryRun':
      response.writeHead(204).end();
      return;
    case 'Event':
      // The caller is not told how it went; the function's log is.
      functions.invoke(functionArn, event).catch(() => {});
      response.writeHead(202).end();
      return;
    case 'RequestResponse': {
      const requestId = randomUUID();
      const log = logType === 'Tail' ? invocationLog(requestId) : undefined;
      const result = await functions.invoke(functionArn, event, {
        requestId,
        ...(log && { onLine: log.onLine }),
      });
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'x-amzn-requestid': requestId,
          'x-amz-executed-version': '$LATEST',
          ...(result.functionError && { 'x-amz-function-error': result.functionError }),
          ...(log && { 'x-amz-log-result': log.tail() }),
        })
        .end(result.payload);
      return;
    }
    default:
      throw new LambdaError(
        'InvalidParameterValueException',
        `Value '${invocationType}' at 'invocationType' failed to satisfy constraint: Member must satisfy enum value set: [Event, RequestResponse, DryRun]`,
      );
  }
}

/** The event as it was sent; no payload at all is an empty object. */
function jsonText(body: Buffer | undefined): string {
  if (body === undefined) {
    throw new LambdaError(
      'RequestTooLargeException',
      `Request must be smaller than ${REQUEST_LIMIT_BYTES} bytes for the InvokeFunction operation`,
    );
  }
  const text = body.length === 0 ? '{}' : body.toString();
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new LambdaError(
      'InvalidRequestContentException',
      `Could not parse request body into json: ${(error as Error).message}`,
    );
  }
}

function list(functions: LambdaFunctions, response: ServerResponse): void {
  answerJson(response, 200, {
    Functions: functions.configurations.map(
      ({ name, arn, roleArn, handlerName, timeoutSeconds, memoryMb }) => ({
        FunctionName: name,
        FunctionArn: arn,
        Role: roleArn,
        Handler: `index.${handlerName}`,
        Timeout: timeoutSeconds,
        MemorySize: memoryMb,
        Version: '$LATEST',
        PackageType: 'Zip',
      }),
    ),
  });
}

function refuseDenied(denial: string | undefined): void {
  if (denial !== undefined) {
    throw new LambdaError('AccessDeniedException', denial);
  }
}
