import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Codec as BodyCodec } from '@smithy/types';
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

/** The SDK's package of a service, which has the schemas of its operations, and its client. */
export type ServiceSdk = readonly [
  sdk: object,
  Client: new (options: {
    region: string;
  }) => {
    readonly config: {
      readonly protocol: SdkProtocol;
      readonly protocolSettings?: Readonly<Record<string, unknown>>;
    };
  },
];

/** Such as `aws.protocols#awsJson1_1`, with what reads and writes bodies. */
export interface SdkProtocol {
  getShapeId(): string;
  getPayloadCodec(): BodyCodec<string | Uint8Array, unknown>;
}

/** The facts about a service. */
export interface ServiceApi {
  /** Loaded at the first call. */
  sdk(): Promise<ServiceSdk>;
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
  /** What a policy must allow, where the service names it by method and path instead of by operation. */
  permission?(method: string, path: string): Permission;
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

/** A call of an operation whose request the codec has read. */
export interface OperationCall {
  readonly operation: Operation;
  readonly input: object;
  /** What was sent beside the members of the input, by path. */
  readonly unknownMembers?: readonly string[];
  /** What a policy must allow, where the service does not name it by the operation. */
  readonly permission?: Permission | undefined;
}

/** Refuses a request that is beyond the service's rate or limit. */
export function requireAccepted(api: ServiceApi, { body }: AwsRequest): void {
  const { bodyLimitBytes = BODY_LIMIT_BYTES } = api;
  enforceRate(api.rate);
  if (body.length > bodyLimitBytes) {
    const message = `The request must be smaller than ${bodyLimitBytes} bytes.`;
    throw new AwsApiError(errorNamesOf(api).bodyTooLarge, message);
  }
}

/** The one path to every operation. Names of operations, members and errors are those of AWS's service model here. */
export async function performOperation(
  api: ServiceApi,
  call: OperationCall,
  { principal, callerArn, requestId }: Pick<AwsRequest, 'principal' | 'callerArn' | 'requestId'>,
): Promise<unknown> {
  const { operation, input } = call;
  const { otherAccountId } = principal;
  if (otherAccountId !== undefined && !operation.isForOtherAccounts) {
    throw notSupported(`${operation.name} of the ${api.title} API for another account`);
  }
  const keys = requestConditionKeys(operation, input);
  for (const { action, resource, conditionKeys } of requiredPermissions(api, call)) {
    const denial = principal.denial(action, resource, requestContext(keys, conditionKeys));
    if (denial !== undefined) throw new AwsApiError(errorNamesOf(api).accessDenied, denial);
  }
  // Each account has limits of its own; those of other accounts are not counted.
  if (otherAccountId === undefined) enforceRate(operation.rate);
  const model = api.model?.().operation(operation.name);
  const context = { requestId, otherAccountId, callerArn };
  const perform = () => operation.perform(validated(api, call, model), context);
  return model === undefined ? perform() : withinModel(model, operation.name, api, perform);
}

function requiredPermissions(
  { actionPrefix }: ServiceApi,
  { operation, input, permission }: OperationCall,
): readonly Permission[] {
  const { name, action = name, resource, alsoRequires, isForEverybody } = operation;
  if (isForEverybody) return [];
  const own = { action: `${actionPrefix}:${action}`, resource: String(resource?.(input) ?? '*') };
  return [permission ?? own, ...(alsoRequires?.(input) ?? [])];
}

function enforceRate(rate: RateLimit | undefined): void {
  const refusal = rate?.();
  if (refusal !== undefined) throw refusal;
}

/**
 * Checks an input by the operation's schema, which has what the local AWS supports, and by the service model, which has
 * what AWS accepts. The SDK, which has read it, doesn't know every constraint.
 */
function validated(
  api: ServiceApi,
  { operation, input, unknownMembers = [] }: OperationCall,
  model: OperationModel | undefined,
): unknown {
  const parsed = operation.input.safeParse(input);
  const unlisted = parsed.error?.issues.find(issue => issue.code === 'unrecognized_keys');
  if (parsed.error !== undefined && unlisted === undefined) {
    const describe = api.describeIssues ?? constraintMessage;
    throw new AwsApiError(errorNamesOf(api).invalidInput, describe(parsed.error.issues));
  }
  const unknown = unknownMembers.map(path => ({ path, message: 'Member is unknown' }));
  const faults = [...unknown, ...(model?.inputFaults(input) ?? [])];
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
