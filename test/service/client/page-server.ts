import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that is neither the service nor a loopback name, so that browsers take it for an insecure origin. */
const HOST = 'shop.example';

export interface PageFile {
  readonly type: string;
  readonly body: string;
}

export interface PageServer {
  readonly url: string;
  /** The argument that leads Chromium to this machine when it opens the site. */
  readonly resolverRule: string;
  close(): void;
}

/** Serves the files of a page, by path, from an origin of its own. */
export async function servePage(files: Readonly<Record<string, PageFile>>): Promise<PageServer> {
  const server = createServer(({ url = '' }, outgoing) => {
    const file = files[url];
    outgoing.writeHead(file ? 200 : 404, { 'Content-Type': file?.type ?? 'text/plain' });
    outgoing.end(file?.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}/`,
    resolverRule: `--host-resolver-rules=MAP ${HOST} 127.0.0.1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
