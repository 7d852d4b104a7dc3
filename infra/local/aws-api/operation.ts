import type { GetOutputType } from '@smithy/types';
import type * as z from 'zod';
import type { RequestContext } from '../iam/principal.ts';
import type { AwsApiError } from './aws-api-error.ts';

/** An action on a resource that a principal must be allowed, as policies write the two. */
export interface Permission {
  readonly action: string;
  readonly resource: string;
  /** Values by condition key that hold for this permission alone: `iam:AWSServiceName`. */
  readonly conditionKeys?: ConditionKeys;
}

/** Values by condition key, as policies name the keys: `acm:ValidationMethod`. */
type ConditionKeys = Readonly<Record<string, readonly string[]>>;

/** Tags by key. */
export type Tags = Readonly<Record<string, string>>;

/** Counts one more request and admits it, or returns the error that refuses it. */
export type RateLimit = () => AwsApiError | undefined;

interface OperationContext {
  /** The ARN of the sender. */
  readonly callerArn: string;
  /** As in the response header x-amzn-requestid. */
  readonly requestId: string;
  /** The account of the sender, if it is another one. */
  readonly otherAccountId: string | undefined;
}

/**
 * An operation of an AWS service, in the names and types of the SDK: its own name, the members of its input, and the
 * members of the output that `perform` returns. How these travel is the codec's business.
 */
export interface Operation<Schema extends z.ZodType = z.ZodType, Output = unknown> {
  readonly name: string;
  /** Strict: a member that is not listed is refused as not supported. */
  readonly input: Schema;
  /** What policies call the operation, if not by its name. */
  readonly action?: string;
  /**
   * The resource that a policy must allow the operation on; all resources (*) when there is none. Permission is checked
   * before the input is validated, so a member may be missing.
   */
  resource?(input: Partial<z.input<Schema>>): string | undefined;
  /** What a policy must allow beside the operation itself. */
  alsoRequires?(input: Partial<z.input<Schema>>): readonly Permission[];
  /** The tags that the request gives to a resource, for conditions on aws:RequestTag and aws:TagKeys. */
  requestTags?(input: z.output<Schema>): Tags | undefined;
  /** The tags of the existing resource, for conditions on aws:ResourceTag. */
  resourceTags?(input: z.output<Schema>): Tags | undefined;
  /** Values of the service's own condition keys. */
  conditionKeys?(input: z.output<Schema>): ConditionKeys;
  /** Whether principals of other accounts can perform the operation. What they create is theirs. */
  readonly isForOtherAccounts?: boolean;
  /** Whether no policy must allow it. */
  readonly isForEverybody?: boolean;
  readonly rate?: RateLimit;
  /** Returns the output, if the operation has one, or throws an AwsApiError. */
  perform(
    input: z.output<Schema>,
    context: OperationContext,
  ): Output | undefined | Promise<Output | undefined>;
}

/**
 * Declares operations of a service: their outputs have the types of its package of the SDK,
 * `operationOf<typeof import('@aws-sdk/client-acm')>()`, and their inputs those of their schemas.
 */
export function operationOf<Sdk>() {
  return <Name extends OperationName<Sdk>, Schema extends z.ZodType>(
    definition: Operation<Schema, OutputOf<Sdk, Name>> & { readonly name: Name },
  ): Operation => definition;
}

type OperationName<Sdk> = {
  [Key in keyof Sdk]: Key extends `${infer Name}Command` ? Name : never;
}[keyof Sdk];

type OutputOf<Sdk, Name extends string> = Sdk[`${Name}Command` & keyof Sdk] extends new (
  ...parameters: never[]
) => infer Command
  ? Written<Omit<GetOutputType<Command>, '$metadata'>>
  : never;

/** An output as it is written: lists aren't changed, and the bytes of a body may be a text. */
export type Written<Value> = Value extends Date
  ? Value
  : Value extends Uint8Array
    ? Uint8Array | string
    : Value extends readonly (infer Item)[]
      ? readonly Written<Item>[]
      : Value extends object
        ? { readonly [Member in keyof Value]: Written<Value[Member]> }
        : Value;

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

/** A page of a list. */
export interface Page<Item> {
  readonly shown: readonly Item[];
  /** The first item of the next page, for services whose token is where the next page starts. */
  readonly next: Item | undefined;
  /** The last item shown, if a page follows, for services whose token is where this page ended. */
  readonly last: Item | undefined;
}

/** The page of a list from the first item that is not before its start. */
export function page<Item>(
  items: readonly Item[],
  limit: number,
  isBefore: (item: Item, index: number) => boolean,
): Page<Item> {
  const rest = items.filter((item, index) => !isBefore(item, index));
  const shown = rest.slice(0, limit);
  const next = rest[limit];
  return { shown, next, last: next === undefined ? undefined : shown.at(-1) };
}
