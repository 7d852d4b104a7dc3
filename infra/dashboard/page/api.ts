import type { ChangeName, InputOf, ReadName, ResultOf } from '../../../shared/operator/contract.ts';
import type { ApiResponse, EnvironmentDetails, ShownError } from '../server/protocol.ts';
import { noteResponse, noteVersion } from './notices.ts';

/** Must be the header that the server asks for. */
const HEADERS = { 'Content-Type': 'application/json', 'X-Petstore-Dashboard': '1' };

export function read<Name extends ReadName>(
  stage: string,
  command: Name,
  input: InputOf<Name>,
): Promise<ApiResponse<ResultOf<Name>>> {
  return send(stage, command, { input });
}

export function change<Name extends ChangeName>(
  stage: string,
  command: Name,
  input: InputOf<Name>,
  requestId: string,
): Promise<ApiResponse<ResultOf<Name>>> {
  return send(stage, command, { input, requestId });
}

async function send<Result>(stage: string, command: string, body: unknown): Promise<ApiResponse<Result>> {
  const response = await post<Result>(`/api/${stage}/commands/${command}`, body);
  if (response.ok) noteVersion(stage, response.versionNote);
  return response;
}

/** Errors after which it is unknown whether a change was made: the same request may be sent again. */
export const UNKNOWN_OUTCOMES = ['server_gone', 'network', 'function_error', 'aws_error', 'unavailable'];

export function environmentDetails(stage: string): Promise<ApiResponse<EnvironmentDetails>> {
  return post(`/api/${stage}/environment`, { input: {} });
}

/** Creates the records of a domain at the DNS server of this machine. */
export function createDnsRecords(
  stage: string,
  input: { project: string; domain: string },
): Promise<ApiResponse<{ created: number }>> {
  return post(`/api/${stage}/dns-records`, { input });
}

async function post<Result>(path: string, body: unknown): Promise<ApiResponse<Result>> {
  const response = await fetch(path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) })
    .then((received): Promise<ApiResponse<Result>> => received.json())
    .catch(() => ({ ok: false, error: SERVER_GONE }) as const);
  noteResponse(response);
  return response;
}

const SERVER_GONE: ShownError = {
  code: 'server_gone',
  message: 'The dashboard does not respond: it was stopped, or this machine was asleep.',
};
