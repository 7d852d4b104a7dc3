import type { Route } from '../operation-declaration.ts';

/** Production's URL in the generated document and samples. A deployment replaces it with the called URL. */
export const DOCUMENTED_BASE_URL = 'https://{api}.execute-api.{region}.amazonaws.com/production/v1';

/** A text of the document as a stage serves it: its samples call that stage with one of its keys. */
export function calling(text: string, baseUrl: string, stage: string): string {
  return text.replaceAll(DOCUMENTED_BASE_URL, baseUrl).replaceAll('pet_live_…', `${keyPrefix(stage)}…`);
}

/** A base URL of the interface, as OpenAPI describes it. */
export interface Server {
  readonly url: string;
  readonly description: string;
}

/**
 * The base URLs a client can call: the called one first, then those of the other stages at the same host. A custom domain is
 * mapped to one stage, and its path has none.
 */
export function serversAt(
  baseUrl: string,
  { stage, stagesOfHost }: { readonly stage: string; readonly stagesOfHost: readonly string[] },
): Server[] {
  const ending = `/${stage}/v1`;
  const others = baseUrl.endsWith(ending) ? stagesOfHost.filter(other => other !== stage) : [];
  return [
    { url: baseUrl, description: descriptionOf(stage) },
    ...others.map(other => ({
      url: `${baseUrl.slice(0, -ending.length)}/${other}/v1`,
      description: descriptionOf(other),
    })),
  ];
}

function descriptionOf(stage: string): string {
  const name = `${stage.charAt(0).toUpperCase()}${stage.slice(1)}`;
  return `${name}: use an API key that starts with ${keyPrefix(stage)}`;
}

/** Each stage has its own API keys. */
function keyPrefix(stage: string): string {
  return stage === 'production' ? 'pet_live_' : 'pet_test_';
}

/** Text inside of HTML, or of an attribute in double quotes. */
export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

export const OPENAPI_ROUTE = { method: 'GET', path: '/openapi.json' } as const satisfies Route;

export const REFERENCE_ROUTE = { method: 'GET', path: '/docs' } as const satisfies Route;
