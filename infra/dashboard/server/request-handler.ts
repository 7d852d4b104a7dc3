import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from './access.ts';
import { handleApi, type ServedEnvironment } from './api.ts';
import type { DashboardEnvironment } from './environment.ts';
import { Lists } from './lists.ts';
import type { PageFile } from './page-bundle.ts';
import {
  NOTICE_STYLE_SOURCE,
  pageHtml,
  SIGNED_OUT_HTML,
  signedInHtml,
  WRONG_TOKEN_HTML,
} from './page-html.ts';
import type { ShownError } from './protocol.ts';

export interface DashboardParts {
  readonly access: Access;
  readonly environments: readonly DashboardEnvironment[];
  readonly files: () => Promise<ReadonlyMap<string, PageFile>>;
}

/**
 * Handles every request. The order of the checks: the host, the token or the session, and for the API also that the page
 * itself sent the request.
 */
export function requestHandler({ access, environments, files }: DashboardParts) {
  const served: ServedEnvironment[] = environments.map(environment => ({
    ...environment,
    lists: new Lists((command, input, known) => environment.operator.read(command, { ...input }, { known })),
  }));
  const html = pageHtml(environments.map(({ stage, isLocal }) => ({ stage, isLocal })));

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = '' } = request;
    if (!access.isOwnHost(headers)) return refuse(response, 421, 'wrong_host', `Open ${access.origin}.`);
    const url = URL.parse(request.url ?? '', access.origin);
    if (!url || url.origin !== access.origin)
      return refuse(response, 400, 'invalid_request', 'The URL is invalid.');

    const isApi = url.pathname.startsWith('/api/');
    const token = url.searchParams.get('token');
    if (token !== null && !isApi && method === 'GET') return signIn(response, url, token);
    if (!access.hasSession(headers)) {
      if (isApi) return refuse(response, 401, 'session_ended', 'The session of this page has ended.');
      return notice(response, 401, SIGNED_OUT_HTML);
    }
    if (isApi) return api(request, response, url.pathname);
    if (method !== 'GET') return refuse(response, 405, 'method_not_allowed', 'Only GET is allowed here.');
    if (url.pathname.startsWith('/assets/')) return asset(response, url.pathname.slice('/assets/'.length));
    return send(response, 200, 'text/html; charset=utf-8', html);
  };

  function signIn(response: ServerResponse, url: URL, token: string): void {
    const cookie = access.startSession(token);
    if (cookie === undefined) {
      notice(response, 403, WRONG_TOKEN_HTML);
      return;
    }
    url.searchParams.delete('token');
    response.setHeader('Set-Cookie', cookie);
    // A path that begins with two slashes would be a URL of another host.
    notice(response, 200, signedInHtml(`${url.pathname.replace(/^\/+/, '/')}${url.search}`));
  }

  async function api(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    if (request.method !== 'POST') {
      return refuse(response, 405, 'method_not_allowed', 'Only POST is allowed here.');
    }
    if (!access.isFromPage(request.headers)) {
      return refuse(response, 403, 'forbidden', "This request didn't come from the dashboard.");
    }
    const disconnection = new AbortController();
    response.once('close', () => disconnection.abort());
    const { status, body } = await handleApi(request, path, served, disconnection.signal);
    send(response, status, 'application/json', JSON.stringify(body));
  }

  async function asset(response: ServerResponse, name: string): Promise<void> {
    const file = (await files()).get(name);
    if (!file) return refuse(response, 404, 'not_found', 'There is no such file.');
    // Every browser that can run the page decompresses it.
    response.setHeader('Content-Encoding', 'gzip');
    send(response, 200, file.type, file.compressed);
  }
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const error: ShownError = { code, message };
  send(response, status, 'application/json', JSON.stringify({ ok: false, error }));
}

function notice(response: ServerResponse, status: number, html: string): void {
  send(response, status, 'text/html; charset=utf-8', html, NOTICE_STYLE_SOURCE);
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  content: string | Buffer,
  styleSource = '',
): void {
  // Most responses are data, which loads nothing: an idle page gets little but headers.
  const policy = type === 'application/json' ? DATA_POLICY : pagePolicy(styleSource);
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Security-Policy': policyText(policy),
    'Content-Type': type,
  };
  response.writeHead(status, headers).end(content);
}

/** No code but the page's own files, no frames, nothing to other hosts. */
function pagePolicy(extraStyleSource: string) {
  return {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self'${extraStyleSource}`,
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  };
}

const DATA_POLICY = { 'default-src': "'none'", 'frame-ancestors': "'none'" };

function policyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** The headers of every response: no frames, no caches, nothing to other hosts. */
const SECURITY_HEADERS = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
