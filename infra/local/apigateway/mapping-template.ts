/**
 * The mapping templates of integrations, in the Velocity template language (VTL).
 *
 * Supported are `#if`, `#elseif`, `#else` and `#set`, comparisons and logic, `$context` variables, `$input.params('name')`
 * and, in a response template, the assignment of `$context.responseOverride.header.Name` and `….status`. Everything else
 * is rejected by name when the template is read: velocityjs accepts more than API Gateway, and ignores what it does not
 * know.
 */
import { Compile } from 'velocityjs';
import { type ContextVariables, requireVariable } from './context-variables.ts';
import { parseSupported, type TemplateKind } from './supported-vtl.ts';

export interface TemplateInput {
  readonly variables: ContextVariables;
  /** `$input.params(name)`: a parameter of the path, the query or the headers, or an empty text. */
  params(name: string): string;
}

export interface Rendered {
  readonly text: string;
  /** What a response template has overridden. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly status: number | undefined;
}

export type MappingTemplate = (input: TemplateInput) => Rendered;

/** Checks a template and returns what renders it. A context variable without a value is an empty text. */
export function mappingTemplate(
  text: string,
  kind: TemplateKind,
  refuse: (fault: string) => never,
): MappingTemplate {
  const { nodes, contextVariables } = parseSupported(text, kind, fault =>
    refuse(`the template construct ${fault} in a mapping template is not supported by the local runtime`),
  );
  for (const name of contextVariables) requireVariable(name, 'a mapping template', refuse);
  return input => {
    const responseOverride: { header: Record<string, unknown>; status?: unknown } = { header: {} };
    const context = contextObject(contextVariables, input.variables);
    const rendered = new Compile(nodes, { escape: false }).render({
      input: { params: (name: string) => input.params(name) },
      context: { ...context, responseOverride },
    });
    return {
      text: rendered,
      headers: Object.entries(responseOverride.header).map(([name, value]) => [name, String(value)] as const),
      status: responseOverride.status === undefined ? undefined : Number(responseOverride.status),
    };
  };
}

/** The nested objects that a template reads `$context.identity.sourceIp` from. */
function contextObject(names: ReadonlySet<string>, values: ContextVariables): Record<string, unknown> {
  const context: Record<string, unknown> = {};
  for (const name of names) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let parent = context;
    for (const part of path) {
      parent[part] ??= {};
      parent = parent[part] as Record<string, unknown>;
    }
    parent[last] = values.get(name) ?? '';
  }
  return context;
}
