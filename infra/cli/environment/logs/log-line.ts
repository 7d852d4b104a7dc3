import { jsonFields } from './access-line.ts';
import type { LogEvent } from './log-source.ts';
import { withoutSecrets } from './without-secrets.ts';

/** An error as a function or Lambda itself has logged it. */
export interface LoggedError {
  readonly name: string;
  readonly message: string;
}

/** A line of a function's log. */
export interface FunctionLine {
  readonly time: string;
  readonly group: string;
  readonly level?: string;
  readonly message: string;
  /** The error code of the interface, when the function refused the request. */
  readonly code?: string;
  /** Why the authorizer refused the API key. */
  readonly reason?: string;
  /** The id of the API key that the authorizer refused. */
  readonly keyId?: string;
  /** The error and its causes, the last one first. */
  readonly errors: readonly LoggedError[];
  readonly report?: InvocationReport;
}

/** What Lambda reports at the end of an invocation. */
export interface InvocationReport {
  readonly durationMs?: number;
  /** The time that a cold start took; absent for a warm function. */
  readonly initDurationMs?: number;
  readonly maxMemoryUsedMB?: number;
}

/** Reads a line that a function has logged (shared/log.ts), or that Lambda has written beside it. */
export function readFunctionLine({ timeMs, message, group }: LogEvent): FunctionLine {
  const fields = jsonFields(message) ?? {};
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? withoutSecrets(value) : undefined;
  };
  const given = <Name extends string>(name: Name) => {
    const value = text(name);
    return value === undefined ? {} : ({ [name]: value } as Record<Name, string>);
  };
  const errors = errorsOf(fields.error ?? fields.message);
  return {
    time: new Date(timeMs).toISOString(),
    group: group.title,
    message: text('message') ?? text('type') ?? errors[0]?.message ?? withoutSecrets(message),
    ...given('level'),
    ...given('code'),
    ...given('reason'),
    ...given('keyId'),
    errors,
    ...(fields.type === 'platform.report' && { report: reportOf(fields.record) }),
  };
}

/** An error of shared/log.ts has name, message and cause; one of Lambda errorType and errorMessage. */
function errorsOf(error: unknown): LoggedError[] {
  if (typeof error !== 'object' || error === null) return [];
  const { name, message, errorType, errorMessage, cause } = error as Record<string, unknown>;
  const described = {
    name: String(name ?? errorType ?? 'Error'),
    message: String(message ?? errorMessage ?? ''),
  };
  const plain = withoutLibraryNoise(withoutSecrets(described.message));
  return [{ name: described.name, message: plain }, ...errorsOf(cause)];
}

/** What the AWS SDK puts before and after the reason of an error: the package that threw it, and hints for programmers. */
const LIBRARY_NOISE = [
  /^@[\w.-]+\/[\w.-]+(:\w+)? - (\[\w+\] )?/,
  /\s*Deserialization error: to see the raw response, .*$/s,
];

function withoutLibraryNoise(message: string): string {
  return LIBRARY_NOISE.reduce((text, noise) => text.replace(noise, ''), message);
}

function reportOf(record: unknown): InvocationReport {
  const { metrics } = (record ?? {}) as { metrics?: Record<string, unknown> };
  const names = ['durationMs', 'initDurationMs', 'maxMemoryUsedMB'];
  return Object.fromEntries(
    names.flatMap(name => (typeof metrics?.[name] === 'number' ? [[name, metrics[name]]] : [])),
  );
}
