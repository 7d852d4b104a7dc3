// A process that stays warm: loads the bundle in its first argument, invokes it with the event in its second as often
// as each message says, and sends back the CPU time of one invocation.
import { cpuMicroseconds, loadHandler } from '../load-handler.js';

const [, , bundle, event] = process.argv;
const handler = await loadHandler(bundle);
const context = { awsRequestId: 'bench' };

// Whoever started this may be ended the hard way.
process.on('disconnect', () => process.exit());
process.on('message', async count => {
  // Lambda parses every event anew; handlers may change it. That work is not the handler's.
  const events = Array.from({ length: count }, () => JSON.parse(event));
  const startedAt = cpuMicroseconds();
  let answer;
  for (const each of events) answer = await handler(each, context);
  const spent = cpuMicroseconds() - startedAt;
  if (answer.statusCode >= 300) throw new Error(`${bundle} answered ${answer.body}`);
  process.send(spent / count);
});
process.send('ready');
