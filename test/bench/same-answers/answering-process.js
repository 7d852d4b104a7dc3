// A process that answers: loads the bundle in its first argument and sends back its answer to each event it is sent.
import { loadHandler } from '../load-handler.js';

const [, , bundle] = process.argv;
const handler = await loadHandler(bundle);

// Whoever started this may be ended the hard way.
process.on('disconnect', () => process.exit());
process.on('message', async event => process.send(await handler(event, { awsRequestId: 'bench' })));
process.send('ready');
