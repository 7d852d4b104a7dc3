import type { Random } from '../../simulation/random.ts';
import type { ErrorAnswer, Fault, ProxiedRequest } from './fault-proxy.ts';

/**
 * A call fails so often in a row at most. The waits between the attempts of one call are then 100 + 200 + 400 ms, so that a
 * step of a flow, which makes a dozen calls, ends within the time that a removal waits for it (service-process.ts).
 */
const MOST_IN_A_ROW = 3;
const LONGEST_DELAY_MS = 400;

/** A call that times out takes 3 s, so that a sender has one of them at most in this time. */
const BETWEEN_TIMEOUTS_MS = 15_000;

/** Credential=<access key id>/<date>/<region>/<service>/aws4_request in the Authorization header of SigV4. */
const CREDENTIAL_SCOPE = /Credential=([^/,\s]+)\/\d+\/[^/]*\/([^/,\s]+)\/aws4_request/;

/** The errors by which a service throttles, in its own protocol. */
const THROTTLES: Readonly<Record<string, readonly ErrorAnswer[]>> = {
  acm: [json(400, 'ThrottlingException'), json(400, 'RequestLimitExceeded')],
  states: [json(400, 'ThrottlingException')],
  events: [json(400, 'ThrottlingException')],
  apigateway: [rest(429, 'TooManyRequestsException')],
  lambda: [rest(429, 'TooManyRequestsException')],
  route53: [xml(400, 'Throttling'), xml(400, 'PriorRequestNotComplete')],
};

/** The errors of a service that fails itself. */
const FAILURES: Readonly<Record<string, readonly ErrorAnswer[]>> = {
  acm: [json(500, 'InternalFailure'), json(503, 'ServiceUnavailable')],
  states: [json(500, 'InternalFailure'), json(503, 'ServiceUnavailable')],
  events: [json(500, 'InternalException'), json(503, 'ServiceUnavailable')],
  apigateway: [rest(500, 'InternalFailure'), rest(503, 'ServiceUnavailableException')],
  lambda: [rest(500, 'ServiceException')],
  route53: [xml(500, 'InternalFailure'), xml(503, 'ServiceUnavailable')],
};

/** Chooses the faults of requests to the AWS endpoint: throttles, failures, lost requests and lost answers, delays. */
export class AwsFaults {
  readonly #random: Random;
  readonly #inARow = new Map<string, number>();
  readonly #timedOutAtMs = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  choose({ method, path, headers }: ProxiedRequest, rate: number, nowMs: number): Fault | undefined {
    const [, principal = '', service = ''] = CREDENTIAL_SCOPE.exec(headers.authorization ?? '') ?? [];
    const [throttles, failures] = [THROTTLES[service], FAILURES[service]];
    if (!throttles || !failures) return undefined;
    // The calls of one sender are counted together, so that no sender fails for long.
    const call = `${principal} ${service} ${headers['x-amz-target'] ?? `${method} ${path.split('?')[0]}`}`;
    const inARow = this.#inARow.get(call) ?? 0;
    if (inARow >= MOST_IN_A_ROW || !this.#random.chance(rate)) {
      this.#inARow.delete(call);
      return undefined;
    }
    const timedOutAtMs = this.#timedOutAtMs.get(principal) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - timedOutAtMs > BETWEEN_TIMEOUTS_MS && this.#random.chance(0.15)) {
      this.#timedOutAtMs.set(principal, nowMs);
      return {
        name: `${service} time-out`,
        lost: this.#random.pick(['before', 'after']),
        instead: 'silence',
      };
    }
    const fault = this.#random.pick<Fault>([
      { name: `${service} throttled`, lost: 'before', instead: this.#random.pick(throttles) },
      { name: `${service} failed before`, lost: 'before', instead: this.#random.pick(failures) },
      { name: `${service} failed after`, lost: 'after', instead: this.#random.pick(failures) },
      { name: `${service} request lost`, lost: 'before' },
      { name: `${service} answer lost`, lost: 'after' },
      { name: `${service} answer cut`, lost: 'after', instead: 'half of the answer' },
      { name: `${service} delay`, delayMs: this.#random.between(20, LONGEST_DELAY_MS) },
    ]);
    if (fault.lost) this.#inARow.set(call, inARow + 1);
    return fault;
  }
}

function json(status: number, type: string): ErrorAnswer {
  const headers = { 'content-type': 'application/x-amz-json-1.1' };
  return {
    status,
    headers,
    body: JSON.stringify({ __type: type, message: `${type}, injected by the soak` }),
  };
}

function rest(status: number, type: string): ErrorAnswer {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': type };
  return { status, headers, body: JSON.stringify({ message: `${type}, injected by the soak` }) };
}

function xml(status: number, code: string): ErrorAnswer {
  const type = status < 500 ? 'Sender' : 'Receiver';
  const error = `<Error><Type>${type}</Type><Code>${code}</Code><Message>${code}, injected by the soak</Message></Error>`;
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    body: `<?xml version="1.0"?>\n<ErrorResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${error}<RequestId>injected</RequestId></ErrorResponse>`,
  };
}
