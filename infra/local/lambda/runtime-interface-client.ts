/**
 * The runtime interface client of an execution environment: runs in a worker thread, loads the handler and invokes it. It
 * imports one small file and types only, so that a cold start loads little besides the function's bundle.
 */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { InvocationMessage, SandboxData, SandboxMessage } from './execution-environment.ts';
import { routeNetwork } from './network-routes.ts';

// Node.js has read them. A function has the variables of Lambda and no others.
delete process.env.NODE_COMPILE_CACHE;
delete process.env.NODE_COMPILE_CACHE_PORTABLE;

type Handler = (event: unknown, context: unknown) => unknown;

const { handlerFile, handlerName, dnsResolvers, edge, context }: SandboxData = workerData;

process.on('uncaughtException', error => crash(error));
process.on('unhandledRejection', error => crash(error, 'Runtime.UnhandledPromiseRejection'));

try {
  routeNetwork(dnsResolvers, edge);
  const handler = await loadHandler();
  parentPort?.on('message', (message: InvocationMessage) => invoke(handler, message));
  send({ kind: 'ready' });
} catch (error) {
  crash(error, error instanceof SyntaxError ? 'Runtime.UserCodeSyntaxError' : undefined);
}

async function loadHandler(): Promise<Handler> {
  // import() loads more of Node.js than require() does: only ES modules need it.
  const loaded = handlerFile.endsWith('.mjs')
    ? await import(handlerFile)
    : createRequire(handlerFile)(handlerFile);
  const handler: unknown = loaded[handlerName];
  if (typeof handler !== 'function') {
    crash(new Error(`${handlerName} is undefined or not exported`), 'Runtime.HandlerNotFound');
  }
  return handler as Handler;
}

async function invoke(handler: Handler, invocation: InvocationMessage): Promise<void> {
  const response = await handlerResponse(handler, invocation);
  // The lines of the invocation belong to it only if they arrive before the response.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  send(response);
}

async function handlerResponse(handler: Handler, invocation: InvocationMessage): Promise<SandboxMessage> {
  try {
    const result = await handler(JSON.parse(invocation.event), {
      ...context,
      awsRequestId: invocation.requestId,
      callbackWaitsForEmptyEventLoop: true,
      clientContext: undefined,
      identity: undefined,
      getRemainingTimeInMillis: () => invocation.deadlineMs - Date.now(),
    });
    return { kind: 'response', payload: JSON.stringify(result) ?? 'null', failed: false };
  } catch (error) {
    return { kind: 'response', payload: errorPayload(error), failed: true };
  }
}

/** Resolves when the main thread has read what was written to a stream. */
function flushed(stream: NodeJS.WriteStream): Promise<void> | undefined {
  if (stream.writableLength === 0) return undefined;
  return new Promise(resolve => stream.write('', () => resolve()));
}

function send(message: SandboxMessage): void {
  parentPort?.postMessage(message);
}

function crash(error: unknown, errorType?: string): never {
  send({ kind: 'crash', payload: errorPayload(error, errorType) });
  process.exit(1);
}

/** The JSON text of an error, in the form of Lambda's Node.js runtime. */
function errorPayload(error: unknown, errorType?: string): string {
  return error instanceof Error
    ? JSON.stringify({
        errorType: errorType ?? error.name,
        errorMessage: error.message,
        trace: (error.stack ?? '').split('\n'),
      })
    : JSON.stringify({ errorType: errorType ?? typeof error, errorMessage: String(error), trace: [] });
}
