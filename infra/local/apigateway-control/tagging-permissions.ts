import type { Permission } from '../aws-api/operation.ts';
import { PARTITION, REGION } from '../cloudformation/pseudo-parameters.ts';

/**
 * What a policy must allow beside the creation when the new resource is given tags: PUT on the tags of the collection,
 * whose ARN is encoded within the path. The id of the new resource is not known yet, so its place has an asterisk.
 */
export function taggingPermissions(tags: unknown, collection: string): readonly Permission[] {
  if (tags === undefined) return [];
  const created = `${apiGatewayArn(collection)}/*`;
  const path = `/tags/${created.replaceAll(':', '%3A').replaceAll('/', '%2F')}`;
  return [{ action: 'apigateway:PUT', resource: apiGatewayArn(path) }];
}

export function apiGatewayArn(path: string): string {
  return `arn:${PARTITION}:apigateway:${REGION}::${path}`;
}
