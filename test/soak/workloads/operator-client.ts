import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { CommandName, InputOf, Reply, ResultOf } from '../../../shared/operator/contract.ts';
import { type AwsAccess, awsClientOptions } from '../../service/running-service.ts';
import type { Stage } from '../processes.ts';
import type { SoakContext } from '../world.ts';

/** The reply to a request that was repeated until it got a reply. */
type FinalReply<Result> = Reply<Result> & { readonly requestId: string };

/** The change that a request asks for, as it is recorded in the audit log when it is carried out. */
export interface CarriedOut {
  readonly requestId: string;
  readonly command: string;
}

const PAUSE_MS = 200;

/** Invokes the operator function as operators do, through the faulty AWS endpoint, and repeats what got no reply. */
export class OperatorClient {
  readonly #context: SoakContext;
  readonly #lambda: LambdaClient;
  readonly #stage: Stage;
  /** The changes that were acknowledged. */
  readonly carriedOut: CarriedOut[] = [];

  constructor(context: SoakContext, stage: Stage, aws: AwsAccess) {
    this.#context = context;
    this.#stage = stage;
    this.#lambda = new LambdaClient({ ...awsClientOptions(aws), maxAttempts: 1 });
  }

  /** One invocation; undefined when there is no reply, so that it is not known whether it was carried out. */
  async ask<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
    requestId: string = randomUUID(),
  ): Promise<Reply<ResultOf<Name>> | undefined> {
    const { service, tally, violations } = this.#context;
    await service.whenRunning();
    tally.count('commands of operators');
    const invocation = new InvokeCommand({
      FunctionName: `petstore-${this.#stage}-operator`,
      Payload: JSON.stringify({ command, requestId, by: 'soak', ...input }),
    });
    const response = await this.#lambda.send(invocation, { requestTimeout: 120_000 }).catch(() => undefined);
    // A function that was ended by its time limit has not replied either.
    if (!response || response.FunctionError) return undefined;
    const text = response.Payload?.transformToString() ?? 'null';
    const reply: Reply<ResultOf<Name>> | null = JSON.parse(text);
    if (!reply) return undefined;
    if (!reply.ok && reply.error.code === 'internal_error') {
      violations.add('undocumented response', `${command} of ${this.#stage} returned ${text}`);
    }
    return reply;
  }

  /** Repeats a request with the same id until it is carried out or refused. */
  async insist<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
    requestId: string = randomUUID(),
  ): Promise<FinalReply<ResultOf<Name>>> {
    for (;;) {
      const reply = await this.ask(command, input, requestId);
      if (reply?.ok) {
        if (isAlwaysRecorded(command)) this.carriedOut.push({ requestId, command });
        return { ...reply, requestId };
      }
      const isFinal = reply && !['unavailable', 'internal_error'].includes(reply.error.code);
      if (isFinal) return { ...reply, requestId };
      if (this.#context.isRestOver()) throw new Error(`${command} of ${this.#stage} gets no reply.`);
      await delay(PAUSE_MS);
    }
  }
}

/** Whether the audit log has every acknowledged request: a command that reads, or finds nothing to do, changes nothing. */
function isAlwaysRecorded(command: string): boolean {
  return /^(orders|keys)\.(place|approve|deliver|cancel|create|rotate|revoke)$/.test(command);
}
