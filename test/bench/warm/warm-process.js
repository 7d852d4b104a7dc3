// A warm process: it loads the bundle in its first argument. For each message, a count, it invokes the bundle that often
// with the event in its second argument, and sends back the average CPU time of one invocation.
import { cpuMicroseconds, loadHandler } from '../load-handler.js';

const [, , bundle, event] = process.argv;
const handler = await loadHandler(bundle);
const context = { awsRequestId: 'bench' };

// The parent may be killed, in which case nobody stops this process.
process.on('disconnect', () => process.exit());
process.on('message', async count => {
  // Every invocation gets an event of its own, because handlers may change it. Parsing is Lambda's work and not measured.
  const events = Array.from({ length: count }, () => JSON.parse(event));
  const startedAt = cpuMicroseconds();
  let answer;
  for (const each of events) answer = await handler(each, context);
  const spent = cpuMicroseconds() - startedAt;
  if (answer.statusCode >= 300) throw new Error(`${bundle} answered ${answer.body}`);
  process.send(spent / count);
});
process.send('ready');
