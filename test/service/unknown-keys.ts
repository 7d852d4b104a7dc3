import { generateKey } from '../../shared/api-keys/api-key.ts';
import type { Send } from './http-client.ts';

const CLIENTS = 4;

/** A thousand Authorization headers with well-formed keys of staging that nobody has. */
export function unknownKeys(): string[] {
  return thousand(() => `Bearer ${generateKey('pet_test_')}`);
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

/** A thousand Authorization headers, each with one mistake. */
export function malformedKeys(): string[] {
  return thousand(number => MISTAKES[number % MISTAKES.length]?.(generateKey('pet_test_')) ?? '');
}

function thousand(header: (number: number) => string): string[] {
  return Array.from({ length: 1000 }, (_, number) => header(number));
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
