/** Parameters and ResultSelector: the value of a field whose name ends with .$ is an expression. */
import { evaluate, isIntrinsicFunction } from './intrinsic-functions.ts';
import { requireValue, type Scope } from './paths.ts';

/** The template with its expressions evaluated; without a template, the input itself. */
export function fillTemplate(template: unknown, scope: Scope): unknown {
  return template === undefined ? scope.input : filled(template, scope);
}

/** The value of an expression: a reference path or the call of an intrinsic function. */
export function evaluateExpression(expression: string, field: string, scope: Scope): unknown {
  return isIntrinsicFunction(expression)
    ? evaluate(expression, field, scope)
    : requireValue(expression, field, scope);
}

function filled(template: unknown, scope: Scope): unknown {
  if (Array.isArray(template)) return template.map(item => filled(item, scope));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) =>
      key.endsWith('.$')
        ? [key.slice(0, -2), evaluateExpression(String(value), key, scope)]
        : [key, filled(value, scope)],
    ),
  );
}
