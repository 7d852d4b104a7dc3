import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { loadedId } from '../dynamodb/load-pets.ts';
import type { Target } from './mixed-load.ts';

const OPERATOR = 'petstore-production-operator';

/**
 * The number of API keys that share the load. A key may send 200 requests a second (infra/stack/environments.ts), so 8
 * keys may send 1,600: only the stage's limit of 1,000 applies.
 */
const KEYS = 8;

/** The running service over HTTP, with connections kept open. */
export async function serviceTarget(
  url: string,
  awsEndpoint: string,
  pets: number,
): Promise<Target & { close(): void }> {
  const keys = await createKeys(awsEndpoint);
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  let sent = 0;

  const send = (method: string, path: string, content?: string): Promise<void> =>
    new Promise((resolve, reject) => {
      sent += 1;
      const headers = {
        Authorization: `Bearer ${keys[sent % keys.length]}`,
        ...(content && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) }),
      };
      request(`${url}${path}`, { method, headers, agent }, answer => {
        answer.resume();
        answer.on('end', () => {
          const status = answer.statusCode ?? 0;
          if (status < 300) resolve();
          else reject(new Error(`The service answered ${status} to ${method} ${path}.`));
        });
      })
        .on('error', reject)
        .end(content);
    });

  return {
    list: () => send('GET', '/pets?limit=20'),
    get: () => send('GET', `/pets/${loadedId(randomInt(pets))}`),
    create: () => send('POST', '/pets', body),
    close: () => agent.destroy(),
  };
}

/** Creates the keys as an operator does: by invoking the operator function. */
async function createKeys(awsEndpoint: string): Promise<string[]> {
  const lambda = new LambdaClient({
    endpoint: awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'developer', secretAccessKey: 'developer' },
  });
  const keys: string[] = [];
  for (let number = 1; number <= KEYS; number += 1) {
    const command = { command: 'keys.create', name: `bench ${number}` };
    const { Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: OPERATOR, Payload: JSON.stringify(command) }),
    );
    const reply = JSON.parse(Payload?.transformToString() ?? 'null');
    if (!reply?.ok) throw new Error(`${OPERATOR} could not create an API key.`);
    keys.push(reply.result.key);
  }
  lambda.destroy();
  return keys;
}
