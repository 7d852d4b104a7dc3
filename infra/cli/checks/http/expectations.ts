import { BEARER_CHALLENGE } from '../../../../shared/errors.ts';
import { Broken } from '../check.ts';
import { excerpt, type Response } from './smoke-client.ts';

export function broken(response: Response, expected: string, seen: string): Broken {
  const [id] = /^[\w+/=-]{1,128}$/.exec(String(response.headers['x-request-id'] ?? '')) ?? [];
  return new Broken(
    `${response.request}: expected ${expected}, got ${excerpt(seen)}${id ? ` (X-Request-Id ${id})` : ''}`,
    id,
  );
}

/** What checks have expected of responses, by their statuses and the codes of errors. */
const expectations = new WeakMap<Response, string>();

/** What a check has expected of a response; undefined if none looked at its status. */
export function expectationOf(response: Response): string | undefined {
  return expectations.get(response);
}

export function expectStatus(response: Response, status: number): void {
  expectations.set(response, String(status));
  if (response.status !== status)
    throw broken(response, String(status), `${response.status} ${response.text}`);
  expectHeader(response, 'x-request-id', /^\S{8,}$/);
}

export function expectHeader(response: Response, name: string, wanted: string | RegExp): void {
  const seen = response.headers[name];
  const isRight = typeof wanted === 'string' ? seen === wanted : wanted.test(String(seen ?? ''));
  if (!isRight) {
    throw broken(response, `the header ${name}: ${wanted}`, seen === undefined ? 'none' : `${name}: ${seen}`);
  }
}

/** Expects the interface's Error: exactly code, message and status, with the status of the response. */
export function expectError(response: Response, status: number, code: string): void {
  expectations.set(response, `${status} ${code}`);
  const seen = `${response.status} ${response.text}`;
  const body = jsonOf(response);
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const isError =
    response.status === status &&
    Object.keys(fields).toSorted().join() === 'code,message,status' &&
    fields.code === code &&
    fields.status === status &&
    typeof fields.message === 'string';
  if (!isError) throw broken(response, `${status} with an Error of the code ${code}`, seen);
  expectHeader(response, 'content-type', /^application\/json(;|$)/);
  expectHeader(response, 'x-request-id', /^\S{8,}$/);
}

export function expectUnauthorized(response: Response): void {
  expectError(response, 401, 'unauthorized');
  expectHeader(response, 'www-authenticate', BEARER_CHALLENGE);
}

/** Expects a redirect of `/v1/pets?limit=1` to the same path of a URL. */
export function expectRedirect(response: Response, status: number | undefined, to: string): void {
  if (response.status !== status) {
    throw broken(response, String(status), `${response.status} ${response.text}`);
  }
  expectHeader(response, 'location', `${to}/v1/pets?limit=1`);
}

/** The items of a 200 whose body is a list, at most as many as asked for. */
export function expectList(response: Response, limit = 100): readonly Record<string, unknown>[] {
  expectStatus(response, 200);
  const body = jsonOf(response);
  if (!Array.isArray(body)) throw broken(response, 'a list', response.text);
  if (body.length > limit) throw broken(response, `at most ${limit} items`, `${body.length} items`);
  return body;
}

export function expectObject(response: Response, status: number): Readonly<Record<string, unknown>> {
  expectStatus(response, status);
  const body = jsonOf(response);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw broken(response, 'an object', response.text);
  }
  return body as Record<string, unknown>;
}

function jsonOf({ text }: Response): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
