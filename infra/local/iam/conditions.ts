/**
 * The conditions of a policy statement: {"StringEquals": {"aws:ResourceTag/team": ["zoo", "farm"]}}.
 *
 * All operators and all keys must be met. Several values of a policy are alternatives. The operators are those that policies
 * of this project use. Everything else is refused by name when the policy is read: to ignore a condition would allow more
 * than AWS does.
 */
import * as z from 'zod';
import type { RequestContext } from './principal.ts';
import { matchesWildcards } from './wildcards.ts';

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
type Conditions = z.output<typeof Conditions>;

/** Whether a request meets all the conditions of a statement. */
export function areMet(conditions: Conditions, { keys }: RequestContext): boolean {
  const valuesByKey = new Map(Object.entries(keys).map(([key, values]) => [key.toLowerCase(), values]));
  return Object.entries(conditions).every(([name, wanted]) =>
    Object.entries(wanted).every(([key, values]) =>
      isMet(name, valuesByKey.get(key.toLowerCase()) ?? [], values),
    ),
  );
}

function isMet(name: string, requestValues: readonly string[], policyValues: readonly string[]): boolean {
  const { isForAll, base, isOptional } = operatorName(name);
  if (base === 'Null') return policyValues.includes(String(requestValues.length === 0));
  const matches = OPERATORS[base]?.matches;
  if (matches === undefined) throw new Error(`The condition operator ${name} was not refused.`);
  const isMatching = (value: string) => policyValues.some(policyValue => matches(value, policyValue));
  if (isForAll) return requestValues.every(isMatching);
  const [value] = requestValues;
  if (value === undefined) return isOptional;
  // It is not known which of several values AWS would compare, so none of them counts.
  return requestValues.length === 1 && isMatching(value);
}

/** An operator may begin with ForAllValues: and end with IfExists. */
function operatorName(name: string) {
  const [, forAll, base = name, ifExists] = /^(ForAllValues:)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  return { isForAll: forAll !== undefined, base, isOptional: ifExists !== undefined };
}

/** How an operator compares the value of a request with one value of a policy. */
interface Operator {
  readonly kind: KeyKind;
  matches(requestValue: string, policyValue: string): boolean;
}

/** The operators that compare values. Null, which asks whether a key is there, is not among them. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: { kind: 'string', matches: (request, policy) => request === policy },
  StringLike: { kind: 'string', matches: (request, policy) => matchesWildcards(policy, request) },
  DateLessThan: {
    kind: 'date',
    // It is not known whether AWS reads fractions of a second, so a policy's time that has them never matches.
    matches: (request, policy) => !policy.includes('.') && Date.parse(request) < Date.parse(policy),
  },
};

type KeyKind = 'string' | 'strings' | 'date';

/** The condition keys that requests have values of, in lower case: IAM ignores the case of keys. */
const KIND_BY_KEY: Readonly<Record<string, KeyKind>> = {
  'acm:domainnames': 'strings',
  'acm:validationmethod': 'string',
  'aws:currenttime': 'date',
  'aws:tagkeys': 'strings',
  'events:detail-type': 'strings',
  'events:source': 'strings',
  'iam:awsservicename': 'string',
  'route53:changeresourcerecordsetsactions': 'strings',
  'route53:changeresourcerecordsetsnormalizedrecordnames': 'strings',
  'route53:changeresourcerecordsetsrecordtypes': 'strings',
};

const TAG_KEY = /^aws:(resource|request)tag\/./;
const Time = z.iso.datetime({ offset: true });

/** Why a condition is not supported. */
function fault(name: string, key: string, values: readonly string[]): string | undefined {
  const { isForAll, base, isOptional } = operatorName(name);
  const kind = TAG_KEY.test(key.toLowerCase()) ? 'string' : KIND_BY_KEY[key.toLowerCase()];
  if (kind === undefined) return `the condition key ${key} is not supported`;
  if (values.some(value => value.includes('${'))) return 'policy variables are not supported';
  if (base === 'Null') {
    if (isForAll || isOptional) return `the operator ${name} does not exist`;
    return values.every(value => /^(true|false)$/.test(value))
      ? undefined
      : 'Null compares with true or false';
  }
  const operator = OPERATORS[base];
  if (operator === undefined || (isForAll && isOptional)) {
    return `the condition operator ${name} is not supported`;
  }
  if (kind === 'strings' && !isForAll) return `${key} can have several values: it takes ForAllValues`;
  if (operator.kind !== kind.replace('strings', 'string')) return `${base} does not compare a ${kind}`;
  const wrong = operator.kind === 'date' ? values.find(value => !Time.safeParse(value).success) : undefined;
  return wrong && `${wrong} is not a time with a zone`;
}
