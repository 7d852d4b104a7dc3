/** In place of an author whom IAM has not confirmed. */
export const UNVERIFIED = 'unverified';

interface Author {
  readonly by: string;
  readonly claimedBy: string | null;
}

/** Who made a change, for people: `jane`, with a note if another name was given, or if nobody verified this one. */
export function shownAuthor({ by, claimedBy }: Author): { readonly name: string; readonly note: string } {
  if (by === UNVERIFIED) return { name: shortName(claimedBy ?? 'unknown'), note: 'not verified' };
  const [name, claimed] = [shortName(by), shortName(claimedBy ?? '')];
  return { name, note: name.endsWith(claimed) ? '' : claimed };
}

/** The end of an ARN: the user (jane) or the role and its session (Operators/jane). */
export function shortName(by: string): string {
  return by.replace(/^arn:[^:]*:(?:iam|sts)::\d*:(?:user\/|assumed-role\/)?/, '');
}
