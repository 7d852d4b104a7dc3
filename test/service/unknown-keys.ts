import { generateKey } from '../../shared/api-keys/api-key.ts';
import type { Send } from './http-client.ts';

const CLIENTS = 4;

const OF_EACH_MISTAKE = 20;

/** Authorization headers with well-formed keys of staging that nobody has. */
export function unknownKeys(length: number): string[] {
  return Array.from({ length }, () => `Bearer ${generateKey('pet_test_')}`);
}

const MISTAKES: readonly ((key: string) => string)[] = [
  key => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
  key => `Bearer ${key.slice(0, 9)}${key.slice(10)}${key.at(9)}x`.slice(0, -1),
  key => `Bearer ${key.replace('test', 'live')}`,
  key => `Bearer ${key.slice(1)}`,
  key => `Bearer ${key}0`,
  key => `Basic ${key}`,
  key => key,
];

/** Authorization headers with one mistake each. */
export function malformedKeys(): string[] {
  return MISTAKES.flatMap(mistake =>
    Array.from({ length: OF_EACH_MISTAKE }, () => mistake(generateKey('pet_test_'))),
  );
}

/** The statuses that four clients get who try these headers one after the other. */
export async function statusesOf(send: Send, headers: readonly string[]): Promise<Set<number>> {
  const rest = [...headers];
  const statuses = new Set<number>();
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (let Authorization = rest.pop(); Authorization; Authorization = rest.pop()) {
      statuses.add((await send('GET /pets', { headers: { Authorization } })).status);
    }
  });
  await Promise.all(clients);
  return statuses;
}
