import { generateKey } from '../../../shared/api-keys/api-key.ts';
import { gatewayEvent } from '../gateway-event.ts';
import { OPERATIONS, type Operation, OURS, type Variants } from '../variants/variants.ts';
import { CREATE, GET, LIST_20, type Workload } from '../workloads.ts';

/** A bundle to start, and the first event to invoke it with. */
export interface ColdBundle {
  readonly operation: string;
  readonly variant: string;
  readonly bundle: string;
  readonly environment: Record<string, string>;
  /** The event as JSON text. */
  readonly event: string;
  /** The operation whose bare handler it is compared with. */
  readonly bareOperation: Operation;
}

const FIRST_REQUEST: Record<Operation, Workload> = { listPets: LIST_20, createPet: CREATE, getPet: GET };

const ORDERS_REQUEST = gatewayEvent({ method: 'GET', path: '/store/orders', query: { limit: ['20'] } });

const AUTHORIZATION = {
  type: 'TOKEN',
  authorizationToken: `Bearer ${generateKey('pet_live_')}`,
  methodArn: 'arn:aws:execute-api:us-east-1:123456789012:a1b2c3d4e5/production/GET/v1/pets',
};

/** The cold start of listPets as it is on AWS, where it has to load TLS; the stub of DynamoDB is plain HTTP. */
export const WITH_TLS = 'listPets with TLS';

/** The variables of a function that needs TLS for all services but DynamoDB. */
function needsTls(environment: Record<string, string>): Record<string, string> {
  const { AWS_ENDPOINT_URL: endpoint = '' } = environment;
  return { ...environment, AWS_ENDPOINT_URL: 'https://aws.invalid', AWS_ENDPOINT_URL_DYNAMODB: endpoint };
}

/** Every deployed bundle that takes part in answering HTTP requests, with its peers. */
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
  const listPets = withPeers.find(({ operation, variant }) => operation === 'listPets' && variant === OURS);
  return [
    ...withPeers,
    ...(listPets ? [{ ...listPets, operation: WITH_TLS, environment: needsTls(listPets.environment) }] : []),
    {
      operation: 'listOrders',
      variant: OURS,
      ...variants.deployed('OrdersListOrders', dynamoDbEndpoint),
      event: JSON.stringify(ORDERS_REQUEST),
      bareOperation: 'listPets',
    },
    {
      operation: 'authorize',
      variant: OURS,
      ...variants.deployed('ApiKeysAuthorize', dynamoDbEndpoint),
      event: JSON.stringify(AUTHORIZATION),
      bareOperation: 'getPet',
    },
  ];
}
