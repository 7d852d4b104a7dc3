import type { Scope } from '../../../../shared/operator/contract.ts';
import type { BrowserOrigins } from '../../../settings/browser-origins.ts';
import type { Session } from '../../framework/session.ts';
import { Broken, type Check } from '../check.ts';
import { type CheckResult, runChecks } from '../run-checks.ts';
import { expectationOf } from './expectations.ts';
import { NoResponse, type Response, type Send, type SmokeClientOptions } from './smoke-client.ts';

/** What checks that call an environment as a client does are given. */
export interface HttpParts {
  readonly send: Send;
  readonly keys: SmokeKeys;
  readonly session: Session;
  readonly apiId: string;
  /** The origins whose pages may call the environment, by the settings of this checkout. */
  readonly browserOrigins: BrowserOrigins;
}

export type HttpCheck = Check<HttpParts>;

/** The API keys of one run. No two of them have a scope in common. */
export interface SmokeKeys {
  readonly all: readonly string[];
  with(scope: Scope): string;
  without(scope: Scope): string;
}

export interface HttpResult extends CheckResult {
  /** The X-Request-Id of the unexpected response, for `petstore request`. */
  readonly requestId?: string | undefined;
  /** The requests of the check that got a response, such as `GET /pets?limit=1`, and what was expected of it, if anything. */
  readonly requests: readonly {
    readonly request: string;
    readonly status: number;
    readonly expected?: string | undefined;
  }[];
}

export interface Traffic extends Pick<SmokeClientOptions, 'onResponse' | 'onThrottled'> {
  /** Those of the check that runs. */
  readonly responses: Response[];
  readonly count: { responses: number; throttled: number; waitedMs: number };
}

export function trafficOf(session: Pick<Session, 'progress'>): Traffic {
  const responses: Response[] = [];
  const count = { responses: 0, throttled: 0, waitedMs: 0 };
  return {
    responses,
    count,
    onResponse(response) {
      responses.push(response);
      count.responses += 1;
    },
    onThrottled(waitMs) {
      count.throttled += 1;
      count.waitedMs += waitMs;
      session.progress(`Throttled: waiting ${waitMs / 1000} s …`);
    },
  };
}

/** An environment that does not respond would let every check wait for its time limit. */
const MOST_UNANSWERED = 2;

/** The requests are sent one after another, so hardly any should be throttled. */
export const MOST_THROTTLED = 10;

export async function runHttpChecks<Parts extends Pick<HttpParts, 'session'>>(
  checks: readonly Check<Parts>[],
  parts: Parts,
  { responses, count }: Traffic,
  signal: AbortSignal,
): Promise<HttpResult[]> {
  const { session } = parts;
  const results: HttpResult[] = [];
  let unanswered = 0;
  const running = runChecks(checks, parts, {
    reasonToSkip({ writes }) {
      signal.throwIfAborted();
      responses.length = 0;
      return (
        (writes && session.target.stage === 'production' && 'smoke creates no pets in production') ||
        (unanswered >= MOST_UNANSWERED && "the environment doesn't respond") ||
        (count.throttled > MOST_THROTTLED && 'the environment is throttling requests') ||
        undefined
      );
    },
    saying: ({ name }, work) => session.saying(`Checking that ${name} …`, work()),
  });
  for await (const result of running) {
    const { error } = result;
    if (error instanceof NoResponse) unanswered += 1;
    const requestId = error instanceof Broken ? error.requestId : undefined;
    const requests = responses.map(response => ({
      request: response.request,
      status: response.status,
      expected: expectationOf(response),
    }));
    results.push({ ...result, requestId, requests });
  }
  return results;
}
