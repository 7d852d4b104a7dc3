import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getItem, query, updateItem } from './stub-table.ts';

/**
 * A process that stands in for DynamoDB. It keeps connections open for ever, and answers a request that it has seen
 * before from memory, so that whoever waits for it waits equally short.
 */
const answers = new Map<string, string>();
let calls: { operation: string; input: unknown }[] | undefined;

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    calls?.push({ operation, input: JSON.parse(body) });
    const answer = answerTo(operation, body);
    response.writeHead(200, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(answer),
      'x-amzn-requestid': 'B1946AC92492D2347C6235B4D2611184B1946AC92492D2347C62',
    });
    response.end(answer);
  });
});
server.keepAliveTimeout = 0;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

// Whoever started this may be ended the hard way.
process.on('disconnect', () => process.exit());

/** `record` starts to note the calls, `calls` tells them and stops. */
process.on('message', message => {
  const noted = calls ?? [];
  calls = message === 'record' ? [] : undefined;
  process.send?.(message === 'record' ? 'recording' : noted);
});

function answerTo(operation: string, body: string): string {
  if (operation === 'PutItem') return '{}';
  const known = answers.get(operation + body);
  if (known !== undefined) return known;
  const answer = JSON.stringify(made(operation, JSON.parse(body)));
  answers.set(operation + body, answer);
  return answer;
}

function made(operation: string, input: Parameters<typeof query>[0]): object {
  if (operation === 'Query') return query(input);
  if (operation === 'GetItem') return getItem(input);
  if (operation === 'UpdateItem') return updateItem(input);
  throw new Error(`The stub does not know ${operation}.`);
}
