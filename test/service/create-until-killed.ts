import { type Answer, client, type Pet } from './http-client.ts';
import type { RunningService } from './running-service.ts';

export const CLIENTS = 8;
const ENOUGH_ACKNOWLEDGED = 60;

/** Creates animals with several clients, every other request with an Idempotency-Key, until the service is killed. */
export async function createUntilKilled(
  service: RunningService,
): Promise<{ acknowledged: Pet[]; keys: string[] }> {
  const send = client(() => service.staging);
  const acknowledged: Pet[] = [];
  const keys: string[] = [];
  let killed = false;
  const work = Array.from({ length: CLIENTS }, async (_, number) => {
    for (let count = 0; !killed; count += 1) {
      const key = `client-${number}-request-${count}`;
      if (count % 2 === 0) keys.push(key);
      const headers = count % 2 === 0 ? { 'Idempotency-Key': key } : {};
      const answer: Answer | undefined = await send('POST /pets', {
        headers,
        body: { name: key, categoryId: number },
      }).catch(() => undefined);
      if (answer?.status === 201) acknowledged.push(answer.json());
      if (acknowledged.length >= ENOUGH_ACKNOWLEDGED && !killed) {
        killed = true;
        service.process.kill('SIGKILL');
      }
    }
  });
  await Promise.all([service.ended, ...work]);
  return { acknowledged, keys };
}
