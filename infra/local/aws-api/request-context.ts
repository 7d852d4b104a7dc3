import type { RequestContext } from '../iam/principal.ts';
import type { ConditionKeys, Operation, Tags } from './operation.ts';

/**
 * The condition keys of a request. An input that is not valid has none: a condition that compares them is not met, and
 * the request is denied or, where a policy allows it without conditions, refused as invalid afterwards.
 */
export function requestConditionKeys(operation: Operation, input: object): ConditionKeys {
  const { requestTags, resourceTags, conditionKeys } = operation;
  if (!requestTags && !resourceTags && !conditionKeys) return {};
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) return {};
  const given = requestTags?.(parsed.data);
  return {
    ...tagKeys('aws:RequestTag', given),
    ...(given !== undefined && { 'aws:TagKeys': Object.keys(given) }),
    ...tagKeys('aws:ResourceTag', resourceTags?.(parsed.data)),
    ...conditionKeys?.(parsed.data),
  };
}

/** The context of one permission that a request needs. */
export function requestContext(ofRequest: ConditionKeys, ofPermission: ConditionKeys = {}): RequestContext {
  return { keys: { ...ofRequest, ...ofPermission } };
}

function tagKeys(prefix: string, tags: Tags = {}): ConditionKeys {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [`${prefix}/${key}`, [value]]));
}
