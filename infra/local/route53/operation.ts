/** A request to the Route 53 API. */
export interface Route53Request {
  /** From the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Route53Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly element: string;
  readonly content: object;
}

export interface Operation {
  /** Such as CreateHostedZone, which is also what a policy allows. */
  readonly name: string;
  /** Such as hostedzone/{id}; absent when the operation is on no resource. */
  readonly resource?: string;
  /** Throws a Route53Error when it cannot be. */
  perform(request: Route53Request): Route53Answer;
}

/** The operations by method and path, such as `DELETE /hostedzone/{id}`. */
export type Operations = Readonly<Record<string, Operation>>;
