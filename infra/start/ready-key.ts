import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { attemptLimits } from '../../shared/aws/retries.ts';
import type { LocalAws } from '../local/local-aws.ts';

/** API Gateway takes two seconds here, which is twenty requests. */
const PAUSE_MS = 100;

/** Several times as long as API Gateway takes to know a new key, on a machine that is busy. */
const LONGEST_WAIT_MS = 30_000;

/** As long as Lambda gives the operator function, and the time to start it. */
const INVOCATION_LIMIT_MS = 60_000;

/** Lambda's error of a function that was too slow. */
export const TIMED_OUT = 'Sandbox.Timedout';

/** What to do where functions run out of time. */
export const MORE_PATIENCE =
  'If this machine is busy, give functions four times as long: npm start -- --patience 4';

type Service = Pick<LocalAws, 'awsEndpoint' | 'awsCredentials' | 'logFolder'>;

/** A function that is broken; the message says which and why. */
class BrokenFunctionError extends Error {
  override readonly name = 'BrokenFunctionError';
}

/** The API keys that `npm start` prints, by stage. They are kept in a file beside the data, if data is kept. */
export class ReadyKeys {
  readonly #file: string | undefined;
  readonly #longestWaitMs: number;
  readonly #keys: Record<string, string>;

  constructor(file: string | undefined, longestWaitMs = LONGEST_WAIT_MS) {
    this.#file = file;
    this.#longestWaitMs = longestWaitMs;
    this.#keys = file ? keptKeys(file) : {};
  }

  /** A key that works at the base URL: the one of the last start, or a new one if that no longer works. */
  async keyFor(stage: string, baseUrl: string, operatorFunction: string, service: Service): Promise<string> {
    const known = this.#keys[stage];
    if (known && isWorking(await statusWith(known, baseUrl))) return known;
    const key = await createKey(operatorFunction, service);
    await untilItWorks(key, baseUrl, service, Date.now() + this.#longestWaitMs);
    this.#keys[stage] = key;
    if (this.#file) writeFileSync(this.#file, JSON.stringify(this.#keys, null, 2), { mode: 0o600 });
    return key;
  }
}

/** A file that is missing, or truncated by a crash, has no keys: new ones are created. */
function keptKeys(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** API Gateway knows a new key after some seconds. Only a request with the key shows whether it does. */
async function untilItWorks(
  key: string,
  baseUrl: string,
  { logFolder }: Service,
  deadlineMs: number,
): Promise<void> {
  for (;;) {
    const status = await statusWith(key, baseUrl);
    if (isWorking(status)) return;
    if (Date.now() > deadlineMs) {
      const hint = status >= 500 ? ` ${MORE_PATIENCE}` : '';
      const message = `GET ${baseUrl}/pets responds with ${status} to a new API key. The logs are in ${logFolder}.${hint}`;
      throw new BrokenFunctionError(message);
    }
    await setTimeout(PAUSE_MS);
  }
}

/** A closed default endpoint returns 403 for every key, so it does not show whether a key works. */
const isWorking = (status: number) => status === 200 || status === 403;

async function statusWith(key: string, baseUrl: string): Promise<number> {
  const response = await fetch(`${baseUrl}/pets?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status;
}

/** Invokes the operator function, as an operator would. */
async function createKey(
  operatorFunction: string,
  { awsEndpoint, awsCredentials, logFolder }: Service,
): Promise<string> {
  const lambda = new LambdaClient({
    endpoint: awsEndpoint,
    region: 'us-east-1',
    // A copy: the SDK writes into it.
    credentials: { ...awsCredentials },
    requestHandler: attemptLimits(INVOCATION_LIMIT_MS),
  });
  const { Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: operatorFunction,
      Payload: JSON.stringify({ command: 'keys.create', name: 'npm start' }),
    }),
  );
  lambda.destroy();
  const response = JSON.parse(Payload?.transformToString() ?? 'null');
  if (response?.ok) return response.result.key;
  if (response?.errorType === TIMED_OUT || response?.error?.code === 'unavailable') {
    throw new BrokenFunctionError(`${operatorFunction} ran out of time. ${MORE_PATIENCE}`);
  }
  // The response of the function, or Lambda's description of its failure.
  const why = response?.error?.message ?? `${response?.errorType}: ${response?.errorMessage}`;
  throw new BrokenFunctionError(
    `${operatorFunction} can't create an API key. ${why.replace(/\.?$/, '.')} Its log is in ${logFolder}.`,
  );
}
