/** The edge, which answers at port 443 of this machine, and the certificate of the authority that signed its own. */
export interface EdgeRoute {
  readonly port: number;
  readonly authority: string;
}

/** The servers that a function can reach. */
export interface FunctionNetwork {
  readonly awsEndpoint: string;
  /** DynamoDB, where that is elsewhere. */
  readonly dynamoDbEndpoint?: string;
  /** The addresses of the two resolvers that take the place of public ones, for example 127.0.0.1:5353. */
  readonly dnsResolvers: readonly [string, string];
  /** Undefined until the edge has started. */
  edge?(): EdgeRoute | undefined;
  /** What the waits of AWS are multiplied by. Functions have it as WAIT_SCALE unless it is 1, as it is on AWS. */
  readonly waitScale?: number;
  /**
   * What time-outs are multiplied by where a processor is shared with much else. Functions have it as DYNAMODB_PATIENCE
   * unless it is 1, as it is on AWS.
   */
  readonly patience?: number;
}
