import type { ChangeName, ReadName, ResultOf } from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import type { ListName } from '../server/list-kinds.ts';
import type {
  ApiResponse,
  CreatedRecords,
  EnvironmentDetails,
  KeyUsage,
  ListPage,
  ListQuery,
  ListRows,
  OpenedSession,
  ShownError,
  UnchangedResponse,
} from '../server/protocol.ts';
import { noteResponse, noteVersion } from './notices.ts';

const tokenInUrl = () => /^#token=(.+)/.exec(location.hash)?.[1];

/** The session's secret, shared by all tabs at this host, which no other server has while the secret is valid. */
let session = storedSession();

/** Opens a session with the token in the URL, or takes the one that another tab has opened. */
export async function openSession(): Promise<ApiResponse<OpenedSession>> {
  const token = tokenInUrl();
  if (token) history.replaceState(null, '', `${location.pathname}${location.search}`);
  // Opening the printed URL in a tab that is already at its path doesn't load the page.
  addEventListener('hashchange', () => tokenInUrl() && location.reload());
  const opened = await request<ApiResponse<OpenedSession>>('/api/session', { input: {} }, token ?? session);
  if (opened.ok) storeSession(opened.result.session);
  noteResponse(opened);
  return opened;
}

function storedSession(): string {
  try {
    return localStorage.getItem('session') ?? '';
  } catch {
    return '';
  }
}

function storeSession(secret: string): void {
  session = secret;
  try {
    localStorage.setItem('session', secret);
  } catch {
    // A browser that stores nothing signs in this tab only.
  }
}

export function read<Name extends ReadName>(
  stage: string,
  command: Name,
  input: InputOf<Name>,
): Promise<ApiResponse<ResultOf<Name>>> {
  return readFrom(stage, `commands/${command}`, input);
}

export function readList<Name extends ListName>(
  stage: string,
  list: Name,
  query: ListQuery,
): Promise<ApiResponse<ListPage<ListRows[Name]>>> {
  return readFrom(stage, `lists/${list}`, query);
}

export function change<Name extends ChangeName>(
  stage: string,
  command: Name,
  input: InputOf<Name>,
  requestId: string,
): Promise<ApiResponse<ResultOf<Name>>> {
  return send(`/api/${stage}/commands/${command}`, stage, { input, requestId });
}

/** The latest results, with the revision by which the server knows them. */
const known = new Map<string, { readonly revision: string; readonly result: unknown }>();
const MOST_KNOWN = 50;

/** Reads something. The server doesn't send again what the page has. */
async function readFrom<Result>(stage: string, what: string, input: object): Promise<ApiResponse<Result>> {
  const path = `/api/${stage}/${what}`;
  const key = `${path} ${JSON.stringify(input)}`;
  const before = known.get(key);
  const response = await send<ApiResponse<Result> | UnchangedResponse>(path, stage, {
    input,
    known: before?.revision,
  });
  if ('isUnchanged' in response) {
    const { age } = response;
    return { ok: true, result: before?.result as Result, ...(age && { age }) };
  }
  known.delete(key);
  if (!response.ok || !response.revision) return response;
  known.set(key, { revision: response.revision, result: response.result });
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return response;
}

type Response = ApiResponse | UnchangedResponse;

async function send<Received extends Response>(
  path: string,
  stage: string,
  body: unknown,
): Promise<Received> {
  const response = await post<Received>(path, body);
  if (response.ok) noteVersion(stage, response.versionNote);
  return response;
}

export function keyUsage(
  stage: string,
  input: { id: string; days: number },
): Promise<ApiResponse<readonly KeyUsage[]>> {
  return post(`/api/${stage}/usage`, { input });
}

export function environmentDetails(stage: string): Promise<ApiResponse<EnvironmentDetails>> {
  return post(`/api/${stage}/environment`, { input: {} });
}

/** Creates the records of domains at the local DNS server, and deletes what is in their way, once confirmed. */
export function createDnsRecords(
  stage: string,
  input: { project: string; domains: readonly string[]; confirmed: readonly string[] },
): Promise<ApiResponse<CreatedRecords>> {
  return post(`/api/${stage}/dns-records`, { input });
}

async function post<Received extends Response>(path: string, body: unknown): Promise<Received> {
  let response = await request<Received>(path, body, session);
  if (!response.ok && response.error.code === 'session_ended' && storedSession() !== session) {
    // Another tab has opened the link again.
    session = storedSession();
    response = await request<Received>(path, body, session);
  }
  noteResponse(response);
  return response;
}

function request<Received extends Response>(path: string, body: unknown, secret: string): Promise<Received> {
  const headers = { 'Content-Type': 'application/json', 'X-Petstore-Dashboard': secret };
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    .then((received): Promise<Received> => received.json())
    .catch(() => ({ ok: false, error: SERVER_GONE }) as Received);
}

const SERVER_GONE: ShownError = {
  code: 'server_gone',
  message: 'Connection lost: the dashboard has stopped, or this computer was asleep.',
  isOpen: true,
};
