/**
 * Replaces the SDK's HTTP handler in the bundles by this service's own, for the clients that do not name a handler, too.
 * The SDK's loads TLS whether or not the endpoint needs it.
 */
import { collectBody, HttpHandler } from '../http-handler.ts';

export const NodeHttpHandler = {
  /** A client passes its handler, or else a function that reads the SDK's defaults. The SDK's options have no effect here. */
  create(given: unknown): HttpHandler {
    if (given instanceof HttpHandler) return given;
    if (typeof given === 'object')
      throw new Error('A client in a bundle takes an HttpHandler, not options of one.');
    return new HttpHandler();
  },
};

export const streamCollector = collectBody;
