import { operationAt } from '../../../shared/operations.ts';

/** What the access log says about one request (infra/stack/service-api.ts). A field without a value is absent. */
export interface AccessLine {
  readonly method: string;
  /** Such as /v1/pets/{petId}. */
  readonly resource: string;
  readonly status: number;
  /** Such as createPet; absent for the documentation, redirects and unknown paths. */
  readonly operation?: string;
  readonly host?: string;
  readonly keyId?: string;
  /** Why the authorizer refused the key, from its cache or not. */
  readonly keyRefusal?: string;
  readonly sourceIp?: string;
  readonly latencyMs?: number;
  readonly functionLatencyMs?: number;
  readonly authorizerLatencyMs?: number;
  readonly responseBytes?: number;
  readonly functionRequestId?: string;
  /** Lambda's status for the invocation, not the status of the function's response. */
  readonly lambdaStatus?: string;
  readonly authorizerRequestId?: string;
  /** The type of the gateway response, if API Gateway itself responded. */
  readonly gatewayError?: string;
}

const TEXTS = [
  'host',
  'keyId',
  'keyRefusal',
  'sourceIp',
  'functionRequestId',
  'lambdaStatus',
  'authorizerRequestId',
  'gatewayError',
];
const NUMBERS = ['latencyMs', 'functionLatencyMs', 'authorizerLatencyMs', 'responseBytes'];

/** Reads a line of an access log, where all values are texts and `-` is a missing one; undefined for any other line. */
export function readAccessLine(message: string): AccessLine | undefined {
  const fields = jsonFields(message);
  const value = (name: string) => {
    const text = fields?.[name];
    return typeof text === 'string' && text !== '-' && text !== '' ? text : undefined;
  };
  const [method, resource = '', status] = [value('method'), value('resource'), value('status')];
  if (method === undefined || status === undefined) return undefined;
  const operation = operationAt(method, resource.replace(/^\/v1/, ''))?.name;
  const given = <Value>(names: readonly string[], read: (text: string) => Value) =>
    Object.fromEntries(
      names.flatMap(name => {
        const text = value(name);
        return text === undefined ? [] : [[name, read(text)]];
      }),
    );
  return {
    method,
    resource,
    status: Number(status),
    ...(operation && { operation }),
    ...given(TEXTS, String),
    ...given(NUMBERS, Number),
  };
}

/** The fields of a line that is a JSON object. */
export function jsonFields(message: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields: unknown = JSON.parse(message);
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
