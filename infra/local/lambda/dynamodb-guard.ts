/**
 * Checks what a function sends to DynamoDB's engine. The AWS endpoint does it for everybody else, in the main thread. A
 * function calls the engine itself, which spares that thread half of its work: its connections to the engine are guarded in
 * its own thread. Only the first request that needs a permission asks the main thread, which has the roles.
 */
import * as net from 'node:net';
import type { Permission } from '../aws-api/operation.ts';
import { REQUEST_LIMIT_BYTES, requiredPermissions } from '../dynamodb/dynamodb-service.ts';
import type { PermissionQuestion } from './execution-environment.ts';
import { isThisMachine } from './network-routes.ts';
import { type RawRequest, readRequest } from './raw-request.ts';

export interface DynamoDbGuard {
  /** The answer to a question: AWS's message if something is denied. */
  decide(question: number, denial: string | undefined): void;
  /** Roles may have changed: asks for every permission again. */
  forgetDecisions(): void;
  /** Guards no further connections. */
  end(): void;
}

/** Receives the answer that refuses a request, or undefined if the engine is to answer it. */
type Verdict = (refusal: string | undefined) => void;

/** Whether calls of this engine can be checked in the function's thread: it is on this machine, and takes plain HTTP. */
export function canBeGuarded(engine: string): boolean {
  const { protocol, hostname } = new URL(engine);
  return protocol === 'http:' && isThisMachine(hostname);
}

/** Guards the connections to the engine, such as http://127.0.0.1:8000, that are opened from now on. */
export function guardDynamoDb(engine: string, ask: (question: PermissionQuestion) => void): DynamoDbGuard {
  const port = new URL(engine).port || '80';
  const allowed = new Set<string>();
  let questions = 0;
  const waiting = new Map<number, (denial: string | undefined) => void>();

  function check({ accessKeyId, operation, body, bodyBytes }: RawRequest, verdict: Verdict): void {
    if (accessKeyId === undefined) {
      verdict(refusal('MissingAuthenticationTokenException', 'Missing Authentication Token'));
      return;
    }
    if (bodyBytes > REQUEST_LIMIT_BYTES) {
      verdict(refusal('ValidationException', 'The request is larger than 16 MB'));
      return;
    }
    const key = ({ action, resource }: Permission) => `${accessKeyId} ${action} ${resource}`;
    const permissions = requiredPermissions(operation, body).filter(
      permission => !allowed.has(key(permission)),
    );
    if (permissions.length === 0) {
      verdict(undefined);
      return;
    }
    const question = questions++;
    waiting.set(question, denial => {
      if (denial === undefined) for (const permission of permissions) allowed.add(key(permission));
      verdict(denial && refusal('AccessDeniedException', denial));
    });
    ask({ question, accessKeyId, permissions });
  }

  const sockets = net.Socket.prototype as unknown as { connect(...args: unknown[]): unknown };
  const { connect } = sockets;
  sockets.connect = function (this: net.Socket, ...args) {
    const target = connectionTarget(args);
    if (target.port === port && isThisMachine(target.host)) guard(this, check);
    return connect.apply(this, args);
  };

  return {
    decide(question, denial) {
      waiting.get(question)?.(denial);
      waiting.delete(question);
    },
    forgetDecisions() {
      allowed.clear();
    },
    end() {
      sockets.connect = connect;
    },
  };
}

/** Where connect is asked to connect to: it takes (port, host), (options), or an array that begins with the options. */
function connectionTarget([first, second]: readonly unknown[]): { port: string; host: string } {
  const options = Array.isArray(first) ? first[0] : first;
  const { port, host } = typeof options === 'object' ? options : { port: first, host: second };
  return { port: String(port), host: typeof host === 'string' ? host : 'localhost' };
}

type Done = (error?: Error | null) => void;

/** The methods of a stream by which net.Socket sends. */
interface Sending {
  _write(chunk: Buffer | string, encoding: BufferEncoding | 'buffer', done: Done): void;
  _writev(
    chunks: readonly { chunk: Buffer | string; encoding: BufferEncoding | 'buffer' }[],
    done: Done,
  ): void;
}

const NOTHING = Buffer.alloc(0);

/**
 * Holds back what is written to a socket until it is a whole request, and sends it when that was checked. Clients send the
 * next request when the last one was answered, so a refusal does not overtake an answer.
 */
function guard(socket: net.Socket, check: (request: RawRequest, verdict: Verdict) => void): void {
  const sending = socket as unknown as Sending;
  const { _write: send } = sending;
  let unsent: Buffer = NOTHING;

  function take(bytes: Buffer, done: Done): void {
    unsent = unsent.length === 0 ? bytes : Buffer.concat([unsent, bytes]);
    const request = readRequest(unsent);
    if (request === undefined) {
      done();
      return;
    }
    if (request instanceof Error) {
      done(request);
      return;
    }
    unsent = unsent.subarray(request.bytes.length);
    const goOn: Done = error => (error ? done(error) : take(NOTHING, done));
    check(request, answer => {
      if (answer === undefined) {
        send.call(socket, request.bytes, 'buffer', goOn);
      } else {
        socket.push(answer);
        goOn();
      }
    });
  }

  sending._write = (chunk, encoding, done) => take(bytesOf(chunk, encoding), done);
  sending._writev = (chunks, done) =>
    take(Buffer.concat(chunks.map(({ chunk, encoding }) => bytesOf(chunk, encoding))), done);
}

function bytesOf(chunk: Buffer | string, encoding: BufferEncoding | 'buffer'): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk;
}

/** An error in the form of DynamoDB's protocol. It is rare, so that a cold start need not load node:crypto. */
function refusal(name: string, message: string): string {
  const body = JSON.stringify({ __type: name, message });
  return [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/x-amz-json-1.0',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-amzn-errortype: ${name}`,
    `x-amzn-requestid: ${process.getBuiltinModule('node:crypto').randomUUID()}`,
    '',
    body,
  ].join('\r\n');
}
