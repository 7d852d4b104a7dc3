/** The schemas of the expressions that the local runtime evaluates. All others are rejected. */
import * as z from 'zod';
import { isOperatorFor, operatorOf } from './choice-rules.ts';
import { isIntrinsicFunction, unsupportedIntrinsic } from './intrinsic-functions.ts';
import { isResultPath, pathFault } from './paths.ts';

export const ReferencePath = z.string().superRefine((path, { addIssue }) => {
  const fault = pathFault(path);
  if (fault !== undefined) addIssue({ code: 'custom', message: fault });
});

export const ResultPath = z
  .string()
  .refine(isResultPath, 'only fields below $ such as $.certificate.arn are supported')
  .nullable();

/** A reference path, or the call of an intrinsic function. */
export const Expression = z.string().superRefine((expression, { addIssue }) => {
  const fault = expressionFault(expression);
  if (fault !== undefined) addIssue({ code: 'custom', message: fault });
});

/** Parameters and ResultSelector: an object in which the fields whose names end with .$ are expressions. */
export const PayloadTemplate = z.record(z.string(), z.unknown()).superRefine((template, { addIssue }) => {
  for (const { path, fault } of templateFaults(template, [])) {
    addIssue({ code: 'custom', path, message: fault });
  }
});

type ChoiceRule = z.output<typeof ChoiceRule>;
export const ChoiceRule = z.record(z.string(), z.unknown()).superRefine((rule, { addIssue }) => {
  const fault = ruleFault(rule);
  if (fault !== undefined) addIssue({ code: 'custom', message: fault });
});

function expressionFault(expression: string): string | undefined {
  return isIntrinsicFunction(expression) ? unsupportedIntrinsic(expression) : pathFault(expression);
}

interface TemplateFault {
  readonly path: string[];
  readonly fault: string;
}

function templateFaults(template: unknown, path: readonly string[]): TemplateFault[] {
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([key, value]) => {
    const inner = [...path, key];
    if (Array.isArray(template) || !key.endsWith('.$')) return templateFaults(value, inner);
    const fault = typeof value === 'string' ? expressionFault(value) : 'it is not a string';
    return fault === undefined ? [] : [{ path: inner, fault }];
  });
}

function ruleFault(rule: unknown): string | undefined {
  if (typeof rule !== 'object' || rule === null) return 'a rule must be an object';
  const { And, Or, Not, Variable } = rule as ChoiceRule;
  const inner = And ?? Or ?? (Not === undefined ? undefined : [Not]);
  if (Array.isArray(inner)) {
    return inner.length === 0 ? 'And and Or need rules' : inner.map(ruleFault).find(fault => fault);
  }
  if (typeof Variable !== 'string') return 'a rule needs a Variable';
  const [operator, operand] = operatorOf(rule as ChoiceRule);
  if (!isOperatorFor(operator, operand)) {
    return `a rule needs one operator with an operand of its type, in ${JSON.stringify(rule)}`;
  }
  return pathFault(Variable) ?? (operator.endsWith('Path') ? pathFault(String(operand)) : undefined);
}
