/** What an execution environment is told when it starts. */
export interface SandboxData {
  readonly handlerFile: string;
  /** The name that the file exports the handler by. */
  readonly handlerName: string;
  /** Where its questions of DNS go, such as 127.0.0.1:5353. */
  readonly dnsServer: string;
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

/** To the execution environment: one invocation. The event travels as JSON text, since that is copied fastest. */
export interface InvocationMessage {
  readonly requestId: string;
  readonly event: string;
  /** When the invocation times out, in milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** From the execution environment. */
export type SandboxMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'log'; readonly text: string }
  /** The handler answered, or threw; JSON text either way. */
  | { readonly kind: 'answer'; readonly payload: string; readonly failed: boolean }
  /** The environment is of no further use: it could not be initialized, or something was thrown outside the handler. */
  | { readonly kind: 'crash'; readonly payload: string };
