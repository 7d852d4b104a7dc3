// Loads the bundle in its first argument, and sends back the handler's answer to each event that it receives.
import { loadHandler } from '../load-handler.js';

const [, , bundle] = process.argv;
const handler = await loadHandler(bundle);

// The parent may be killed, in which case nobody stops this process.
process.on('disconnect', () => process.exit());
process.on('message', async event => process.send(await handler(event, { awsRequestId: 'bench' })));
process.send('ready');
