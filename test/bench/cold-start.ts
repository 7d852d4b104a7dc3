import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { CREATE, GET, gatewayEvent, LIST_20, type Workload } from './gateway-events.ts';
import { HANDLER_PROCESS } from './handler-process.ts';
import { BARE, median, OPERATIONS, type Operation, OURS, ratioByRound, type Variants } from './variants.ts';

/** A bundle to start, and the first event to invoke it with. */
interface ColdBundle {
  readonly operation: string;
  readonly variant: string;
  readonly bundle: string;
  readonly environment: Record<string, string>;
  /** The event as JSON text. */
  readonly event: string;
  /** The operation whose bare handler it is compared with. */
  readonly bareOperation: Operation;
}

const FIRST_REQUEST: Record<Operation, Workload> = { list: LIST_20, create: CREATE, get: GET };

const ORDERS_REQUEST = gatewayEvent({ method: 'GET', path: '/store/orders', query: { limit: ['20'] } });

const AUTHORIZATION = {
  type: 'TOKEN',
  authorizationToken: `Bearer ${generateKey('pet_live_')}`,
  methodArn: 'arn:aws:execute-api:us-east-1:123456789012:a1b2c3d4e5/production/GET/v1/pets',
};

/** The cold start of the list as it is on AWS, where it has to load TLS; the stub of DynamoDB is plain HTTP. */
export const WITH_TLS = 'list with TLS';

/** The variables of a function that needs TLS for all services but DynamoDB. */
function needsTls(environment: Record<string, string>): Record<string, string> {
  const { AWS_ENDPOINT_URL: endpoint = '' } = environment;
  return { ...environment, AWS_ENDPOINT_URL: 'https://aws.invalid', AWS_ENDPOINT_URL_DYNAMODB: endpoint };
}

/** Every deployed bundle that serves HTTP requests, with its peers. */
export function coldBundles(variants: Variants, dynamoDbEndpoint: string): ColdBundle[] {
  const withPeers = OPERATIONS.flatMap(operation =>
    variants.all.map(({ name, bundle }) => ({
      operation,
      variant: name,
      bundle: bundle[operation],
      environment: variants.environment(operation, dynamoDbEndpoint),
      event: FIRST_REQUEST[operation].event,
      bareOperation: operation,
    })),
  );
  const ownList = withPeers.find(({ operation, variant }) => operation === 'list' && variant === OURS);
  return [
    ...withPeers,
    ...(ownList ? [{ ...ownList, operation: WITH_TLS, environment: needsTls(ownList.environment) }] : []),
    {
      operation: 'orders',
      variant: OURS,
      ...variants.deployed('OrdersListOrders', dynamoDbEndpoint),
      event: JSON.stringify(ORDERS_REQUEST),
      bareOperation: 'list',
    },
    {
      operation: 'authorize',
      variant: OURS,
      ...variants.deployed('ApiKeysAuthorize', dynamoDbEndpoint),
      event: JSON.stringify(AUTHORIZATION),
      bareOperation: 'get',
    },
  ];
}

/** The cold start of one bundle: medians of CPU time in milliseconds, and ratios to the bare handler. */
export interface ColdStart {
  readonly operation: string;
  readonly variant: string;
  readonly bytes: number;
  readonly bytesRatio: number;
  readonly importMs: number;
  readonly firstInvocationMs: number;
  readonly totalMs: number;
  readonly totalRatio: number;
  readonly isUndiciLoaded: boolean;
}

interface Start {
  readonly statusCode: number;
  readonly importMs: number;
  readonly firstInvocationMs: number;
  readonly isUndiciLoaded: boolean;
}

const ROUNDS = 12;

/** Starts every bundle once per round, each in a fresh process, one after the other. */
export async function measureColdStarts(
  bundles: readonly ColdBundle[],
  progress: (done: string) => void,
): Promise<ColdStart[]> {
  const starts = new Map<ColdBundle, Start[]>(bundles.map(bundle => [bundle, []]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [bundle, own] of starts) own.push(await start(bundle));
    progress(`round ${round} of ${ROUNDS}`);
  }
  return bundles.map(cold => {
    const own = starts.get(cold) ?? [];
    const bare = bundles.find(
      ({ operation, variant }) => variant === BARE && operation === cold.bareOperation,
    );
    const bareStarts = (bare && starts.get(bare)) ?? [];
    const bytes = statSync(cold.bundle).size;
    return {
      operation: cold.operation,
      variant: cold.variant,
      bytes,
      bytesRatio: bytes / statSync(bare?.bundle ?? '').size,
      importMs: median(own.map(({ importMs }) => importMs)),
      firstInvocationMs: median(own.map(({ firstInvocationMs }) => firstInvocationMs)),
      totalMs: median(own.map(total)),
      totalRatio: ratioByRound(own.map(total), bareStarts.map(total)),
      isUndiciLoaded: own.some(({ isUndiciLoaded }) => isUndiciLoaded),
    };
  });
}

function total({ importMs, firstInvocationMs }: Start): number {
  return importMs + firstInvocationMs;
}

async function start({ bundle, environment, event }: ColdBundle): Promise<Start> {
  const { stdout } = await promisify(execFile)(process.execPath, [HANDLER_PROCESS, 'cold', bundle, event], {
    env: environment,
  });
  const result: Start = JSON.parse(stdout);
  if (result.statusCode >= 300) throw new Error(`${bundle} returned ${result.statusCode} when it started.`);
  return result;
}
