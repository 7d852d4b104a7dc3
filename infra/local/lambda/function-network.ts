import type { Permission } from '../aws-api/operation.ts';

/** The edge, which answers at port 443 of this machine, and the certificate of the authority that signed its own. */
export interface EdgeRoute {
  readonly port: number;
  readonly authority: string;
}

/** The engine of DynamoDB, which functions call themselves, with their requests checked (dynamodb-guard.ts). */
export interface DynamoDbRoute {
  /** Such as http://127.0.0.1:8000. */
  readonly engine: string;
  /** AWS's message why the role of an access key lacks one of the permissions; undefined when it has them. */
  denial(accessKeyId: string, permissions: readonly Permission[]): string | undefined;
}

/** The servers that a function can reach. */
export interface FunctionNetwork {
  readonly awsEndpoint: string;
  /** DynamoDB, where that is elsewhere. */
  readonly dynamoDbEndpoint?: string;
  /** Undefined where functions cannot be guarded who call the engine: they then call DynamoDB at its endpoint. */
  dynamoDb?(): DynamoDbRoute | undefined;
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
