import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

/** Sends a request for a custom domain to the edge, trusts only the local authority, and does not normalize the path. */
export async function atEdge(
  edge: { readonly https: string; readonly ca: string },
  host: string,
  path: string,
  { method = 'GET', apiKey = '', headers: own = {} } = {},
) {
  const [address, port] = edge.https.split(':');
  const headers = { ...own, Host: host, ...(apiKey && { Authorization: `Bearer ${apiKey}` }) };
  const options = { method, host: address, port, path, servername: host, agent: false, headers } as const;
  const exchange = request({ ...options, ca: readFileSync(edge.ca) });
  exchange.end();
  const [response]: IncomingMessage[] = await once(exchange, 'response');
  if (!response) throw new Error('There is no response.');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}
