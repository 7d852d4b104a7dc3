/**
 * The runtime interface client of an execution environment: runs in a worker thread, loads the handler and invokes it. It
 * imports a few small files and types only, so that a cold start loads little besides the function's bundle.
 */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { guardDynamoDb } from './dynamodb-guard.ts';
import type {
  EnvironmentMessage,
  InvocationMessage,
  SandboxData,
  SandboxMessage,
} from './execution-environment.ts';
import { routeDns, routeHttps } from './network-routes.ts';

// Node.js has read them. A function has the variables of Lambda and no others.
delete process.env.NODE_COMPILE_CACHE;
delete process.env.NODE_COMPILE_CACHE_PORTABLE;

type Handler = (event: unknown, context: unknown) => unknown;

const { handlerFile, handlerName, dnsResolvers, edge, engine, context }: SandboxData = workerData;

function send(message: SandboxMessage): void {
  parentPort?.postMessage(message);
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

function crash(error: unknown, errorType?: string): never {
  send({ kind: 'crash', payload: errorPayload(error, errorType) });
  process.exit(1);
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
  try {
    const answer = await handler(JSON.parse(invocation.event), {
      ...context,
      awsRequestId: invocation.requestId,
      callbackWaitsForEmptyEventLoop: true,
      clientContext: undefined,
      identity: undefined,
      getRemainingTimeInMillis: () => invocation.deadlineMs - Date.now(),
    });
    send({ kind: 'answer', payload: JSON.stringify(answer) ?? 'null', failed: false });
  } catch (error) {
    send({ kind: 'answer', payload: errorPayload(error), failed: true });
  }
}

process.on('uncaughtException', error => crash(error));
process.on('unhandledRejection', error => crash(error, 'Runtime.UnhandledPromiseRejection'));

// The worker's own streams may deliver lines after the answer. As messages, they arrive before it.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    send({ kind: 'log', text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    const written = rest.at(-1);
    if (typeof written === 'function') {
      queueMicrotask(() => written());
    }
    return true;
  };
}

try {
  routeDns(dnsResolvers);
  if (edge) routeHttps(edge);
  const guard = engine
    ? guardDynamoDb(engine, question => send({ kind: 'question', ...question }))
    : undefined;
  const loaded = Promise.withResolvers<Handler>();
  // The code outside the handler may call DynamoDB, too.
  parentPort?.on('message', async (message: EnvironmentMessage) => {
    if (message.kind === 'invocation') invoke(await loaded.promise, message);
    else if (message.kind === 'decision') guard?.decide(message.question, message.denial);
    else guard?.forgetDecisions();
  });
  loaded.resolve(await loadHandler());
  send({ kind: 'ready' });
} catch (error) {
  crash(error, error instanceof SyntaxError ? 'Runtime.UserCodeSyntaxError' : undefined);
}
