import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { sourceVersion } from '../../../infra/tools/build-cache.ts';
import type { CallerProof } from '../../../shared/operator/caller-proof.ts';
import type { CommandErrorCode, OwnerLink, Reason, Reply } from '../../../shared/operator/contract.ts';

/** What AWS returns: the reply of the function, or a response of the Lambda service itself. */
export type Answer =
  | { readonly reply: unknown }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | 'hangs up';

export interface OperatorStandIn {
  /** Variables with which the SDK calls this server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly endpoint: string;
  /** The invocations, in the order of their arrival. The proof of who sent one is apart. */
  readonly invocations: {
    readonly functionName: string;
    readonly payload: Record<string, unknown>;
    readonly proof?: CallerProof;
  }[];
}

const CALLER_ARN = 'arn:aws:sts::123456789012:assumed-role/Operators/jane';

/** The link to the page for the owner of a domain, which the function gives beside its other answers. */
export const LINK: OwnerLink = {
  url: 'https://domains.apps.petstore.example/v1/setup/www.example.com/a-key',
  until: '2026-04-02T00:00:00.000Z',
  isServed: true,
};

/** Who makes a change, by what the command says. */
export const USER_NAME = userInfo().username;

/** A server for Lambda's Invoke and STS's GetCallerIdentity. It gives the responses in turn, and then repeats the last one. */
export function startOperatorStandIn(...answers: Answer[]): Promise<OperatorStandIn> {
  let count = 0;
  return startAnsweringOperator(() => {
    count += 1;
    return answers[Math.min(count, answers.length) - 1] ?? 'hangs up';
  });
}

/** A server whose responses depend on the request. */
export async function startAnsweringOperator(
  answerTo: (payload: Record<string, unknown>) => Answer | Promise<Answer>,
  { linking = succeeds(LINK) } = {},
): Promise<OperatorStandIn> {
  const invocations: OperatorStandIn['invocations'] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const [, functionName] = /^\/2015-03-31\/functions\/([^/]+)\/invocations/.exec(request.url ?? '') ?? [];
    if (functionName === undefined) return answerSts(response, body);
    const { proof, ...payload } = JSON.parse(body);
    invocations.push({ functionName, payload, ...(proof && { proof }) });
    const answer = payload.command === 'domains.link' ? linking : await answerTo(payload);
    if (answer === 'hangs up') response.destroy();
    else if ('reply' in answer) response.writeHead(200).end(JSON.stringify(versioned(answer.reply)));
    else {
      const { status, headers, body: sent } = answer;
      response.writeHead(status, headers).end(typeof sent === 'string' ? sent : JSON.stringify(sent));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Some files start it once for all of their tests; it ends with the process.
  server.unref();
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint,
    invocations,
    environment: {
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'example',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL_LAMBDA: endpoint,
      AWS_ENDPOINT_URL_STS: endpoint,
    },
  };
}

/** Unless a test says otherwise, the function is of this checkout's version. */
function versioned(reply: unknown): unknown {
  return typeof reply === 'object' ? { version: sourceVersion(), ...reply } : reply;
}

export const succeeds = (result: unknown): Answer => ({ reply: { ok: true, result } satisfies Reply });

export const warns = (result: unknown, warnings: readonly string[]): Answer => ({
  reply: { ok: true, result, warnings } satisfies Reply,
});

export const refuses = (reason: Reason, message: string, code: CommandErrorCode = 'conflict'): Answer => ({
  reply: { ok: false, error: { code, reason, message } } satisfies Reply,
});

/** An error of the Lambda service in its REST-JSON protocol. */
export const fails = (status: number, errorType: string, message: string): Answer => ({
  status,
  headers: { 'x-amzn-errortype': errorType, 'content-type': 'application/json' },
  body: { Type: 'User', message },
});

function answerSts(response: ServerResponse, body: string): void {
  if (!body.includes('Action=GetCallerIdentity')) {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/xml' }).end(
    `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <GetCallerIdentityResult><Arn>${CALLER_ARN}</Arn><UserId>A:jane</UserId><Account>123456789012</Account></GetCallerIdentityResult>
      <ResponseMetadata><RequestId>1</RequestId></ResponseMetadata>
    </GetCallerIdentityResponse>`,
  );
}
