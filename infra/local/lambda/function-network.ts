/** The servers that a function can reach. */
export interface FunctionNetwork {
  readonly awsEndpoint: string;
  /** The addresses of the two resolvers that take the place of public ones, for example 127.0.0.1:5353. */
  readonly dnsResolvers: readonly [string, string];
}
