import type { IncomingMessage } from 'node:http';
import { COMMANDS, type CommandName, readRequestId } from '../../../shared/operator/contract.ts';
import { revisionOf } from '../../../shared/operator/revision.ts';
import { CommandError } from '../../operator/connection/command-error.ts';
import type { DashboardEnvironment, ReadOutcome } from './environment.ts';
import { LIST_KINDS, type ListName } from './list-kinds.ts';
import type { Lists } from './lists.ts';
import type { ApiResponse, ListQuery, UnchangedResponse } from './protocol.ts';

/** Larger than any input of a command. */
const LARGEST_BODY_BYTES = 64 * 1024;

/** The fields that the server itself adds to a command. */
const RESERVED_FIELDS = ['command', 'requestId', 'by', 'proof', 'known', 'seed'];

/** `petstore doctor`, `petstore smoke` and `petstore teardown` alone send these. */
const NOT_FOR_PAGE: readonly CommandName[] = [
  'environment.inspect',
  'keys.forget',
  'keys.withdraw',
  'pets.rehearse',
  'projects.withdraw',
];

/** The periods for which the page shows the usage of a key. */
const USAGE_DAYS = [1, 7, 30];
const DAY_MS = 24 * 60 * 60 * 1000;

interface Handled {
  readonly status: number;
  readonly body: ApiResponse | UnchangedResponse;
}

export type ServedEnvironment = DashboardEnvironment & { readonly lists: Lists };

interface ApiRequest {
  readonly input: Readonly<Record<string, unknown>>;
  /** Identifies a change, so that the page may send it again if the response was lost. */
  readonly requestId: string | undefined;
  /** The revision of the result that the page has. */
  readonly known: string | undefined;
}

/**
 * Handles a request of the page:
 *
 *     POST /api/<stage>/commands/<command>   {"input": {…}, "requestId": "…", "known": "…"}
 *     POST /api/<stage>/lists/<list>         {"input": {"search", "filter", "sort", "page"}, "known": "…"}
 *     POST /api/<stage>/environment          its account and region
 *     POST /api/<stage>/usage                {"input": {"id", "days"}}, what a key was used for
 *     POST /api/<stage>/dns-records          {"input": {"project", "domains", "confirmed"}}, on one machine
 *
 * A result that the page has already, by its revision, isn't sent again. An error of the operator function has the status 200,
 * too; it's in the body.
 */
export async function handleApi(
  request: IncomingMessage,
  path: string,
  environments: readonly ServedEnvironment[],
  disconnection: AbortSignal,
): Promise<Handled> {
  const [, , stage, subject, name, ...rest] = path.split('/');
  const environment = environments.find(known => known.stage === stage);
  if (!environment || rest.length > 0) return refused(404, 'not_found', 'There is nothing at this URL.');
  const read = await readRequest(request);
  if ('status' in read) return read;

  const { operator, lists, createRecords } = environment;
  const { input, requestId, known } = read;
  if (subject === 'environment' && name === undefined) return respond(() => operator.details());
  if (subject === 'usage' && name === undefined) {
    const { id, days } = input;
    if (!/^key_[0-9a-f]{24}$/.test(String(id)) || !USAGE_DAYS.some(each => each === days)) {
      return refused(400, 'invalid_request', 'id must be a key ID, and days 1, 7 or 30.');
    }
    return respond(() => environment.keyUsage(String(id), Date.now() - Number(days) * DAY_MS));
  }
  if (subject === 'dns-records' && name === undefined && createRecords) {
    const { project, domains, confirmed } = input;
    if (!isTexts(domains) || !isTexts(confirmed)) {
      return refused(400, 'invalid_request', 'domains and confirmed must be lists of strings.');
    }
    return respond(() => createRecords(String(project), domains, confirmed));
  }
  if (subject === 'commands' && name !== undefined && isCommand(name)) {
    if (COMMANDS[name].kind === 'read') {
      const options = { known, signal: disconnection };
      return unlessKnown(known, await respondWith(() => operator.read(name, input, options)));
    }
    if (requestId === undefined) return refused(400, 'invalid_request', 'A change needs a requestId.');
    const changed = await respondWith(() => operator.change(name, input, requestId));
    lists.invalidate();
    return changed;
  }
  if (subject === 'lists' && name !== undefined && isList(name)) {
    return unlessKnown(known, await respondWith(() => lists.page(name, listQuery(input))));
  }
  return refused(404, 'not_found', 'There is nothing at this URL.');
}

/** A request's body, or why it is refused. */
export async function readRequest(request: IncomingMessage): Promise<ApiRequest | Handled> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return refused(415, 'unsupported_media_type', 'The body must be application/json.');
  }
  // Browsers send the length of a text that they post.
  const size = Number(request.headers['content-length'] ?? Number.NaN);
  if (!(size <= LARGEST_BODY_BYTES)) return refused(413, 'payload_too_large', 'The body is too large.');
  const body = parse(Buffer.concat(await request.toArray()).toString());
  if (!isRecord(body) || !isRecord(body.input)) return refused(400, 'invalid_request', 'An input is needed.');
  const { input, requestId, known } = body;
  if (requestId !== undefined && readRequestId(String(requestId)) === undefined)
    return refused(400, 'invalid_request', 'The requestId must be a UUID.');
  const reserved = RESERVED_FIELDS.find(field => Object.hasOwn(input, field));
  if (reserved) return refused(400, 'invalid_request', `The page may not set the field ${reserved}.`);
  return {
    input,
    requestId: requestId as string | undefined,
    known: typeof known === 'string' ? known : undefined,
  };
}

function respond(work: () => Promise<unknown>): Promise<Handled> {
  return respondWith(async () => ({ result: await work(), warnings: [] }));
}

async function respondWith(work: () => Promise<ReadOutcome>): Promise<Handled> {
  try {
    const { result, isUnchanged, revision, age, warnings, versionNote } = await work();
    const notes = {
      ...(age && { age }),
      ...(warnings.length > 0 && { warnings }),
      ...(versionNote && { versionNote }),
    };
    if (isUnchanged) return { status: 200, body: { ok: true, isUnchanged, ...notes } };
    return { status: 200, body: { ok: true, result, ...(revision && { revision }), ...notes } };
  } catch (error) {
    if (error instanceof CommandError) {
      const { code, reason, message, advice, openRequestId } = error;
      const isOpen = openRequestId !== undefined && { isOpen: true };
      return { status: 200, body: { ok: false, error: { code, reason, message, advice, ...isOpen } } };
    }
    const message = error instanceof Error ? error.message : String(error);
    return { status: 200, body: { ok: false, error: { code: 'internal_error', message } } };
  }
}

/** The result of a read with its revision, or just that the page has it already. */
function unlessKnown(known: string | undefined, { status, body }: Handled): Handled {
  if (!body.ok || !('result' in body)) return { status, body };
  const { revision = revisionOf(body.result) } = body;
  if (revision !== known) return { status, body: { ...body, revision } };
  const { age, versionNote } = body;
  const notes = { ...(age && { age }), ...(versionNote && { versionNote }) };
  return { status, body: { ok: true, isUnchanged: true, ...notes } };
}

function listQuery({ page, ...given }: ApiRequest['input']): ListQuery {
  const texts = Object.entries(given).filter(([, value]) => typeof value === 'string');
  return { ...Object.fromEntries(texts), page: Number(page) };
}

function refused(status: number, code: string, message: string): Handled {
  return { status, body: { ok: false, error: { code, message } } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(text => typeof text === 'string');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isList(name: string): name is ListName {
  return Object.hasOwn(LIST_KINDS, name);
}

/** Whether a name from outside is a command that the page may send. */
function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name) && !NOT_FOR_PAGE.some(command => command === name);
}
