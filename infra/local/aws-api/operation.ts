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
  /** As in the response header x-amzn-requestid. */
  readonly requestId: string;
  /** The account of the sender, if it is another one. */
  readonly otherAccountId: string | undefined;
}

/**
 * An operation of an AWS service, in the names of AWS's service model: its own name, the members of its input, and the
 * members of the output that `perform` returns. Where these travel in a request is the protocol's business.
 */
export interface Operation<Schema extends z.ZodType = z.ZodType> {
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
  readonly rate?: RateLimit;
  /** Returns the output, or throws an AwsApiError. */
  perform(input: z.output<Schema>, context: OperationContext): unknown;
}

/** Where the members of a REST operation's input and output travel. Members that are not named here are in the body. */
export interface HttpBinding {
  /** Method and path, with input members in braces: `DELETE /apikeys/{apiKey}`. */
  readonly route: string;
  /** Input members in the query, with their names there. */
  readonly query?: Readonly<Record<string, string>>;
  /** Input members in headers, with the headers' names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The input member that is the body itself, a Buffer. */
  readonly payload?: string;
  /** Of a successful response; 200 by default. */
  readonly status?: number;
  readonly output?: {
    /** The member that is the HTTP status. */
    readonly status?: string;
    /** Members in headers, with the headers' names. */
    readonly headers?: Readonly<Record<string, string>>;
    /** The member that is the body itself, a text. */
    readonly payload?: string;
  };
}

export interface RestOperation<Schema extends z.ZodType = z.ZodType> extends Operation<Schema> {
  readonly http: HttpBinding;
}

/** Gives `perform` the type of its input from the schema. */
export function operation<Schema extends z.ZodType>(definition: Operation<Schema>): Operation {
  return definition;
}

/** Gives `perform` the type of its input from the schema. */
export function restOperation<Schema extends z.ZodType>(definition: RestOperation<Schema>): RestOperation {
  return definition;
}

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
