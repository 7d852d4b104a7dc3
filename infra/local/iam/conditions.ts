/**
 * The conditions of a policy statement: {"StringEquals": {"aws:ResourceTag/team": ["zoo", "farm"]}}.
 *
 * All operators and all keys must be met. Several values of a policy are alternatives. An operator may begin with
 * ForAllValues: or ForAnyValue:, and end with IfExists.
 *
 * What is not supported is refused by name when the policy is read: to ignore a condition would allow more than AWS does.
 */
import * as z from 'zod';
import { conditionKey } from './condition-keys.ts';
import { COMPARISONS, type ConditionOperator } from './condition-operators.ts';
import type { RequestContext } from './principal.ts';

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
