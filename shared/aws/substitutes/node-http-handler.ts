/**
 * Replaces the SDK's HTTP handler in the bundles by this service's own, for the clients that do not name a handler, too.
 * The SDK's loads TLS whether or not the endpoint needs it.
 */
import { collectBody, HttpHandler } from '../http-handler.ts';

export const NodeHttpHandler = {
  create: (given: unknown) => (given instanceof HttpHandler ? given : new HttpHandler()),
};

export const streamCollector = collectBody;
