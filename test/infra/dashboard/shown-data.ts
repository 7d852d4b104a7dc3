import type { ApiKey, AuditEntry, OrderView, ProjectView } from '../../../shared/operator/contract.ts';
import { DAY, HOUR, MINUTE, ROUTING } from './shown-domains.ts';

/** Times of the shown data are relative to now, as in a service that is in use. */
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const ahead = (seconds: number) => ago(-seconds);

/** A project that was just created, with what differs from that. */
const project = (id: string, more: Partial<ProjectView>): ProjectView => ({
  id,
  name: null,
  plan: 'free',
  deploy: { state: 'none', at: null, succeededAt: null },
  apiId: 'a1b2c3d4e5',
  stage: 'staging',
  createdAt: ago(DAY),
  url: `https://${id}.apps.example.dev`,
  defaultUrl: `https://${id}.apps.example.dev`,
  defaultUrlState: 'serving',
  defaultUrlReason: null,
  whileLive: 'redirect',
  endpointUrl: 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/staging',
  defaultEndpoint: 'open',
  openBecause: null,
  liveDomains: [],
  primary: null,
  redirects: [],
  ...more,
});

export const PROJECTS: readonly ProjectView[] = [
  project('petstore', {
    plan: 'pro',
    deploy: { state: 'succeeded', at: ago(2 * HOUR), succeededAt: ago(2 * HOUR) },
    createdAt: ago(90 * DAY),
    url: 'https://www.example.com',
    defaultUrlState: 'redirecting',
    ...ROUTING,
  }),
  project('zoo', {}),
  project('shop', {}),
];

const key = (id: number, name: string, more: Partial<ApiKey>): ApiKey => ({
  id: `key_${String(id).padStart(24, '0')}`,
  name,
  hint: `pet_test_…a${id}b${id}`,
  scopes: ['pets:read', 'pets:write', 'orders:read'],
  createdAt: ago(id * DAY),
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  ...more,
});

export const KEYS: readonly ApiKey[] = [
  key(1, 'Acme', { lastUsedAt: ago(4 * MINUTE), expiresAt: ahead(80 * DAY) }),
  key(2, 'Reporting job', { scopes: ['pets:read'], lastUsedAt: ago(5 * HOUR), expiresAt: ahead(6 * DAY) }),
  key(3, 'Old partner', { expiresAt: ago(2 * DAY) }),
  key(4, 'Lost laptop', { revokedAt: ago(9 * DAY), lastUsedAt: ago(9 * DAY) }),
];

const JANE = 'arn:aws:sts::123456789012:assumed-role/Operators/jane';

const order = (id: number, status: OrderView['status'], command: string, seconds: number): AuditEntry => ({
  requestId: `order-${id}`,
  at: ago(seconds),
  by: JANE,
  claimedBy: 'jane',
  command,
  input: command === 'orders.place' ? { petId: 482957181345792 + id } : { id: 482961476313088 + id },
  result: { id: 482961476313088 + id, petId: 482957181345792 + id, status, placedAt: ago(seconds + DAY) },
});

export const ENTRIES: readonly AuditEntry[] = [
  {
    requestId: 'one',
    at: ago(50),
    by: JANE,
    claimedBy: 'jane',
    command: 'domains.add',
    input: { project: 'petstore', domain: 'example.org' },
    result: {},
  },
  order(1, 'placed', 'orders.place', 3 * MINUTE),
  order(2, 'approved', 'orders.approve', 2 * HOUR),
  order(3, 'delivered', 'orders.deliver', 5 * HOUR),
  order(4, 'placed', 'orders.cancel', 6 * HOUR),
  {
    requestId: 'two',
    at: ago(DAY),
    by: 'unverified',
    claimedBy: 'sam',
    command: 'keys.create',
    input: { name: 'Acme', scopes: ['pets:read', 'pets:write'] },
    result: {},
  },
];

export const ORDERS: readonly OrderView[] = (['placed', 'approved', 'delivered'] as const).map(
  (status, index) => ({
    id: 482961476313089 + index,
    petId: 482957181345793 + index,
    status,
    placedAt: ago((index + 1) * DAY),
  }),
);
