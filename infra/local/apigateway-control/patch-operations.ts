import * as z from 'zod';
import { notSupported } from '../aws-api/aws-api-error.ts';

export const PatchOperations = z
  .array(
    z.strictObject({
      op: z.literal('replace', 'Only the patch operation replace is supported by the local runtime.'),
      path: z.string(),
      value: z.string(),
    }),
  )
  .default([]);

/** The new values by path. A path that is not listed is refused by name. */
export function replacements(
  patchOperations: z.output<typeof PatchOperations>,
  paths: readonly string[],
): ReadonlyMap<string, string> {
  const unlisted = patchOperations.find(({ path }) => !paths.includes(path));
  if (unlisted !== undefined) throw notSupported(`The patch path ${unlisted.path} of the API Gateway API`);
  return new Map(patchOperations.map(({ path, value }) => [path, value]));
}
