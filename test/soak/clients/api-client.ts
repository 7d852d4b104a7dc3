import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { SoakContext } from '../context.ts';
import { type HttpAnswer, TRANSIENT } from '../ledger/answer-check.ts';
import type { Interval } from '../ledger/pet-ledger.ts';

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface TimedAnswer extends HttpAnswer {
  readonly during: Interval;
}

/** A machine that is this slow has stopped. A slow answer is no violation, so the limit ends only what hangs. */
const HANGING_MS = 120_000;

/** Sends requests to the HTTP interface, and records latencies and what is to be held of every answer. */
export class ApiClient {
  readonly #context: SoakContext;
  readonly #agent = new Agent({ keepAlive: true });
  static readonly #requestIds = new Set<string>();

  constructor(context: SoakContext) {
    this.#context = context;
  }

  /** The answer; undefined when there is none, so that it is not known whether the request was carried out. */
  async send(apiRequest: ApiRequest): Promise<TimedAnswer | undefined> {
    const { now, service, latencies, tally, violations, secrets } = this.#context;
    await service.whenRunning();
    const fromMs = now();
    const answer = await this.#exchange(apiRequest).catch(() => undefined);
    const during = { fromMs, toMs: now() };
    tally.count('requests');
    const hasFailed = !answer || TRANSIENT.includes(answer.status);
    latencies.add(fromMs, during.toMs - fromMs, hasFailed);
    if (!answer) {
      tally.count('requests without an answer');
      return undefined;
    }
    tally.count(`answers ${answer.status}`);
    const requestId = String(answer.headers['x-request-id'] ?? '');
    if (ApiClient.#requestIds.has(requestId)) {
      violations.add('undocumented answer', `the X-Request-Id ${requestId} was answered twice`);
    }
    ApiClient.#requestIds.add(requestId);
    if (answer.status === 500) {
      const { method, url, body = '' } = apiRequest;
      this.#context.serverErrors.set(requestId, `${method} ${url} ${body.toString().slice(0, 80)}`);
    }
    if (
      secrets.find(answer.text) !== undefined ||
      secrets.find(JSON.stringify(answer.headers)) !== undefined
    ) {
      violations.add(
        'secret revealed',
        `the answer to ${apiRequest.method} ${apiRequest.url} has a part of a key`,
      );
    }
    return { ...answer, during };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #exchange({ method, url, headers, body }: ApiRequest): Promise<HttpAnswer> {
    const { hostname, port, origin } = new URL(url);
    // The path is sent as it is written: URL would normalize what is malformed on purpose.
    const path = url.slice(origin.length);
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const exchange = request({
      method,
      hostname,
      port,
      path,
      headers: { ...length, ...headers },
      agent: this.#agent,
    });
    exchange.setTimeout(HANGING_MS, () => exchange.destroy(new Error('The service does not answer.')));
    exchange.end(body);
    const [response] = (await once(exchange, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response) };
  }
}
