import * as z from 'zod';
import type { RequestContext } from './principal.ts';
import { matchesWildcards } from './wildcards.ts';

/** What a condition key holds. It decides which operators may be used with the key. */
export type KeyKind = 'string' | 'arn' | 'bool' | 'date';

/** How an operator compares the value of a request with one value of a policy. */
export interface ConditionOperator {
  readonly kinds: readonly KeyKind[];
  /** A negated operator is met when no value of the policy matches, and when the request lacks the key. */
  readonly isNegated: boolean;
  matches(requestValue: string, policyValue: string): boolean;
}

type Matches = ConditionOperator['matches'];

const equals: Matches = (request, policy) => request === policy;
const equalsIgnoringCase: Matches = (request, policy) => request.toLowerCase() === policy.toLowerCase();
const like: Matches = (request, policy) => matchesWildcards(policy, request);

/** ARNs are compared part by part: a wildcard matches no colon, except in the last of the six parts. */
const arnLike: Matches = (request, policy) => {
  const requestParts = arnParts(request);
  const policyParts = arnParts(policy);
  return (
    requestParts.length === 6 && policyParts.every((part, index) => like(requestParts[index] ?? '', part))
  );
};

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length < 6 ? [] : [...parts.slice(0, 5), parts.slice(5).join(':')];
}

/** Whether AWS reads fractions of a second is undecided, so a policy's time that has them never matches. */
const compareTimes =
  (holds: (requestMs: number, policyMs: number) => boolean): Matches =>
  (request, policy) =>
    !policy.includes('.') && holds(Date.parse(request), Date.parse(policy));

const TEXT_KINDS: readonly KeyKind[] = ['string', 'arn'];

const operator = (kinds: readonly KeyKind[], matches: Matches): ConditionOperator => ({
  kinds,
  isNegated: false,
  matches,
});

const negated = (kinds: readonly KeyKind[], matches: Matches): ConditionOperator => ({
  kinds,
  isNegated: true,
  matches,
});

/** The operators that compare values. Null, which asks whether a key is there, is not among them. */
export const COMPARISONS: Readonly<Record<string, ConditionOperator>> = {
  StringEquals: operator(TEXT_KINDS, equals),
  StringNotEquals: negated(TEXT_KINDS, equals),
  StringEqualsIgnoreCase: operator(TEXT_KINDS, equalsIgnoringCase),
  StringNotEqualsIgnoreCase: negated(TEXT_KINDS, equalsIgnoringCase),
  StringLike: operator(TEXT_KINDS, like),
  StringNotLike: negated(TEXT_KINDS, like),
  // AWS evaluates ArnEquals and ArnLike alike: both know wildcards.
  ArnEquals: operator(['arn'], arnLike),
  ArnNotEquals: negated(['arn'], arnLike),
  ArnLike: operator(['arn'], arnLike),
  ArnNotLike: negated(['arn'], arnLike),
  Bool: operator(['bool'], equalsIgnoringCase),
  DateLessThan: operator(
    ['date'],
    compareTimes((request, policy) => request < policy),
  ),
  DateLessThanEquals: operator(
    ['date'],
    compareTimes((request, policy) => request <= policy),
  ),
  DateGreaterThan: operator(
    ['date'],
    compareTimes((request, policy) => request > policy),
  ),
  DateGreaterThanEquals: operator(
    ['date'],
    compareTimes((request, policy) => request >= policy),
  ),
};

interface ConditionKey {
  readonly kind: KeyKind;
  /** Whether a request can have several values. A condition must then say whether all or any of them count. */
  readonly hasSeveralValues: boolean;
}

const TEXT: ConditionKey = { kind: 'string', hasSeveralValues: false };
const TEXTS: ConditionKey = { kind: 'string', hasSeveralValues: true };

/** The condition keys that requests are given a value of, in lower case: IAM ignores the case of keys. */
const KEYS: Readonly<Record<string, ConditionKey>> = {
  'acm:domainnames': TEXTS,
  'acm:validationmethod': TEXT,
  'aws:currenttime': { kind: 'date', hasSeveralValues: false },
  'aws:securetransport': { kind: 'bool', hasSeveralValues: false },
  'aws:sourceaccount': TEXT,
  'aws:sourcearn': { kind: 'arn', hasSeveralValues: false },
  'aws:tagkeys': TEXTS,
  'events:detail-type': TEXTS,
  'events:source': TEXTS,
  'iam:awsservicename': TEXT,
  'route53:changeresourcerecordsetsactions': TEXTS,
  'route53:changeresourcerecordsetsnormalizedrecordnames': TEXTS,
  'route53:changeresourcerecordsetsrecordtypes': TEXTS,
};

const TAG_KEY = /^aws:(resource|request)tag\/./;

/** What is known of a condition key; undefined for one that the local runtime does not support. */
export function conditionKey(name: string): ConditionKey | undefined {
  const lowered = name.toLowerCase();
  return TAG_KEY.test(lowered) ? TEXT : KEYS[lowered];
}

/**
 * The conditions of a policy statement: {"StringEquals": {"aws:ResourceTag/team": ["zoo", "farm"]}}.
 *
 * All operators and all keys must be met. Several values of a policy are alternatives. An operator may begin with
 * ForAllValues: or ForAnyValue:, and end with IfExists.
 *
 * What is not supported is refused by name when the policy is read: to ignore a condition would allow more than AWS does.
 */
const PolicyValues = z
  .union([z.string(), z.boolean().transform(String), z.array(z.string()).min(1)])
  .transform(values => [values].flat());

/** The conditions of a statement as a policy writes them, checked. */
export const Conditions = z
  .record(
    z.string(),
    z
      .record(z.string(), PolicyValues)
      .refine(keys => Object.keys(keys).length > 0, { message: 'an operator needs a key' }),
  )
  .superRefine((operators, context) => {
    for (const [name, keys] of Object.entries(operators)) {
      for (const [key, values] of Object.entries(keys)) {
        const message = fault(name, key, values);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name, key], message });
      }
    }
  });
export type Conditions = z.output<typeof Conditions>;

/** Whether a request meets all the conditions of a statement. */
export function areMet(conditions: Conditions, { keys }: RequestContext): boolean {
  const valuesByKey = new Map(Object.entries(keys).map(([key, values]) => [key.toLowerCase(), values]));
  return Object.entries(conditions).every(([name, wanted]) =>
    Object.entries(wanted).every(([key, values]) =>
      isMet(name, valuesByKey.get(key.toLowerCase()) ?? [], values),
    ),
  );
}

type Quantifier = 'ForAllValues' | 'ForAnyValue';

interface OperatorName {
  readonly quantifier: Quantifier | undefined;
  readonly base: string;
  readonly isOptional: boolean;
}

const OPERATOR_NAME = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/;

function operatorName(name: string): OperatorName {
  const [, quantifier, base = name, ifExists] = OPERATOR_NAME.exec(name) ?? [];
  return { quantifier: quantifier as Quantifier | undefined, base, isOptional: ifExists !== undefined };
}

function isMet(name: string, requestValues: readonly string[], policyValues: readonly string[]): boolean {
  const { quantifier, base, isOptional } = operatorName(name);
  const isMissing = requestValues.length === 0;
  if (base === 'Null') return policyValues.includes(String(isMissing));
  const operator = COMPARISONS[base];
  if (operator === undefined) throw new Error(`The condition operator ${name} was not refused.`);
  if (isMissing && isOptional) return true;
  const holds = (value: string) => matchesAnyOf(operator, value, policyValues);
  if (quantifier === 'ForAllValues') return requestValues.every(holds);
  if (quantifier === 'ForAnyValue') return requestValues.some(holds);
  if (isMissing) return operator.isNegated;
  // Which of several values AWS would compare is undecided, so none of them counts.
  const [value] = requestValues;
  return value !== undefined && requestValues.length === 1 && holds(value);
}

function matchesAnyOf(operator: ConditionOperator, value: string, policyValues: readonly string[]): boolean {
  return policyValues.some(policyValue => operator.matches(value, policyValue)) !== operator.isNegated;
}

/** Why a condition is not supported. */
function fault(name: string, key: string, values: readonly string[]): string | undefined {
  const { quantifier, base, isOptional } = operatorName(name);
  const known = conditionKey(key);
  if (known === undefined) return `the condition key ${key} is not supported`;
  if (values.some(value => value.includes('${'))) return 'policy variables are not supported';
  if (base === 'Null') {
    if (quantifier !== undefined || isOptional) return `the operator ${name} does not exist`;
    return values.every(isBoolean) ? undefined : 'Null compares with true or false';
  }
  const operator = COMPARISONS[base];
  if (operator === undefined) return `the condition operator ${name} is not supported`;
  if (!operator.kinds.includes(known.kind)) return `${base} does not compare a ${known.kind}`;
  if (known.hasSeveralValues && quantifier === undefined) {
    return `${key} can have several values: it takes ForAllValues or ForAnyValue`;
  }
  return values.map(value => valueFault(base, value)).find(message => message !== undefined);
}

const isBoolean = (value: string) => value === 'true' || value === 'false';

const Time = z.iso.datetime({ offset: true });
const ARN = /^arn:(?:[^:]*:){4}./;

function valueFault(base: string, value: string): string | undefined {
  if (base.startsWith('Date') && !Time.safeParse(value).success) return `${value} is not a time with a zone`;
  if (base.startsWith('Arn') && !ARN.test(value)) return `${value} is not an ARN`;
  if (base === 'Bool' && !isBoolean(value)) return 'Bool compares with true or false';
  return undefined;
}
