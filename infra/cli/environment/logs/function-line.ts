import { jsonFields } from '../../../operator/logs/access-line.ts';
import type { LogEvent } from '../../../operator/logs/log-source.ts';
import { printable } from '../../framework/style.ts';

/** An error as a function or Lambda itself has logged it. */
interface LoggedError {
  readonly name: string;
  readonly message: string;
}

export interface FunctionLine {
  readonly time: string;
  readonly group: string;
  readonly level: string | undefined;
  readonly message: string;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly keyId: string | undefined;
  /** The error and its causes, the last one first. */
  readonly errors: readonly LoggedError[];
  readonly report?: InvocationReport;
}

interface InvocationReport {
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
    return typeof value === 'string' ? printable(withoutSecrets(value)) : undefined;
  };
  const errors = errorsOf(fields.error ?? fields.message);
  return {
    time: new Date(timeMs).toISOString(),
    group: group.title,
    message: text('message') ?? text('type') ?? errors[0]?.message ?? printable(withoutSecrets(message)),
    level: text('level'),
    code: text('code'),
    reason: text('reason'),
    keyId: text('keyId'),
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
  const plain = printable(withoutLibraryNoise(withoutSecrets(described.message)));
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

/** What looks like an API key, also a part of one that a message has cut off. */
const API_KEY = /\bpet_[a-z]+_[0-9A-Za-z]{8,}/g;
/** The value of an Authorization header. */
const CREDENTIALS = /\b(bearer|basic) +[\w.~+/=-]{8,}/gi;

/**
 * Text of a log without what must not be shown. No function logs a key; this holds if a message of AWS or of a library
 * quotes one.
 */
export function withoutSecrets(text: string): string {
  return text.replaceAll(API_KEY, '(an API key)').replaceAll(CREDENTIALS, '$1 (credentials)');
}
