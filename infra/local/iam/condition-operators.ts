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

const TEXT: readonly KeyKind[] = ['string', 'arn'];

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
  StringEquals: operator(TEXT, equals),
  StringNotEquals: negated(TEXT, equals),
  StringEqualsIgnoreCase: operator(TEXT, equalsIgnoringCase),
  StringNotEqualsIgnoreCase: negated(TEXT, equalsIgnoringCase),
  StringLike: operator(TEXT, like),
  StringNotLike: negated(TEXT, like),
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
