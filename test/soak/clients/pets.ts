import type { SeenPet } from '../ledger/pet-ledger.ts';

/** Reads animals of an answer. Numbers keep every digit. */
export function readPets(text: string): SeenPet[] {
  const value = exactly(text);
  return (Array.isArray(value) ? value : [value]).map(({ id, name, categoryId, status }) => ({
    id: String(id),
    name: String(name),
    categoryId: String(categoryId),
    status: String(status),
  }));
}

/** Parses JSON with numbers as texts, which hold digits that a JavaScript number cannot. */
// biome-ignore lint/suspicious/noExplicitAny: the caller checks the fields that it reads.
export function exactly(text: string): any {
  // The compiler does not know the third parameter yet.
  const reviver = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' ? source : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
}

/** The address of the next page, or undefined on the last one. */
export function nextPage(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
}
