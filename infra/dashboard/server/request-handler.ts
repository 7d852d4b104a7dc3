import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from './access.ts';
import { handleApi, type ServedEnvironment } from './api.ts';
import type { DashboardEnvironment } from './environment.ts';
import { Lists } from './lists.ts';
import type { PageFile } from './page-bundle.ts';
import { PAGE_HTML } from './page-html.ts';
import type { ApiResponse, OpenedSession, UnchangedResponse } from './protocol.ts';

export interface DashboardParts {
  readonly access: Access;
  readonly environments: readonly DashboardEnvironment[];
  readonly files: () => Promise<ReadonlyMap<string, PageFile>>;
}

/**
 * Handles every request. It checks the host first; for the API also that the page itself sent the request, then its session.
 * The page and its files are the same for everybody and contain no data.
 */
export function requestHandler({ access, environments, files }: DashboardParts) {
  const served: ServedEnvironment[] = environments.map(environment => ({
    ...environment,
    lists: new Lists((command, input, known) => environment.operator.read(command, { ...input }, { known })),
  }));
  const views = environments.map(({ stage, isLocal }) => ({ stage, isLocal }));

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = '' } = request;
    const origin = access.originOf(headers);
    if (!origin) {
      if (method === 'POST') return sendData(response, 421, ended(RESTARTED));
      return send(
        response,
        421,
        'text/plain',
        `${RESTARTED}\nOpen the link that it printed in the terminal.\n`,
      );
    }
    const url = URL.parse(request.url ?? '', origin);
    if (url?.origin !== origin) return refuse(response, 400, 'invalid_request', 'The URL is invalid.');

    if (url.pathname.startsWith('/api/')) return api(request, response, url.pathname);
    if (method !== 'GET') return refuse(response, 405, 'method_not_allowed', 'Only GET is allowed here.');
    if (url.pathname.startsWith('/assets/')) return asset(response, url.pathname.slice('/assets/'.length));
    return send(response, 200, 'text/html; charset=utf-8', PAGE_HTML);
  };

  async function api(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { headers, method } = request;
    if (method !== 'POST') return refuse(response, 405, 'method_not_allowed', 'Only POST is allowed here.');
    if (!access.isFromPage(headers))
      return refuse(response, 403, 'forbidden', "This request didn't come from the dashboard.");
    if (path === '/api/session') {
      const session = access.openSession(headers);
      if (session === undefined) return sendData(response, 401, ended(IDLE));
      const result: OpenedSession = { session, environments: views };
      return sendData(response, 200, { ok: true, result });
    }
    if (!access.hasSession(headers)) return sendData(response, 401, ended(IDLE));
    const disconnection = new AbortController();
    response.once('close', () => disconnection.abort());
    const { status, body } = await handleApi(request, path, served, disconnection.signal);
    sendData(response, status, body);
  }

  /** Says where the page can continue once the newest link was opened. */
  function ended(message: string): ApiResponse {
    return { ok: false, error: { code: 'session_ended', message, newestOrigin: access.newestOrigin } };
  }

  async function asset(response: ServerResponse, name: string): Promise<void> {
    const file = (await files()).get(name);
    if (!file) return refuse(response, 404, 'not_found', 'There is no such file.');
    // Every browser that can run the page decompresses it.
    response.setHeader('Content-Encoding', 'gzip');
    send(response, 200, file.type, file.compressed);
  }
}

const IDLE = 'A session ends 12 hours after its last request.';

/** Each start makes new random hosts. */
const RESTARTED = 'The dashboard was restarted after this page was opened.';

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  sendData(response, status, { ok: false, error: { code, message } });
}

function sendData(response: ServerResponse, status: number, body: ApiResponse | UnchangedResponse): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, content: string | Buffer): void {
  // Most responses are data, which loads nothing, and an idle page's are mostly headers.
  const policy = type === 'application/json' ? DATA_POLICY : PAGE_POLICY;
  const headers = { ...SECURITY_HEADERS, 'Content-Security-Policy': policy, 'Content-Type': type };
  response.writeHead(status, headers).end(content);
}

/** No code but the page's own files, no frames, nothing to other hosts. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The headers of every response: no frames, no caches, nothing to other hosts. */
const SECURITY_HEADERS = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
