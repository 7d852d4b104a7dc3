import { Construct } from 'constructs';
import { OPENAPI_ROUTE, REFERENCE_ROUTE } from '../../shared/docs/servers.ts';
import { stringifyJson } from '../../shared/http/json.ts';
import { openApiDocument } from '../openapi/document.ts';
import { referencePage } from '../openapi/reference/reference-page.ts';
import type { Environment } from './environments.ts';
import type { PublicApi } from './public-api.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * The documentation is open to everybody, so these rates bound what strangers can cost us: infra/cost/README.md has the price
 * of a day at these rates.
 */
const THROTTLE = { ratePerSecond: 10, burst: 20 };

/** The documentation: the OpenAPI document and the reference page. Neither needs an API key. */
export class Docs extends Construct {
  constructor(scope: Construct, id: string, environment: Environment, api: PublicApi) {
    super(scope, id);
    const document = openApiDocument();
    const page = referencePage(document);
    const stages = environment.stagesOfHost.join(' ');
    const getOpenapi = new ServiceFunction(this, 'GetOpenapi', 'docs/get-openapi', {
      environment,
      files: { 'openapi.json': stringifyJson(document) },
    }).withVariable('STAGES_OF_HOST', stages);
    const getReference = new ServiceFunction(this, 'GetReference', 'docs/get-reference', {
      environment,
      files: { 'reference.html': page.html },
    })
      .withVariable('STAGES_OF_HOST', stages)
      .withVariable('CONTENT_SECURITY_POLICY', page.contentSecurityPolicy);

    api.openRoute(OPENAPI_ROUTE, getOpenapi, 'The description of the interface is public.', THROTTLE);
    api.openRoute(REFERENCE_ROUTE, getReference, 'The reference page is public.', THROTTLE);
  }
}
