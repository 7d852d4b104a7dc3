import { type GatewayRequest, gatewayEvent } from './gateway-event.ts';
import { STUB_IDS } from './stub/stub-table.ts';
import type { Operation } from './variants/variants.ts';

/** One kind of request that is timed. */
export interface Workload {
  readonly name: string;
  readonly operation: Operation;
  /** JSON text of the event. */
  readonly event: string;
}

const workload = (name: string, operation: Operation, request: GatewayRequest): Workload => ({
  name,
  operation,
  event: JSON.stringify(gatewayEvent(request)),
});

export const LIST_20 = workload('list of 20', 'listPets', {
  method: 'GET',
  path: '/pets',
  query: { limit: ['20'] },
});
export const LIST_100 = workload('list of 100', 'listPets', {
  method: 'GET',
  path: '/pets',
  query: { limit: ['100'] },
});
export const CREATE = workload('create', 'createPet', {
  method: 'POST',
  path: '/pets',
  contentType: 'application/json',
  body: JSON.stringify({ name: 'Rex the dog', categoryId: 42, status: 'available' }),
});
export const GET = workload('get', 'getPet', { method: 'GET', path: `/pets/${STUB_IDS[7]}` });
