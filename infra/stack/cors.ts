/**
 * What API Gateway itself adds to its answers so that pages of other origins can read them (CORS).
 *
 * Any origin (`*`) is a constant header. Of a list, the origin of the request is answered, if it is in the list: mock
 * integrations compare it in a response template. Gateway responses have no templates that could compare, so that theirs
 * are readable by every page: they are the same for everybody.
 */
import { EXPOSED_HEADERS } from '../../shared/http/cors.ts';
import type { BrowserOrigins } from '../settings/browser-origins.ts';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/** Chromium keeps the answer to a preflight no longer than these two hours, whatever it says. */
const MAX_AGE_SECONDS = 7200;

/** The values of headers, and where they depend on the request, a template that sets them. A literal has quotes inside. */
export interface CorsAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the headers that only the template sets. */
  readonly templateHeaders: readonly string[];
  /** VTL in front of the body. */
  readonly template: string;
}

const NOTHING: CorsAnswer = { headers: {}, templateHeaders: [], template: '' };

const literal = (value: string) => `'${value}'`;

/** The headers of gateway responses. */
export function gatewayResponseCors(origins: BrowserOrigins): Record<string, string> {
  if (origins.length === 0) return {};
  return { [ALLOW_ORIGIN]: literal('*'), [EXPOSE_HEADERS]: literal(EXPOSED_HEADERS) };
}

/** The headers of an answer of a mock integration. */
export function mockAnswerCors(origins: BrowserOrigins): CorsAnswer {
  return readableBy(origins, { [EXPOSE_HEADERS]: literal(EXPOSED_HEADERS) });
}

/** The headers of the answer to a preflight, by which a browser asks before it sends a request of a page. */
export function preflightCors(origins: BrowserOrigins, methods: string, requestHeaders: string): CorsAnswer {
  return readableBy(origins, {
    'Access-Control-Allow-Methods': literal(methods),
    'Access-Control-Allow-Headers': literal(requestHeaders),
    'Access-Control-Max-Age': literal(String(MAX_AGE_SECONDS)),
  });
}

function readableBy(origins: BrowserOrigins, headers: Readonly<Record<string, string>>): CorsAnswer {
  if (origins.length === 0) return NOTHING;
  if (origins === '*') return { ...NOTHING, headers: { [ALLOW_ORIGIN]: literal('*'), ...headers } };
  return {
    headers: { ...headers, Vary: literal('Origin') },
    templateHeaders: [ALLOW_ORIGIN],
    template: allowOriginTemplate(origins),
  };
}

/** $input.params finds a header by the exact case of its name. HTTP/2 has lower case only. */
function allowOriginTemplate(origins: readonly string[]): string {
  const isListed = origins.map(origin => `$origin == '${origin}'`).join(' || ');
  return [
    "#set($origin = $input.params('Origin'))",
    "#if($origin == '')",
    "#set($origin = $input.params('origin'))",
    '#end',
    `#if(${isListed})`,
    `#set($context.responseOverride.header.${ALLOW_ORIGIN} = $origin)`,
    '#end',
    '',
  ].join('\n');
}
