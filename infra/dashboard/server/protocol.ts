/** What the server and the page send each other. */

/** An environment that the dashboard shows, as the page gets it in its HTML. */
export interface EnvironmentView {
  readonly stage: string;
  /** Whether it runs on this machine and not on AWS. */
  readonly isLocal: boolean;
}

/** What AWS says about an environment. */
export interface EnvironmentDetails {
  readonly region: string;
  /** The AWS account; null on one machine, or if AWS does not say. */
  readonly account: string | null;
  /** The operator that the audit log will name. */
  readonly by: string | null;
  /** The base URL of the HTTP interface, if it is known. */
  readonly baseUrl: string | null;
  /** Where custom domains are reached on one machine, for curl. */
  readonly edge: { readonly https: string; readonly ca: string } | null;
}

/** An error as the page gets it. The operator function's own errors have its code, reason and message. */
export interface ShownError {
  readonly code: string;
  readonly reason?: string | undefined;
  readonly message: string;
  /** What to do next, a line each. */
  readonly advice?: readonly string[] | undefined;
}

/** The body of every response of the API. */
export type ApiResponse<Result = unknown> =
  | {
      readonly ok: true;
      readonly result: Result;
      /** What a change did not do for something else that it concerns, a sentence each. */
      readonly warnings?: readonly string[];
      /** That the environment runs another version than the dashboard. */
      readonly versionNote?: string;
    }
  | { readonly ok: false; readonly error: ShownError };
