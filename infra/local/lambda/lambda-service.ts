import * as z from 'zod';
import { awsService } from '../aws-api/aws-service.ts';
import { type Operation, operationOf } from '../aws-api/operation.ts';
import type { AwsService, ServiceApi } from '../aws-api/service-api.ts';
import type { AsynchronousInvocations } from './asynchronous-invocations.ts';
import { arnOfFunction } from './function-configuration.ts';
import { type LambdaFunctions, REQUEST_LIMIT_BYTES } from './functions.ts';
import { LAMBDA_STATUS_BY_ERROR, LambdaError } from './invocation.ts';

const operation = operationOf<typeof import('@aws-sdk/client-lambda')>();

/** The Lambda API. */
export function lambdaApi(functions: LambdaFunctions, asynchronous: AsynchronousInvocations): ServiceApi {
  return {
    title: 'Lambda',
    sdk: () => import('@aws-sdk/client-lambda').then(sdk => [sdk, sdk.LambdaClient]),
    actionPrefix: 'lambda',
    operations: [invoke(functions, asynchronous)],
    statusByError: LAMBDA_STATUS_BY_ERROR,
    errorNames: {
      invalidInput: 'InvalidParameterValueException',
      unreadableRequest: 'InvalidRequestContentException',
      bodyTooLarge: 'RequestTooLargeException',
    },
    bodyLimitBytes: REQUEST_LIMIT_BYTES,
  };
}

export function lambdaService(functions: LambdaFunctions, asynchronous: AsynchronousInvocations): AwsService {
  return awsService(lambdaApi(functions, asynchronous));
}

function invoke(functions: LambdaFunctions, asynchronous: AsynchronousInvocations): Operation {
  return operation({
    name: 'Invoke',
    action: 'InvokeFunction',
    input: z.strictObject({
      FunctionName: z.string(),
      Qualifier: z.string().optional(),
      InvocationType: z.enum(['Event', 'RequestResponse']).default('RequestResponse'),
      LogType: z.enum(['None', 'Tail']).default('None'),
      Payload: z.instanceof(Buffer),
    }),
    resource: ({ FunctionName = '', Qualifier }) => arnOfFunction(FunctionName, Qualifier),
    async perform({ FunctionName, Qualifier, InvocationType, LogType, Payload }, { requestId }) {
      const functionArn = arnOfFunction(FunctionName, Qualifier);
      functions.deployed(functionArn);
      const event = jsonText(Payload);
      if (InvocationType === 'Event') {
        // An asynchronous invocation reports a failure to the function's log only.
        asynchronous.run(() =>
          functions.invoke(functionArn, event).then(
            ({ functionError }) => functionError === undefined,
            () => false,
          ),
        );
        return { StatusCode: 202 };
      }
      const log = LogType === 'Tail' ? invocationLog(requestId) : undefined;
      const result = await functions.invoke(functionArn, event, {
        requestId,
        ...(log && { onLine: log.onLine }),
      });
      return {
        StatusCode: 200,
        ExecutedVersion: '$LATEST',
        FunctionError: result.functionError,
        LogResult: log?.tail(),
        Payload: result.payload,
      };
    },
  });
}

/** The event as it was sent; no payload is an empty object. */
function jsonText(payload: Buffer): string {
  const text = payload.length === 0 ? '{}' : payload.toString();
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    const message = `Could not parse request body into json: ${(error as Error).message}`;
    throw new LambdaError('InvalidRequestContentException', message);
  }
}

/** Lambda returns the last 4 KB of an invocation's log. */
const TAIL_BYTES = 4096;

/** Collects the log of one invocation for X-Amz-Log-Result. */
function invocationLog(requestId: string): { onLine(line: string): void; tail(): string } {
  const startedMs = performance.now();
  const lines = [`START RequestId: ${requestId} Version: $LATEST`];
  return {
    onLine: line => lines.push(line),
    tail: () => {
      const durationMs = (performance.now() - startedMs).toFixed(2);
      lines.push(
        `END RequestId: ${requestId}`,
        `REPORT RequestId: ${requestId}\tDuration: ${durationMs} ms`,
        '',
      );
      return Buffer.from(lines.join('\n')).subarray(-TAIL_BYTES).toString('base64');
    },
  };
}
