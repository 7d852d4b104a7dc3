/** What a function reaches of the world. */
export interface FunctionNetwork {
  readonly awsEndpoint: string;
  /** Whatever server a function asks by DNS, it is this one that answers: address and port. */
  readonly dnsServer: string;
}
