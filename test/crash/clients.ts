import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { exchange, type HttpResponse } from '../../infra/tools/http-exchange.ts';
import { parseJson } from '../../shared/http/json.ts';
import type { CommandName, Reply, ResultOf } from '../../shared/operator/contract.ts';
import type { InputOf } from '../../shared/operator/inputs.ts';
import { nextPage } from '../service/http-client.ts';
import { awsClientOptions, type ENVIRONMENTS } from '../service/running-service.ts';
import type { Run } from './findings.ts';
import { Ledger, type Thing } from './ledger.ts';
import { checkResponse, isTransient } from './responses.ts';

/** An environment of the service: who uses it, and what it has acknowledged. */
export interface Environment {
  readonly stage: (typeof ENVIRONMENTS)[number];
  readonly api: ApiClient;
  readonly operator: OperatorClient;
  readonly pets: Ledger;
  /** Available pets that nobody has ordered. */
  readonly orderable: Thing[];
  readonly orders: Ledger;
  readonly keys: Ledger;
  readonly audit: Ledger;
}

export function environmentOf(stage: Environment['stage'], run: Run): Environment {
  const ledger = (kind: string) => new Ledger(`${kind} of ${stage}`, run.findings.report);
  const audit = ledger('request');
  return {
    stage,
    api: new ApiClient(run, stage),
    operator: new OperatorClient(run, stage, audit),
    pets: ledger('pet'),
    orderable: [],
    orders: ledger('order for the pet'),
    keys: ledger('key'),
    audit,
  };
}

/** A machine that is this slow has stopped. A slow response isn't a violation, so the limit ends only what hangs. */
const HANGING_MS = 120_000;
const PAUSE_MS = 100;

export interface ApiRequest {
  /** By default the one that `npm start` has created. */
  readonly apiKey?: { readonly id: string; readonly key: string };
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The statuses that are documented for the request, besides transient ones. */
  readonly expected: readonly number[];
}

/** Sends requests to the HTTP interface of one environment, and checks what holds for every response. */
export class ApiClient {
  readonly #run: Run;
  readonly #stage: Environment['stage'];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #requestIds = new Set<unknown>();
  /** The requests that returned 500, by their X-Request-Id. */
  readonly serverErrors = new Map<string, string>();

  constructor(run: Run, stage: Environment['stage']) {
    this.#run = run;
    this.#stage = stage;
  }

  /** The response to `GET /pets`; undefined for none, or for one by which the same request may succeed later. */
  async send(methodAndPath: string, request: ApiRequest): Promise<HttpResponse | undefined> {
    const { service, findings } = this.#run;
    const { url, apiKey: ready } = (await service.running)[this.#stage];
    const [method = '', path = ''] = methodAndPath.split(' ');
    const { apiKey = { id: 'of npm start', key: ready }, headers, body = '', expected } = request;
    const response = await exchange(path.startsWith('/') ? `${url}${path}` : path, {
      method,
      headers: { Authorization: `Bearer ${apiKey.key}`, 'Content-Type': 'application/json', ...headers },
      body: method === 'POST' ? body : undefined,
      agent: this.#agent,
      signal: AbortSignal.timeout(HANGING_MS),
    }).catch(() => undefined);
    findings.count(`responses: ${response?.status ?? 'none'}`);
    if (!response) return undefined;
    const described = `${methodAndPath} of ${this.#stage} ${body} with the key ${apiKey.id}`;
    checkResponse(described, response, expected, findings.report);
    const requestId = String(response.headers['x-request-id']);
    if (this.#requestIds.has(requestId)) findings.report('doubled', `the X-Request-Id ${requestId}`);
    this.#requestIds.add(requestId);
    if (response.status === 500) this.serverErrors.set(requestId, described);
    return isTransient(response.status) ? undefined : response;
  }

  /** Repeats a request until it has a response that lasts. */
  async insist(methodAndPath: string, request: ApiRequest): Promise<HttpResponse> {
    for (;;) {
      const response = await this.send(methodAndPath, request);
      if (response) return response;
      this.#run.requireTime(methodAndPath);
      await delay(PAUSE_MS);
    }
  }

  /** All items of a list, by following its Link headers. Fields are texts, with every digit of numbers. */
  async list(path: string): Promise<Record<string, string>[]> {
    const items: Record<string, string>[] = [];
    for (let target: string | undefined = path; target !== undefined; ) {
      const response: HttpResponse = await this.insist(`GET ${target}`, { expected: [200] });
      if (response.status !== 200) return items;
      items.push(...readItems(response.text));
      target = nextPage(response);
    }
    return items;
  }

  close(): void {
    this.#agent.destroy();
  }
}

export function readItems(text: string): Record<string, string>[] {
  const items = [parseJson(text)].flat() as Record<string, unknown>[];
  return items.map(item =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [name, String(value)])),
  );
}

/** Who sends the commands, as the audit log has it. */
export const OPERATOR = 'crash test';

/** What a command changes; a command that is read, or that reconciles, may have no audit entry. */
const isRecorded = (command: string) =>
  /^(orders|keys)\.(place|approve|deliver|cancel|create|rotate|revoke)$/.test(command);

/** Invokes the operator function of one environment as operators do. */
export class OperatorClient {
  readonly #run: Run;
  readonly #stage: Environment['stage'];
  readonly #audit: Ledger;

  constructor(run: Run, stage: Environment['stage'], audit: Ledger) {
    this.#run = run;
    this.#stage = stage;
    this.#audit = audit;
  }

  /** Repeats a request with the same id until it is carried out or refused. */
  async insist<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
    requestId: string = randomUUID(),
  ): Promise<Reply<ResultOf<Name>>> {
    const { findings, requireTime } = this.#run;
    if (isRecorded(command)) this.#audit.requested(requestId, command);
    for (;;) {
      const reply = await this.#ask(command, input, requestId);
      if (reply?.ok && isRecorded(command)) {
        this.#audit.acknowledged({ name: requestId, id: requestId, state: command });
        findings.count(`acknowledged: ${command.replace('.', ': ')}`);
      }
      if (reply && (reply.ok || !['unavailable', 'internal_error'].includes(reply.error.code))) return reply;
      requireTime(command);
      await delay(PAUSE_MS);
    }
  }

  /** The result of a request that nobody competes with, so that it must be carried out. */
  async done<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
  ): Promise<ResultOf<Name> | undefined> {
    const reply = await this.insist(command, input);
    if (reply.ok) return reply.result;
    this.#run.findings.report('false refusal', `${command} of ${this.#stage}: ${reply.error.message}`);
    return undefined;
  }

  /** One invocation; undefined when there is no reply, so that it is not known whether it was carried out. */
  async #ask<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
    requestId: string,
  ): Promise<Reply<ResultOf<Name>> | undefined> {
    const { service, findings } = this.#run;
    const lambda = new LambdaClient({ ...awsClientOptions(await service.running), maxAttempts: 1 });
    const invocation = new InvokeCommand({
      FunctionName: `petstore-${this.#stage}-operator`,
      Payload: JSON.stringify({ command, requestId, by: OPERATOR, ...input }),
    });
    const response = await lambda.send(invocation, { requestTimeout: 120_000 }).catch(() => undefined);
    lambda.destroy();
    // A function that was ended by its time limit has not replied either.
    if (!response || response.FunctionError) return undefined;
    const text = response.Payload?.transformToString() ?? 'null';
    const reply: Reply<ResultOf<Name>> | null = JSON.parse(text);
    if (reply?.ok === false && reply.error.code === 'internal_error') {
      findings.report('undocumented response', `${command} of ${this.#stage} returned ${text}`);
    }
    return reply ?? undefined;
  }
}
