import * as z from 'zod';
import type { InvokeFunction } from '../lambda/invocation.ts';

export type FindApiKey = (value: string) => IssuedApiKey | undefined;

/** An API key of the account. */
export interface IssuedApiKey {
  readonly id: string;
  readonly value: string;
  readonly enabled: boolean;
  /** The usage plans that the key belongs to. */
  readonly usagePlanIds: readonly string[];
}

/** What the gateway needs from the other services. */
export interface GatewayServices {
  readonly invoke: InvokeFunction;
  readonly accountId: string;
  readonly region: string;
  writeLog(logGroupArn: string, line: string): void;
  /** Finds the API key with this value. */
  readonly findApiKey: FindApiKey;
  /** What the time-outs of integrations are multiplied by. */
  readonly patience: number;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The ARN under which the methods and authorizers of an API are named in policies and permissions. */
export function executeApiArn({ region, accountId }: GatewayServices, apiId: string): string {
  return `arn:aws:execute-api:${region}:${accountId}:${apiId}`;
}

const FunctionError = z.object({ errorMessage: z.string() });

/** The value of a JSON text; undefined when the text is not JSON. */
export function jsonValue(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/** The message of a function's error: {"errorMessage": "…", "errorType": "Error", …}. */
export function functionErrorMessage(payload: string): string | undefined {
  return FunctionError.safeParse(jsonValue(payload)).data?.errorMessage;
}
