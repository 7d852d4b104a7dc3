import type { InvokeFunction } from '../lambda/invoker.ts';

/** What the gateway needs from the rest of the machine. */
export interface GatewayServices {
  readonly invoke: InvokeFunction;
  readonly accountId: string;
  readonly region: string;
  writeLog(logGroupArn: string, line: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The ARN under which the methods and authorizers of an API are named in policies and permissions. */
export function executeApiArn({ region, accountId }: GatewayServices, apiId: string): string {
  return `arn:aws:execute-api:${region}:${accountId}:${apiId}`;
}
