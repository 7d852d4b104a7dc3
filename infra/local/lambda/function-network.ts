/** The servers that a function can reach. */
export interface FunctionNetwork {
  readonly awsEndpoint: string;
  /** The address and port of the DNS server, which answers the queries to any server. */
  readonly dnsServer: string;
}
