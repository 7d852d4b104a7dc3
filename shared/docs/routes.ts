import type { Route } from '../operation-declaration.ts';

export const OPENAPI_ROUTE = { method: 'GET', path: '/openapi.json' } as const satisfies Route;

export const REFERENCE_ROUTE = { method: 'GET', path: '/docs' } as const satisfies Route;
