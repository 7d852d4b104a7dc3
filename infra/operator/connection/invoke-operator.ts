import { userInfo } from 'node:os';
import type { LambdaClient } from '@aws-sdk/client-lambda';
import { proveCaller } from '../../../shared/operator/caller-proof.ts';
import {
  type CommandName,
  type Reply,
  type ResultOf,
  readRequestId,
} from '../../../shared/operator/contract.ts';
import { sourceVersion } from '../../tools/build-cache.ts';
import { explainAwsError, mayHaveArrived } from './aws-error.ts';
import { CommandError } from './command-error.ts';
import { callLimits, type Target } from './target.ts';

/**
 * The fields of a command. A change has a `requestId` too, by which a repeated delivery is recognized
 * (readRequestId). A read may have the revision of the result that the caller has
 * (shared/operator/revision.ts).
 */
interface OperatorFields {
  readonly requestId?: string;
  readonly known?: string;
  readonly [field: string]: unknown;
}

/**
 * All attempts together. The function responds within seconds, cold starts included, and Lambda ends it after 55 s: without a
 * response by then, another attempt wouldn't bring one either.
 */
const LIMIT_MS = 60_000;

/** After this time, people want to know what they're waiting for. */
export const NOTICEABLE_MS = 2_000;

export interface Outcome<Result = unknown> {
  readonly result: Result;
  /** The caller has the result already, as `known` says; here it's null. */
  readonly isUnchanged?: true;
  /** Other things the request affects and that couldn't be done, one sentence each. */
  readonly warnings: readonly string[];
  /** What to expect of an environment that runs another version than this checkout. */
  readonly versionNote?: string | undefined;
}

export interface Operator {
  readonly region: string;
  /**
   * The outcome of a command. A change says who makes it, with a proof. If there's no outcome, throws a CommandError that
   * says why in plain words, with the request id of a change that may have been made anyway.
   */
  invoke<Name extends CommandName>(
    command: Name,
    fields: OperatorFields,
    signal?: AbortSignal,
  ): Promise<Outcome<ResultOf<Name>>>;
  /** The ARN the credentials belong to; undefined if AWS can't be asked. */
  callerArn(): Promise<string | undefined>;
}

/**
 * Finds the credentials and the region first, so that a missing one is reported before a question is asked. `onWait` is
 * called when the function takes long to respond.
 */
export async function connectOperator(target: Target, onWait = () => {}): Promise<Operator> {
  // Loaded here because it takes longer than all the rest, and --help does not need it.
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const lambda: LambdaClient = new LambdaClient({
    ...target.aws,
    // The overall limit ends a silent attempt: the SDK would repeat one that its own timeout ends.
    requestHandler: callLimits(2 * LIMIT_MS),
  });
  const explained = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      const region = await lambda.config.region().catch(() => undefined);
      throw explainAwsError(error, { ...target, region });
    }
  };
  const credentials = await explained(lambda.config.credentials());
  const region = await explained(lambda.config.region());

  const send = async <Name extends CommandName>(
    payload: object,
    requestId?: string,
    signal?: AbortSignal,
  ) => {
    const Payload = JSON.stringify(payload);
    const invocation = new InvokeCommand({ FunctionName: target.functionName, Payload });
    // The SDK retries, and throws only the last attempt's error.
    let isOpen = false;
    invocation.middlewareStack.add(
      next => async attempt => {
        try {
          return await next(attempt);
        } catch (error) {
          isOpen ||= mayHaveArrived(error);
          throw error;
        }
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    try {
      const response = await explained(
        withinLimit(abortSignal => lambda.send(invocation, { abortSignal }), onWait, signal),
      );
      isOpen = true;
      const text = response.Payload?.transformToString() ?? '';
      if (response.FunctionError) throw explainAwsError(functionError(text), { ...target, region });
      return outcomeOf(text, { ...target, region }) as Outcome<ResultOf<Name>>;
    } catch (error) {
      // Only a refusal of the function has a reason.
      const isDecided = !isOpen || !(error instanceof CommandError) || error.reason !== undefined;
      throw requestId === undefined || isDecided ? error : error.opened(requestId);
    }
  };

  return {
    region,

    async invoke(command, { known, requestId: given, ...fields }, signal) {
      const { requestId, seed } = (given && readRequestId(given)) || { requestId: given, seed: undefined };
      if (requestId === undefined) {
        return send<typeof command>({ command, ...fields, ...(known && { known }) }, given, signal);
      }
      const payload = { command, ...fields, requestId, by: userName(), ...(seed && { seed }) };
      const place = { region, urlSuffix: urlSuffixOf(lambda, region), environment: target.stage };
      const proof = proveCaller(await explained(lambda.config.credentials()), payload, place);
      return send<typeof command>({ ...payload, proof }, given, signal);
    },

    async callerArn() {
      const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
      // One attempt with a short timeout: the ARN is only displayed.
      const sts = new STSClient({
        region,
        credentials,
        maxAttempts: 1,
        requestHandler: callLimits(3_000),
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

/** The result of the work, which ends when the limit is reached. */
async function withinLimit<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  onWait: () => void,
  signal?: AbortSignal,
): Promise<Value> {
  const limit = new AbortController();
  const timers = [setTimeout(onWait, NOTICEABLE_MS), setTimeout(() => limit.abort(), LIMIT_MS)];
  try {
    return await work(AbortSignal.any([limit.signal, ...(signal ? [signal] : [])]));
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw Object.assign(new Error('There was no response in time.'), { name: 'TimeoutError' });
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function outcomeOf(text: string, target: Target & { readonly region: string }): Outcome {
  const { functionName, stage } = target;
  const reply: Partial<Reply> | undefined = parse(text);
  // A network that wants people to sign in responds with its own page.
  if (reply === undefined) throw explainAwsError(new SyntaxError('Not JSON.'), target);
  const versionNote = versionNoteOf(reply?.version, stage);
  // Without a result nobody knows what was done.
  if (reply?.ok === true && reply.result !== undefined) {
    const { result, isUnchanged, warnings = [] } = reply;
    return { result, ...(isUnchanged && { isUnchanged }), warnings, versionNote };
  }
  const advice = versionNote === undefined ? [] : [versionNote];
  if (reply?.ok === false && typeof reply.error?.message === 'string') {
    const { code, reason, message } = reply.error;
    throw new CommandError(code, message.replace(/[^.?!…]$/, '$&.'), { reason, advice });
  }
  throw new CommandError('function_error', `${functionName} sent a response that this command can't read.`, {
    advice,
  });
}

function versionNoteOf(deployed: unknown, stage: string): string | undefined {
  const own = sourceVersion();
  if (typeof deployed !== 'string' || deployed === own) return undefined;
  return `${stage} runs version ${deployed}; this checkout is ${own}. If something doesn't work, deploy this checkout or switch to the deployed one.`;
}

/** The error of a function that crashed or timed out, which Lambda reports as `{"errorType","errorMessage"}`. */
function functionError(text: string): Error {
  const error = new Error(parse(text)?.errorMessage ?? 'no reason given');
  error.name = 'FunctionError';
  return error;
}

// biome-ignore lint/suspicious/noExplicitAny: it comes from outside, and every field is checked before it is used.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The user of this machine. The user id may have no name, for example in a container. */
export function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** The suffix of the region's partition, such as amazonaws.com.cn, from the SDK's endpoint. */
export function urlSuffixOf({ config }: LambdaClient, Region: string): string {
  const { url } = config.endpointProvider({ Region, UseFIPS: false, UseDualStack: false });
  return url.hostname.replace(`lambda.${Region}.`, '');
}
