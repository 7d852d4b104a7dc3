import type { LambdaClient } from '@aws-sdk/client-lambda';
import { CommandError } from './command-error.ts';
import { explainAwsError } from './explain-aws-error.ts';
import type { Target } from './target.ts';

/** What the operator function is asked. A change has the `requestId` by which a repeated delivery is recognised. */
export interface OperatorRequest {
  readonly command: string;
  readonly requestId?: string;
  readonly by?: string | undefined;
  readonly [field: string]: unknown;
}

/** Cold starts included, the function is done in seconds. */
const CONNECT_TIMEOUT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** Connected to the operator function of one environment. */
export interface Operator {
  /** The result of a command; a CommandError says in plain words why there is none. */
  invoke(request: OperatorRequest, signal?: AbortSignal): Promise<unknown>;
  /** The ARN of whoever's credentials these are; undefined when AWS does not say. */
  callerArn(): Promise<string | undefined>;
}

/** Finds credentials and region first, so that what is missing is said before anything is asked or done. */
export async function connectOperator(target: Target): Promise<Operator> {
  // Loading the SDK takes longer than all the rest: only who needs it waits for it.
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const lambda: LambdaClient = new LambdaClient({
    ...target.aws,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  const explained = async <Value>(work: Promise<Value>, isChange = false): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      const region = await lambda.config.region().catch(() => undefined);
      throw explainAwsError(error, { ...target, region, isChange });
    }
  };
  const credentials = await explained(lambda.config.credentials());
  const region = await explained(lambda.config.region());

  return {
    async invoke(request, signal) {
      const isChange = request.requestId !== undefined;
      const Payload = JSON.stringify(request);
      const answer = await explained(
        lambda.send(
          new InvokeCommand({ FunctionName: target.functionName, Payload }),
          signal ? { abortSignal: signal } : {},
        ),
        isChange,
      );
      const text = answer.Payload?.transformToString() ?? '';
      if (answer.FunctionError) {
        throw explainAwsError(functionError(text), { ...target, region, isChange });
      }
      return resultOf(text, target.functionName);
    },

    async callerArn() {
      const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
      // Asked once and briefly: the record is better with a name, but the change does not depend on it.
      const sts = new STSClient({
        region,
        credentials,
        maxAttempts: 1,
        requestHandler: { connectionTimeout: 2_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
      });
      try {
        return (await sts.send(new GetCallerIdentityCommand({}))).Arn;
      } catch {
        return undefined;
      } finally {
        sts.destroy();
      }
    },
  };
}

/** The function answers `{"ok":true,"result":…}` or `{"ok":false,"error":{"code","message"}}`. */
function resultOf(text: string, functionName: string): unknown {
  const reply = parsed(text);
  if (reply?.ok === true) return reply.result;
  if (typeof reply?.error?.message === 'string') {
    throw new CommandError(reply.error.code ?? 'error', reply.error.message);
  }
  throw new CommandError(
    'function_error',
    `${functionName} gave an answer that this command does not understand.`,
    {
      advice: ['Are this checkout and what is deployed of the same version?'],
    },
  );
}

/** What Lambda reports when the function itself broke: `{"errorType","errorMessage"}`. */
function functionError(text: string): Error {
  const error = new Error(parsed(text)?.errorMessage ?? 'no reason given');
  error.name = 'FunctionError';
  return error;
}

// biome-ignore lint/suspicious/noExplicitAny: it comes from outside, and every field is looked at before it is used.
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
