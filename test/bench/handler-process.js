// A process that loads one bundle and invokes its handler: `handler-process.js <mode> <bundle> [event]`.
// JavaScript, because stripping types would count towards the CPU time that is measured here.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const [, , mode, bundle, event] = process.argv;
const context = { awsRequestId: 'bench' };

/** Loads the handler as Lambda does: a CommonJS file by require, an ES module by import. */
async function loadHandler() {
  const { handler } = bundle.endsWith('.cjs') ? createRequire(import.meta.url)(bundle) : await import(bundle);
  return handler;
}

/** CPU time of all threads of this process since it started, in microseconds. */
function cpuMicroseconds() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Invokes the handler once, and prints the CPU times of the import and of the invocation. */
async function cold() {
  const startedAt = cpuMicroseconds();
  const handler = await loadHandler();
  const importedAt = cpuMicroseconds();
  const isUndiciLoaded = process.moduleLoadList.some(name => name.includes('undici'));

  const parsedEvent = JSON.parse(event);
  const invokedAt = cpuMicroseconds();
  const { statusCode = 200 } = await handler(parsedEvent, context);
  const respondedAt = cpuMicroseconds();

  const importMs = (importedAt - startedAt) / 1000;
  const firstInvocationMs = (respondedAt - invokedAt) / 1000;
  writeSync(1, JSON.stringify({ statusCode, importMs, firstInvocationMs, isUndiciLoaded }));
  process.exit();
}

/** For each message, a count, invokes the handler that often, and sends back the average CPU time of an invocation. */
async function warm() {
  const handler = await loadHandler();
  return async count => {
    // Every invocation gets an event of its own, because handlers may change it. Parsing is Lambda's work and not measured.
    const events = Array.from({ length: count }, () => JSON.parse(event));
    const startedAt = cpuMicroseconds();
    let response;
    for (const each of events) response = await handler(each, context);
    const spent = cpuMicroseconds() - startedAt;
    if (response.statusCode >= 300) throw new Error(`${bundle} returned ${response.body}`);
    return spent / count;
  };
}

/** Sends back the handler's response to each event that it receives. */
async function invoke() {
  const handler = await loadHandler();
  return received => handler(received, context);
}

if (mode === 'cold') await cold();
const respond = await (mode === 'warm' ? warm() : invoke());
// The parent may be killed, in which case nobody stops this process.
process.on('disconnect', () => process.exit());
process.on('message', async message => process.send(await respond(message)));
process.send('ready');
