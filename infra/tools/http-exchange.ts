import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import * as https from 'node:https';

export interface HttpRequest {
  readonly method?: string;
  /** Undefined leaves a header out, an array repeats it. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Uint8Array | undefined;
  /** The request target, if it isn't the path and query of the URL. */
  readonly path?: string;
  /** Another host than the URL's that serves its name by HTTPS, such as `127.0.0.1:8443`, and the file of its CA. */
  readonly edge?: { readonly https: string; readonly ca?: string } | undefined;
  /** False opens a connection for this request alone. */
  readonly agent?: http.Agent | false;
  readonly signal?: AbortSignal;
  /** What a body has beyond this is neither read nor returned. */
  readonly maxBytes?: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * Sends a request as it is written, follows no redirect and decodes nothing. fetch() would normalize the path, refuse
 * some headers, and connect only to the host of the URL.
 */
export function exchange(url: string, parts: HttpRequest = {}): Promise<HttpResponse> {
  const { method, headers, body, edge, agent, signal, maxBytes } = parts;
  const { protocol, hostname, port } = new URL(url);
  const path = parts.path ?? (url.slice(url.indexOf('//') + 2).replace(/^[^/?]*/, '') || '/');
  const [edgeHost, edgePort] = edge?.https.split(':') ?? [];
  const endpoint =
    protocol === 'https:' && edge
      ? { hostname: edgeHost, port: edgePort, servername: hostname, ca: edge.ca && readFileSync(edge.ca) }
      : { hostname, port };
  const sent = {
    ...('servername' in endpoint && { Host: hostname }),
    ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const { request } = protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const options = { method, path, agent, signal, ...endpoint, headers: Object.fromEntries(given) };
    request(options, response => {
      const { statusCode: status = 0, headers: received } = response;
      bytesOf(response, maxBytes)
        .then(bytes => resolve({ status, headers: received, bytes, text: bytes.toString() }))
        .catch(reject);
    })
      .on('error', reject)
      .end(body);
  });
}

async function bytesOf(response: http.IncomingMessage, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
