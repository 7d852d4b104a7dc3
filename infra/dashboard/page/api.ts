import type { CommandName, InputOf, ReadName, ResultOf } from '../../../shared/operator/contract.ts';
import type { Answer, EnvironmentDetails, ShownError } from '../server/environment-view.ts';
import { noteAnswer } from './connection.ts';

/** Must be the header that the server asks for. */
const HEADERS = { 'Content-Type': 'application/json', 'X-Petstore-Dashboard': '1' };

export function read<Name extends ReadName>(
  stage: string,
  command: Name,
  input: InputOf<Name>,
): Promise<Answer<ResultOf<Name>>> {
  return post(`/api/${stage}/commands/${command}`, { input });
}

export function change<Name extends CommandName>(
  stage: string,
  command: Name,
  input: InputOf<Name>,
  requestId: string,
): Promise<Answer<ResultOf<Name>>> {
  return post(`/api/${stage}/commands/${command}`, { input, requestId });
}

export function environmentDetails(stage: string): Promise<Answer<EnvironmentDetails>> {
  return post(`/api/${stage}/environment`, { input: {} });
}

/** Creates the records of a domain at the DNS server of this machine. */
export function createDnsRecords(
  stage: string,
  input: { project: string; domain: string },
): Promise<Answer<{ created: number }>> {
  return post(`/api/${stage}/dns-records`, { input });
}

async function post<Result>(path: string, body: unknown): Promise<Answer<Result>> {
  const answer = await sent<Result>(path, body);
  noteAnswer(answer);
  return answer;
}

async function sent<Result>(path: string, body: unknown): Promise<Answer<Result>> {
  try {
    const response = await fetch(path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
    return (await response.json()) as Answer<Result>;
  } catch {
    return { ok: false, error: SERVER_GONE };
  }
}

const SERVER_GONE: ShownError = {
  code: 'server_gone',
  message: 'The dashboard does not answer: it was stopped, or this machine was asleep.',
};

/** Errors after which it is not known whether a change was made: the same request may be sent again. */
export const UNKNOWN_OUTCOMES = ['server_gone', 'network', 'function_error', 'aws_error', 'unavailable'];
