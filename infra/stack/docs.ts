import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import scalarPlugin from '@scalar/fastify-api-reference';
import { Construct } from 'constructs';
import { OPENAPI_ROUTE, REFERENCE_ROUTE, rendererRoute } from '../../shared/docs/routes.ts';
import { stringifyJson } from '../../shared/http/json.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Environment } from './environments.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * The documentation is open to everybody, so that its rates bound what strangers can cost: infra/cost/README.md has the
 * price of a day at these. Browsers keep the script for a year, and few requests for it come.
 */
const PAGE_THROTTLE = { ratePerSecond: 10, burst: 100 };
const SCRIPT_THROTTLE = { ratePerSecond: 1, burst: 20 };

/** The documentation: the OpenAPI document, the reference page and its renderer. None of them needs an API key. */
export class Docs extends Construct {
  constructor(scope: Construct, id: string, environment: Environment, api: PublicApi) {
    super(scope, id);
    renderer ??= readRenderer();
    const { scriptName, compressedScript } = renderer;
    const document = openApiDocument();

    const getOpenapi = new ServiceFunction(this, 'GetOpenapi', 'docs/get-openapi', {
      environment,
      files: { 'openapi.json': stringifyJson(document) },
    }).withVariable('STAGES_OF_HOST', environment.stagesOfHost.join(' '));
    const getReference = new ServiceFunction(this, 'GetReference', 'docs/get-reference', {
      environment,
    })
      .withVariable('RENDERER', scriptName)
      .withVariable('OPERATIONS_WITHOUT_TRY_OUT', operationsWithoutTryOut(document.paths).join(' '));
    const getRenderer = new ServiceFunction(this, 'GetRenderer', 'docs/get-renderer', {
      environment,
      files: { 'scalar.js.gz': compressedScript },
    });

    api.openRoute(OPENAPI_ROUTE, getOpenapi, 'The description of the interface is public.', PAGE_THROTTLE);
    api.openRoute(REFERENCE_ROUTE, getReference, 'The reference page is public.', PAGE_THROTTLE);
    api.openRoute(rendererRoute(scriptName), getRenderer, 'The reference page loads it.', SCRIPT_THROTTLE);
  }
}

interface Renderer {
  /** Changes with the script, which browsers keep. */
  readonly scriptName: string;
  readonly compressedScript: Buffer;
}

/** Compressing takes a third of a second, and all stacks of an app have the same script. */
let renderer: Renderer | undefined;

function readRenderer(): Renderer {
  const script = rendererScript();
  return {
    scriptName: `scalar-${createHash('sha256').update(script).digest('hex').slice(0, 12)}.js`,
    compressedScript: gzipSync(script, { level: 9 }),
  };
}

/**
 * Scalar's renderer in one file. It comes from Scalar's plugin for Fastify, which registers a route for it: the package of
 * the renderer itself also installs the 250 MB of frameworks that it is built from.
 */
function rendererScript(): string {
  let script: string | undefined;
  const reply = {
    header: () => reply,
    send(body: string) {
      script = body;
    },
  };
  const route = ({ url, handler }: ScalarRoute) => {
    if (url.endsWith('.js')) handler({}, reply);
  };
  scalarPlugin({ route }, { configuration: { url: OPENAPI_ROUTE.path } }, () => {});
  if (script === undefined) throw new Error('@scalar/fastify-api-reference has no route for a script.');
  return script;
}

/** What is used of a route that the plugin registers. */
interface ScalarRoute {
  readonly url: string;
  handler(request: object, reply: object): unknown;
}

/** The operations marked `x-hideTryItPanel`, as the renderer names them: `GET/store/orders`. */
function operationsWithoutTryOut(paths: object = {}): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries<Record<string, unknown>>(methods)
      .filter(([, operation]) => operation['x-hideTryItPanel'])
      .map(([method]) => `${method.toUpperCase()}${path}`),
  );
}
