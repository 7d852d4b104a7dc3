import { expect, test } from 'vitest';
import { shownAuthor } from '../../../shared/audit/author.ts';

const JANE = 'arn:aws:sts::123456789012:assumed-role/Operators/jane';

test.each<[by: string, claimedBy: string | null | undefined, name: string, note: string]>([
  [JANE, null, 'Operators/jane', ''],
  [JANE, 'jane', 'Operators/jane', ''],
  [JANE, 'joe', 'Operators/jane', 'joe'],
  ['arn:aws:iam::123456789012:user/jane', JANE, 'jane', 'Operators/jane'],
  ['unverified', JANE, 'Operators/jane', 'not verified'],
  ['unverified', 'local:sam', 'sam', 'not verified'],
  ['unverified', null, 'unknown', 'not verified'],
  // Of a function of an earlier version.
  [JANE, undefined, 'Operators/jane', 'not verified'],
])('%s, who says to be %s', (by, claimedBy, name, note) => {
  expect(shownAuthor({ by, claimedBy: claimedBy as string | null })).toEqual({ name, note });
});
