import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import type { Principal } from '../iam/principal.ts';
import { AwsApiError, constraintMessage, NOT_SUPPORTED, notSupported } from './aws-api-error.ts';
import {
  type Operation,
  type Permission,
  type RateLimit,
  requestConditionKeys,
  requestContext,
} from './operation.ts';
import type { OperationModel, ServiceModel } from './service-model.ts';

/** A request to the AWS endpoint, whose signature is valid. */
export interface AwsRequest {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly principal: Principal;
  readonly callerArn: string;
  readonly requestId: string;
}

/** Handles the requests to one service. The endpoint reports what it throws, and returns 500. */
export type AwsService = (call: AwsRequest) => Promise<void>;

/** The facts about a service that every protocol needs. */
export interface ServiceApi {
  /** As messages name it: `ACM`. */
  readonly title: string;
  /** What the service's actions begin with in policies: `acm`. */
  readonly actionPrefix: string;
  readonly operations: readonly Operation[];
  /** Every error that the service sends, and its HTTP status. Without a table the status of all is 400. */
  readonly statusByError?: Readonly<Record<string, number>>;
  /** How the service names the errors that the dispatcher finds, where not as most services do. */
  readonly errorNames?: Partial<ErrorNames>;
  /** The message of an invalid input; constraintMessage by default. */
  describeIssues?(issues: readonly z.core.$ZodIssue[]): string;
  /** 1 MB by default. */
  readonly bodyLimitBytes?: number;
  /** AWS's service model, which inputs, outputs and errors are checked against. It is asked for at the first call. */
  model?(): ServiceModel;
  /** Of all requests to the service together. */
  readonly rate?: RateLimit;
}

interface ErrorNames {
  readonly accessDenied: string;
  readonly invalidInput: string;
  /** A body that is not JSON or XML, a path that cannot be decoded. */
  readonly unreadableRequest: string;
  readonly bodyTooLarge: string;
}

export function errorNamesOf({ errorNames = {} }: ServiceApi): ErrorNames {
  const { invalidInput = 'ValidationException' } = errorNames;
  return {
    accessDenied: 'AccessDeniedException',
    invalidInput,
    unreadableRequest: 'SerializationException',
    bodyTooLarge: invalidInput,
    ...errorNames,
  };
}

const BODY_LIMIT_BYTES = 1024 * 1024;

/** A call of an operation whose request the protocol has read. */
interface OperationCall {
  readonly operation: Operation;
  readonly input: object;
  /** What a policy must allow, where the service does not name it by the operation. */
  readonly permission?: Permission | undefined;
}

/** Handles requests with `respond`, and with `respondError` the AwsApiErrors that it throws. */
export function awsService(
  { statusByError }: ServiceApi,
  respond: AwsService,
  respondError: (call: AwsRequest, status: number, error: AwsApiError) => void,
): AwsService {
  return async call => {
    try {
      await respond(call);
    } catch (error) {
      if (!(error instanceof AwsApiError)) throw error;
      const ofService = statusByError === undefined ? 400 : statusByError[error.name];
      const status = error.name === NOT_SUPPORTED.name ? NOT_SUPPORTED.status : ofService;
      if (status === undefined) throw error;
      respondError(call, status, error);
    }
  };
}

/** The body of a request that is within the service's rate and limit. */
export function acceptedBody(api: ServiceApi, { body }: AwsRequest): Buffer {
  const { bodyLimitBytes = BODY_LIMIT_BYTES } = api;
  enforceRate(api.rate);
  if (body.length > bodyLimitBytes) {
    const message = `The request must be smaller than ${bodyLimitBytes} bytes.`;
    throw new AwsApiError(errorNamesOf(api).bodyTooLarge, message);
  }
  return body;
}

/** The one path to every operation. Names of operations, members and errors are those of AWS's service model here. */
export async function performOperation(
  api: ServiceApi,
  { operation, input, permission }: OperationCall,
  { principal, requestId }: Pick<AwsRequest, 'principal' | 'requestId'>,
): Promise<unknown> {
  const { otherAccountId } = principal;
  if (otherAccountId !== undefined && !operation.isForOtherAccounts) {
    throw notSupported(`${operation.name} of the ${api.title} API for another account`);
  }
  const own: Permission = permission ?? {
    action: `${api.actionPrefix}:${operation.action ?? operation.name}`,
    resource: String(operation.resource?.(input) ?? '*'),
  };
  const keys = requestConditionKeys(operation, input);
  for (const { action, resource, conditionKeys } of [own, ...(operation.alsoRequires?.(input) ?? [])]) {
    const denial = principal.denial(action, resource, requestContext(keys, conditionKeys));
    if (denial !== undefined) throw new AwsApiError(errorNamesOf(api).accessDenied, denial);
  }
  // Each account has limits of its own; those of other accounts are not counted.
  if (otherAccountId === undefined) enforceRate(operation.rate);
  const model = api.model?.().operation(operation.name);
  const context = { requestId, otherAccountId };
  const perform = () => operation.perform(validated(api, operation, input, model), context);
  return model === undefined ? perform() : withinModel(model, operation.name, api, perform);
}

function enforceRate(rate: RateLimit | undefined): void {
  const refusal = rate?.();
  if (refusal !== undefined) throw refusal;
}

/**
 * Reads an input by the operation's schema, which has what the local AWS supports, and checks it by the service
 * model, which has what AWS accepts.
 */
function validated(
  api: ServiceApi,
  { input: schema }: Operation,
  input: object,
  model: OperationModel | undefined,
): unknown {
  const parsed = schema.safeParse(input);
  const unlisted = parsed.error?.issues.find(issue => issue.code === 'unrecognized_keys');
  if (parsed.error !== undefined && unlisted === undefined) {
    const describe = api.describeIssues ?? constraintMessage;
    throw new AwsApiError(errorNamesOf(api).invalidInput, describe(parsed.error.issues));
  }
  const faults = model?.inputFaults(input) ?? [];
  if (faults.length > 0) {
    throw new AwsApiError(errorNamesOf(api).invalidInput, constraintMessage(faults));
  }
  if (unlisted !== undefined) {
    const member = [...unlisted.path, unlisted.keys.join(', ')].join('.');
    throw notSupported(`The parameter ${member} of the ${api.title} API`);
  }
  return parsed.data;
}

/**
 * Performs an operation. An output or an error that its model does not have is a bug of the local AWS: it is not sent, and
 * the endpoint reports it.
 */
async function withinModel(
  model: OperationModel,
  operation: string,
  api: ServiceApi,
  perform: () => unknown,
): Promise<unknown> {
  const violation = (fault: string) =>
    new Error(`${api.title} ${operation} broke its service model: ${fault}`);
  // Every operation can refuse its input as invalid; models list that for some of them only.
  const isListed = ({ name }: AwsApiError) =>
    model.errors.has(name) || name === errorNamesOf(api).invalidInput || name === NOT_SUPPORTED.name;
  const output = await (async () => perform())().catch(error => {
    if (!(error instanceof AwsApiError) || isListed(error)) throw error;
    throw violation(`the error ${error.name} is not listed`);
  });
  const faults = model.outputFaults(output);
  if (faults.length > 0) throw violation(constraintMessage(faults));
  return output;
}
