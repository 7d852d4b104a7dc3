import * as z from 'zod';
import { ApiGatewayError } from './api-gateway-error.ts';
import { read } from './operation.ts';

const Patch = z.strictObject({
  patchOperations: z
    .array(
      z.strictObject({
        op: z.literal('replace', 'Only the patch operation replace is known on one machine.'),
        path: z.string(),
        value: z.string(),
      }),
    )
    .default([]),
});

/** What a patch replaces, by path. A path that is not among those that can be is refused by name. */
export function replacement(body: unknown, paths: readonly string[]): ReadonlyMap<string, string> {
  const { patchOperations } = read(Patch, body);
  const unknown = patchOperations.find(({ path }) => !paths.includes(path));
  if (unknown !== undefined) {
    const message = `The patch path ${unknown.path} of the API Gateway API is not supported by the local runtime.`;
    throw new ApiGatewayError('NotImplemented', message);
  }
  return new Map(patchOperations.map(({ path, value }) => [path, value]));
}
