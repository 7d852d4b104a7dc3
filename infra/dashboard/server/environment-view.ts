/** An environment that the dashboard shows, as the page gets it with its first byte. */
export interface EnvironmentView {
  readonly stage: string;
  /** Whether it runs on this machine and not on AWS. */
  readonly isLocal: boolean;
}

/** What is known of an environment once AWS was asked. */
export interface EnvironmentDetails {
  readonly region: string;
  /** The AWS account; null on one machine, or when AWS does not say. */
  readonly account: string | null;
  /** Whom the audit log will name. */
  readonly by: string | null;
  /** The base address of the HTTP interface, where it is known. */
  readonly baseUrl: string | null;
  /** A curl option that reaches custom domains on one machine. */
  readonly edge: { readonly https: string; readonly ca: string } | null;
}

/** An error as the page gets it. The operator's own errors have its code, reason and message. */
export interface ShownError {
  readonly code: string;
  readonly reason?: string | undefined;
  readonly message: string;
  /** What to do next, a line each. */
  readonly advice?: readonly string[] | undefined;
}

/** What the server answers to every request of the page. */
export type Answer<Result = unknown> =
  | {
      readonly ok: true;
      readonly result: Result;
      /** What a change did not do for something else that it concerns, a sentence each. */
      readonly warnings?: readonly string[];
    }
  | { readonly ok: false; readonly error: ShownError };
