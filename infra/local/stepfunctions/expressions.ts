/** The expressions of a definition: what of them the local runtime evaluates, as AWS does. Others are rejected. */
import * as z from 'zod';
import { isOperatorFor, operatorOf } from './choice-rules.ts';
import { isIntrinsicFunction, unsupportedIntrinsic } from './intrinsic-functions.ts';
import { isReferencePath, isResultPath } from './paths.ts';

/** The parts of the context object that there are: Task and Map belong to what the local runtime does not run. */
const CONTEXT = /^\$\$(\.(Execution|State|StateMachine)\b|$)/;

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

export const ChoiceRule = z.record(z.string(), z.unknown()).superRefine((rule, { addIssue }) => {
  const fault = ruleFault(rule);
  if (fault !== undefined) addIssue({ code: 'custom', message: fault });
});

function pathFault(path: string): string | undefined {
  if (!isReferencePath(path)) return `only reference paths such as $.a.b[0] are supported, not ${path}`;
  const isContext = path.startsWith('$$');
  if (!isContext || CONTEXT.test(path)) return undefined;
  return `the context object has only Execution, State and StateMachine, not ${path}`;
}

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

function ruleFault(rule: Readonly<Record<string, unknown>>): string | undefined {
  const { And, Or, Not, Variable } = rule;
  const inner = And ?? Or ?? (Not === undefined ? undefined : [Not]);
  if (Array.isArray(inner)) {
    return inner.length === 0 ? 'And and Or want rules' : inner.map(ruleFault).find(fault => fault);
  }
  if (typeof Variable !== 'string') return 'a rule wants a Variable';
  const [operator, operand] = operatorOf(rule);
  if (!isOperatorFor(operator, operand)) {
    return `a rule wants one operator with an operand of its type, in ${JSON.stringify(rule)}`;
  }
  return pathFault(Variable) ?? (operator.endsWith('Path') ? pathFault(String(operand)) : undefined);
}
