import type { Route } from '../operation-declaration.ts';

export const OPENAPI_ROUTE = { method: 'GET', path: '/openapi.json' } as const satisfies Route;

export const REFERENCE_ROUTE = { method: 'GET', path: '/docs' } as const satisfies Route;

/** The script that renders the reference page. Its file name contains a hash of its content. */
export function rendererRoute(fileName: string): Route {
  return { method: 'GET', path: `${REFERENCE_ROUTE.path}/${fileName}` };
}
