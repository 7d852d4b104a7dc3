import type { Permission } from '../aws-api/operation.ts';
import type { EdgeRoute } from './function-network.ts';

/** The data that an execution environment is started with. */
export interface SandboxData {
  readonly handlerFile: string;
  /** The name of the exported handler. */
  readonly handlerName: string;
  /** The addresses of the two DNS resolvers, for example 127.0.0.1:5353. */
  readonly dnsResolvers: readonly [string, string];
  readonly edge: EdgeRoute | undefined;
  /** The origin of DynamoDB's engine, if the function calls it itself. */
  readonly engine: string | undefined;
  /** The part of the context object that is the same for every invocation. */
  readonly context: {
    readonly functionName: string;
    readonly functionVersion: string;
    readonly invokedFunctionArn: string;
    readonly memoryLimitInMB: string;
    readonly logGroupName: string;
    readonly logStreamName: string;
  };
}

/** An invocation, sent to the execution environment. The event is JSON text, which is copied fastest. */
export interface InvocationMessage {
  readonly kind: 'invocation';
  readonly requestId: string;
  readonly event: string;
  /** When the invocation times out, in milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** A message to the execution environment. */
export type EnvironmentMessage =
  | InvocationMessage
  /** The answer to a question: AWS's message if something is denied. */
  | { readonly kind: 'decision'; readonly question: number; readonly denial: string | undefined }
  /** Something was deployed: roles may have changed. */
  | { readonly kind: 'forget decisions' };

/** Asks whether a request to DynamoDB's engine is allowed. */
export interface PermissionQuestion {
  readonly question: number;
  readonly accessKeyId: string;
  readonly permissions: readonly Permission[];
}

/** A message of the execution environment. */
export type SandboxMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly text: string }
  | ({ readonly kind: 'question' } & PermissionQuestion)
  /** The handler answered or threw. The payload is JSON text. */
  | { readonly kind: 'answer'; readonly payload: string; readonly failed: boolean }
  /** The environment ends: it could not be initialized, or an error was thrown outside of the handler. */
  | { readonly kind: 'crash'; readonly payload: string };
