import { setTimeout } from 'node:timers/promises';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, inject, vi } from 'vitest';
import { readResources } from '../../infra/local/template.ts';
import { type AwsAccess, awsClientOptions, WAIT_SCALE } from './running-service.ts';

/**
 * API Gateway knows a new key after 2 s, a hundredth of which is left at the wait scale of the tests' services. The wait
 * begins when the response has arrived, so it ends later than API Gateway's.
 */
export const keyPropagation = () => setTimeout(WAIT_SCALE * 2000);

/** Repeats a check until it holds. The limit only ends a wait for what never comes. */
export const eventually = <Seen>(check: () => Promise<Seen> | Seen): Promise<Seen> =>
  vi.waitFor(check, { timeout: 120_000, interval: 200 });

async function invoke(service: AwsAccess, FunctionName: string, payload: unknown) {
  const lambda = new LambdaClient(awsClientOptions(service));
  const { Payload } = await lambda.send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(payload) }),
  );
  lambda.destroy();
  return JSON.parse(Payload?.transformToString() ?? 'null');
}

/** Invokes the operator function with AWS's own client, as operators do, and returns its result. */
export async function operate(
  service: AwsAccess,
  stage: string,
  payload: unknown,
  functionName = `petstore-${stage}-operator`,
): Promise<Record<string, unknown>> {
  const reply = await invoke(service, functionName, payload);
  const { command } = (payload ?? {}) as { command?: unknown };
  if (command === 'keys.create' || command === 'keys.rotate') await keyPropagation();
  return reply;
}

/** Invokes a function of staging that CloudFormation names, such as one that a schedule invokes. */
export async function invoked(service: AwsAccess, logicalIdPrefix: string): Promise<Record<string, unknown>> {
  const found = readResources(inject('assembly'), 'Petstore-Staging').find(
    ({ type, logicalId }) => type === 'AWS::Lambda::Function' && logicalId.startsWith(logicalIdPrefix),
  );
  return invoke(service, found?.physicalId ?? expect.fail(`There is no function ${logicalIdPrefix}….`), {});
}

/** The result of a command that must be carried out. */
// biome-ignore lint/suspicious/noExplicitAny: a test reaches into results that it knows.
export async function done(service: AwsAccess, stage: string, command: string, fields = {}): Promise<any> {
  const reply = await operate(service, stage, { command, ...fields });
  expect(reply).toMatchObject({ ok: true });
  return reply.result;
}

/** A new API key of an environment. */
export async function newApiKey(service: AwsAccess, stage: string): Promise<string> {
  return (await done(service, stage, 'keys.create', { name: 'Another client' })).key;
}
