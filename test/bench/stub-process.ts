import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getItem, query, updateItem } from './stub.ts';

/**
 * A stub of DynamoDB in a process of its own. It never closes connections, and responds to a repeated request from memory,
 * so that every variant waits equally long.
 */
const responses = new Map<string, string>();
let calls: { operation: string; input: unknown }[] | undefined;

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => {
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    calls?.push({ operation, input: JSON.parse(body) });
    const content = responseTo(operation, body);
    response.writeHead(200, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(content),
      'x-amzn-requestid': 'B1946AC92492D2347C6235B4D2611184B1946AC92492D2347C62',
    });
    response.end(content);
  });
});
server.keepAliveTimeout = 0;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

// The parent may be killed, in which case nobody stops this process.
process.on('disconnect', () => process.exit());

/** The message `record` starts recording calls; `calls` stops it and returns them. */
process.on('message', message => {
  const recorded = calls ?? [];
  calls = message === 'record' ? [] : undefined;
  process.send?.(message === 'record' ? 'recording' : recorded);
});

function responseTo(operation: string, body: string): string {
  if (operation === 'PutItem') return '{}';
  const cached = responses.get(operation + body);
  if (cached !== undefined) return cached;
  const response = JSON.stringify(outputOf(operation, JSON.parse(body)));
  responses.set(operation + body, response);
  return response;
}

function outputOf(operation: string, input: Parameters<typeof query>[0]): object {
  if (operation === 'Query') return query(input);
  if (operation === 'GetItem') return getItem(input);
  if (operation === 'UpdateItem') return updateItem(input);
  throw new Error(`The stub does not support ${operation}.`);
}
