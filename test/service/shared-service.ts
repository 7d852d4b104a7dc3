import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, inject } from 'vitest';
import type { SharedServiceAddress } from '../setup/start-shared-service.ts';
import { newApiKey } from './operator.ts';
import { ENVIRONMENTS, requireWithinModels } from './running-service.ts';

/** A service that is stopped or starved does not respond at all; a busy machine takes seconds. */
const RESPONSE_LIMIT_MS = 20_000;

/**
 * The service that runs for all test files (see test/setup/start-shared-service.ts), with API keys that only the
 * calling file has. Call it once, at the top of the file. The file fails if it leaves the service broken.
 */
export function sharedService(): SharedServiceAddress {
  const shared = inject('sharedService');
  const apiKeys: Record<string, string> = {};

  beforeAll(async () => {
    for (const environment of ENVIRONMENTS) {
      apiKeys[environment] = await newApiKey(shared, environment);
    }
  });

  afterAll(async () => {
    for (const environment of ENVIRONMENTS) await expectResponse(shared, environment);
    if (existsSync(shared.errorFile)) requireWithinModels(readFileSync(shared.errorFile, 'utf8'));
  });

  const withOwnKey = (environment: (typeof ENVIRONMENTS)[number]) => ({
    url: shared[environment].url,
    get apiKey() {
      return apiKeys[environment] ?? '';
    },
  });
  return { ...shared, production: withOwnKey('production'), staging: withOwnKey('staging') };
}

async function expectResponse(
  shared: SharedServiceAddress,
  environment: (typeof ENVIRONMENTS)[number],
): Promise<void> {
  const { url, apiKey } = shared[environment];
  const broken = (found: string, cause?: unknown) => {
    // Its files are gone when it has ended; the end of the run then says what it reported.
    const reported = existsSync(shared.errorFile) ? readFileSync(shared.errorFile, 'utf8') : '(it has ended)';
    const message = `This file left the shared service broken: GET /pets in ${environment} has ${found}.`;
    return new Error(`${message}\nThe service has reported:\n${reported}`, { cause });
  };
  const response = await fetch(`${url}/pets?limit=1`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(RESPONSE_LIMIT_MS),
  }).catch((cause: unknown) => {
    throw broken('no response', cause);
  });
  const text = await response.text();
  if (response.status !== 200) throw broken(`the response ${response.status} ${text}`);
}
