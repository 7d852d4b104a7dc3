import { Broken } from './check-outcomes.ts';
import type { Answer } from './smoke-client.ts';

const LONGEST_TEXT = 200;

export function broken(answer: Answer, expected: string, seen: string): Broken {
  const id = answer.headers['x-request-id']?.toString();
  const found = seen.length > LONGEST_TEXT ? `${seen.slice(0, LONGEST_TEXT)}…` : seen;
  return new Broken(
    `${answer.request}: expected ${expected}, got ${found}${id ? ` (X-Request-Id ${id})` : ''}`,
    id,
  );
}

export function expectStatus(answer: Answer, status: number): void {
  if (answer.status !== status) throw broken(answer, String(status), `${answer.status} ${answer.text}`);
  expectHeader(answer, 'x-request-id', /^\S{8,}$/);
}

export function expectHeader(answer: Answer, name: string, wanted: string | RegExp): void {
  const seen = answer.headers[name];
  const isRight = typeof wanted === 'string' ? seen === wanted : wanted.test(String(seen ?? ''));
  if (!isRight) {
    throw broken(answer, `the header ${name}: ${wanted}`, seen === undefined ? 'none' : `${name}: ${seen}`);
  }
}

/** Expects the interface's Error: exactly code, message and status, with the status of the answer. */
export function expectError(answer: Answer, status: number, code: string): void {
  const seen = `${answer.status} ${answer.text}`;
  const body = jsonOf(answer);
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const isError =
    answer.status === status &&
    Object.keys(fields).toSorted().join() === 'code,message,status' &&
    fields.code === code &&
    fields.status === status &&
    typeof fields.message === 'string';
  if (!isError) throw broken(answer, `${status} with an Error of the code ${code}`, seen);
  expectHeader(answer, 'content-type', /^application\/json(;|$)/);
  expectHeader(answer, 'x-request-id', /^\S{8,}$/);
}

/** The items of a 200 whose body is a list. */
export function expectList(answer: Answer): readonly Record<string, unknown>[] {
  expectStatus(answer, 200);
  const body = jsonOf(answer);
  if (!Array.isArray(body)) throw broken(answer, 'a list', answer.text);
  return body;
}

/** The object of an answer with this status. */
export function expectObject(answer: Answer, status: number): Readonly<Record<string, unknown>> {
  expectStatus(answer, status);
  const body = jsonOf(answer);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw broken(answer, 'an object', answer.text);
  }
  return body as Record<string, unknown>;
}

function jsonOf({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
