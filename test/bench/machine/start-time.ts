import { npmStart } from './npm-start.ts';

/**
 * Measures the seconds from `npm start`, with its own DynamoDB Local, to the first answered request. The stacks are
 * already synthesized, as after any start without changes since.
 */
export async function measureStartSeconds(): Promise<number> {
  const startedAt = performance.now();
  const service = await npmStart();
  try {
    const { url, apiKey } = service.production;
    const answer = await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${apiKey}` } });
    await answer.text();
    if (!answer.ok) throw new Error(`The first request was answered with ${answer.status}.`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await service.stop();
  }
}
