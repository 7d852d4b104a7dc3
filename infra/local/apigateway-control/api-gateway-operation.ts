/** What the operations of the API Gateway API have in common: errors, pages, patches, tags. */
import * as z from 'zod';
import { AwsApiError, notSupported } from '../aws-api/aws-api-error.ts';
import { type Permission, page, type RateLimit } from '../aws-api/operation.ts';
import { tokenBucket } from '../aws-api/rate-limits.ts';
import { PARTITION, REGION } from '../cloudformation/pseudo-parameters.ts';

/** The errors of the API Gateway API and their HTTP status. */
export const API_GATEWAY_STATUS_BY_ERROR = {
  AccessDeniedException: 403,
  BadRequestException: 400,
  ConflictException: 409,
  LimitExceededException: 429,
  NotFoundException: 404,
  TooManyRequestsException: 429,
};

/** AwsApiError with the names of the table above. */
export const ApiGatewayError = AwsApiError<keyof typeof API_GATEWAY_STATUS_BY_ERROR>;

export interface AccountRates {
  /** Of all requests together. */
  readonly total: RateLimit;
  readonly createApiKey: RateLimit;
  readonly deleteApiKey: RateLimit;
}

/** The quotas of an account and region, which AWS does not raise. */
export function accountRates({ waitScale, now }: { waitScale: number; now: () => number }): AccountRates {
  const limit = (ratePerSecond: number, burst: number): RateLimit =>
    tokenBucket({
      ratePerSecond,
      burst,
      waitScale,
      now,
      refusal: () =>
        new ApiGatewayError('TooManyRequestsException', 'Too Many Requests', { retryAfterSeconds: 1 }),
    });
  return { total: limit(10, 40), createApiKey: limit(5, 5), deleteApiKey: limit(5, 5) };
}

/** The members that ask for a page. */
export const PageRequest = z.strictObject({
  limit: z.int().min(1).max(500).default(25),
  position: z.string().default(''),
});

/**
 * A page of items that are ordered by id. The position is the last id shown: an item that is deleted meanwhile does not
 * move the next page.
 */
export function itemsPage<Item extends { readonly id: string }, Shown>(
  items: readonly Item[],
  { limit, position }: z.output<typeof PageRequest>,
  represent: (item: Item) => Shown,
): { items: readonly Shown[]; position: string | undefined } {
  const { shown, last } = page(items, limit, ({ id }) => id <= position);
  return { items: shown.map(represent), position: last?.id };
}

export const PatchOperations = z
  .array(
    z.strictObject({
      op: z.literal('replace', 'Only the patch operation replace is supported by the local AWS.'),
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

/**
 * What a policy must allow beside the creation when the new resource is given tags: PUT on the tags of the collection,
 * whose ARN is encoded within the path. The id of the new resource is not known yet, so its place has an asterisk. Nothing
 * says that the tags of the request are condition keys of PUT, so here they aren't.
 */
export function taggingPermissions(tags: object | undefined, collection: string): readonly Permission[] {
  if (tags === undefined) return [];
  const absent = [...Object.keys(tags).map(key => `aws:RequestTag/${key}`), 'aws:TagKeys'];
  const created = `${apiGatewayArn(collection)}/*`;
  const path = `/tags/${created.replaceAll(':', '%3A').replaceAll('/', '%2F')}`;
  const conditionKeys = Object.fromEntries(absent.map(key => [key, []]));
  return [{ action: 'apigateway:PUT', resource: apiGatewayArn(path), conditionKeys }];
}

export function apiGatewayArn(path: string): string {
  return `arn:${PARTITION}:apigateway:${REGION}::${path}`;
}
