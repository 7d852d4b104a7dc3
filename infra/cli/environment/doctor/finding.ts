/** What a check has found. A warning or a failure has a remedy. */
export type Finding =
  | { readonly status: 'ok'; readonly message: string }
  | { readonly status: 'warning' | 'failure'; readonly message: string; readonly remedy: string }
  /** The check does not apply to this environment. */
  | { readonly status: 'skipped'; readonly message: string };

export const ok = (message: string): Finding => ({ status: 'ok', message });
/** Something that works, and is not as it should be. */
export const warning = (message: string, remedy: string): Finding => ({ status: 'warning', message, remedy });
/** Something that does not work, or that would lose data. */
export const failure = (message: string, remedy: string): Finding => ({ status: 'failure', message, remedy });
export const skipped = (message: string): Finding => ({ status: 'skipped', message });

/** Such as `1 table` or `3 tables`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const MOST_LISTED = 10;

/** The first of the names, and how many more there are. */
export function listOf(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return `${names.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
