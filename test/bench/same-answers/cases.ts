import type { GatewayRequest } from '../gateway-event.ts';
import { CALLER } from '../gateway-event.ts';
import { STUB_IDS } from '../stub/stub-table.ts';
import type { Operation } from '../variants/variants.ts';

export interface Case {
  readonly operation: Operation;
  readonly request: GatewayRequest;
  /** The expected status: variants that are all broken alike would otherwise pass. */
  readonly status: number;
}

const list = (status: number, query?: Record<string, string[]>): Case => ({
  operation: 'listPets',
  request: { method: 'GET', path: '/pets', ...(query && { query }) },
  status,
});

const get = (status: number, petId: string | undefined): Case => ({
  operation: 'getPet',
  request: { method: 'GET', path: `/pets/${petId}` },
  status,
});

const create = (status: number, body?: string, contentType = 'application/json'): Case => ({
  operation: 'createPet',
  request: { method: 'POST', path: '/pets', contentType, ...(body !== undefined && { body }) },
  status,
});

const as = (
  authorizer: Record<string, string> | undefined,
  { operation, request }: Case,
  status: number,
) => ({
  operation,
  request: { ...request, authorizer },
  status,
});

const REX = '{"name": "Rex", "categoryId": 1}';

/** At least one request for every kind of answer that an operation gives. */
export const CASES: readonly Case[] = [
  list(200),
  list(200, { limit: ['1'] }),
  list(200, { limit: ['100'] }),
  list(200, { status: ['sold'], limit: ['5'] }),
  list(200, { status: ['sold'], limit: ['100'] }),
  list(200, { unknown: ['1', '2'] }),
  list(400, { limit: ['0'] }),
  list(400, { limit: ['101'], status: ['lost'] }),
  list(400, { limit: ['5', '6'] }),
  list(400, { cursor: ['2gosa7pa2gv.forged'] }),
  list(400, { cursor: [''] }),
  as(undefined, list(200), 401),
  as({ keyId: 'key_1', scopes: 'pets:write' }, list(200), 403),
  as({ ...CALLER, expiresAt: '2025-01-01T00:00:00Z' }, list(200), 401),

  get(200, STUB_IDS[0]),
  get(200, STUB_IDS[5]),
  get(404, '17'),
  get(404, '9223372036854775807'),
  get(404, '9223372036854775808'),
  get(404, 'rex'),
  as(undefined, get(200, STUB_IDS[0]), 401),

  create(201, REX),
  create(201, '{"name": " Åsa 🐕 ", "categoryId": 9223372036854775807, "status": "sold", "more": 1}'),
  create(201, '{"name": "Rex", "categoryId": -5.0}', 'application/json; charset=utf-8'),
  create(400, '{"name": "", "categoryId": 5.5}'),
  create(400, '{"name": 5, "categoryId": "5", "status": "lost"}'),
  create(400, '{"categoryId": 9223372036854775808}'),
  create(400, '{"name": "a\\u0000b", "categoryId": null}'),
  create(400, `{"name": "${'a'.repeat(256)}", "categoryId": 1}`),
  create(400, '[]'),
  create(400, 'null'),
  create(400, '{"name":'),
  create(400),
  create(413, `{"name": "${'a'.repeat(17 * 1024)}", "categoryId": 1}`),
  create(415, REX, 'text/plain'),
  as({ keyId: 'key_1', scopes: 'pets:read' }, create(201, REX), 403),
];
