// Loads the bundle in its first argument, invokes it once with the event in its second, and prints the CPU times.
import { writeSync } from 'node:fs';
import { cpuMicroseconds, loadHandler } from '../load-handler.js';

const [, , bundle, event] = process.argv;

const startedAt = cpuMicroseconds();
const handler = await loadHandler(bundle);
const importedAt = cpuMicroseconds();
const isUndiciLoaded = process.moduleLoadList.some(name => name.includes('undici'));

const parsedEvent = JSON.parse(event);
const invokedAt = cpuMicroseconds();
const { statusCode = 200 } = await handler(parsedEvent, { awsRequestId: 'bench' });
const answeredAt = cpuMicroseconds();

const importMs = (importedAt - startedAt) / 1000;
const firstInvocationMs = (answeredAt - invokedAt) / 1000;
writeSync(1, JSON.stringify({ statusCode, importMs, firstInvocationMs, isUndiciLoaded }));
process.exit();
