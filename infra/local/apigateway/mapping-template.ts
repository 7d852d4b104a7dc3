/**
 * The mapping templates of integrations, in the Velocity template language (VTL).
 *
 * Supported are `#if`, `#elseif`, `#else` and `#set`, comparisons and logic, `$context` variables, `$input.params('name')`
 * and, in a response template, the assignment of `$context.responseOverride.header.Name` and `….status`. Everything else
 * is rejected by name when the template is read: velocityjs accepts more than API Gateway, and ignores what it does not
 * know.
 */
import { Compile, parse } from 'velocityjs';
import { type ContextVariables, requireVariable } from './context-variables.ts';

export interface TemplateInput {
  readonly variables: ContextVariables;
  /** `$input.params(name)`: a parameter of the path, the query or the headers, or an empty text. */
  params(name: string): string;
}

interface Rendered {
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
    refuse(`the template construct ${fault} in a mapping template is not supported by the local AWS`),
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

type Nodes = ReturnType<typeof parse>;

/** A request template makes what the integration is sent, a response template what the client is sent. */
type TemplateKind = 'request' | 'response';

/** A node as velocityjs parses it. Its own types do not cover all fields that it writes. */
interface Node {
  readonly type: string;
  readonly id?: string;
  readonly value?: unknown;
  readonly isEval?: boolean;
  readonly leader?: string;
  readonly operator?: string;
  readonly expression?: readonly Node[];
  readonly condition?: Node;
  readonly equal?: readonly [Node, Node];
  readonly path?: readonly Attribute[];
}

interface Attribute {
  readonly type: string;
  readonly id: string;
  readonly args?: readonly Node[] | false;
}

type Refuse = (construct: string) => never;

const OPERATORS = new Set(['==', '!=', '&&', '||', 'not', 'parenthesis']);

const DIRECTIVES = new Set(['#if', '#elseif', '#else', '#end', '#set']);

interface SupportedTemplate {
  readonly nodes: Nodes;
  /** The names of the context variables that it reads. */
  readonly contextVariables: ReadonlySet<string>;
}

/** Parses a template, and rejects a construct that the local AWS does not evaluate. */
function parseSupported(text: string, kind: TemplateKind, refuse: Refuse): SupportedTemplate {
  requireDirectives(text, refuse);
  const nodes = parsed(text, refuse);
  const contextVariables = new Set<string>();
  const assigned = new Set<string>();

  const checkReference = (node: Node) => {
    const name = `$${[node.id, ...(node.path ?? []).map(({ id }) => id)].join('.')}`;
    const [first, ...more] = node.path ?? [];
    if (node.id === 'context' && first !== undefined && node.path?.every(({ type }) => type === 'property')) {
      if (first.id === 'responseOverride') refuse(name);
      contextVariables.add(name.slice('$context.'.length));
    } else if (
      node.id === 'input' &&
      first?.type === 'method' &&
      first.id === 'params' &&
      more.length === 0
    ) {
      const [argument, ...others] = first.args || [];
      if (argument?.type !== 'string' || others.length > 0) refuse(`${name} without one literal name`);
      checkExpression(argument as Node);
    } else if (node.path !== undefined || !assigned.has(node.id ?? '')) refuse(name);
  };

  const checkExpression = (node: Node): void => {
    if (node.type === 'references') checkReference(node);
    else if (node.type === 'string') {
      // Velocity evaluates references inside of double quotes.
      if (node.isEval && /[$#]/.test(String(node.value))) refuse(`"${node.value}"`);
    } else if (node.type === 'math' && OPERATORS.has(node.operator ?? '')) {
      for (const operand of node.expression ?? []) checkExpression(operand);
    } else if (node.type !== 'integer') refuse(node.operator ?? node.type);
  };

  const checkAssignment = ({ equal }: Node) => {
    const [target, value] = equal as readonly [Node, Node];
    checkExpression(value);
    const path = (target.path ?? []).map(({ id }) => id);
    if (target.id !== 'context' && target.id !== 'input' && path.length === 0) assigned.add(target.id ?? '');
    else if (kind !== 'response' || !isOverride(target.id, path)) {
      refuse(`#set($${[target.id, ...path].join('.')})`);
    }
  };

  const check = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(check);
    else if (typeof node !== 'string') checkNode(node as Node);
  };

  const checkNode = (node: Node) => {
    if (node.type === 'references') checkReference(node);
    else if (node.type === 'set') checkAssignment(node);
    else if (node.type === 'if' || node.type === 'elseif') checkExpression(node.condition as Node);
    else if (node.type !== 'else') refuse(node.type === 'macro_call' ? `#${node.id}` : `#${node.type}`);
  };

  nodes.forEach(check);
  return { nodes, contextVariables };
}

/** By the text: the methods of an API have most of their templates in common, and parsing takes a millisecond. */
const nodesByText = new Map<string, Nodes>();

function parsed(text: string, refuse: Refuse): Nodes {
  const known = nodesByText.get(text);
  if (known !== undefined) return known;
  try {
    const nodes = parse(text);
    nodesByText.set(text, nodes);
    return nodes;
  } catch (error) {
    const [, where = '', , found = ''] = (error as Error).message.split('\n');
    return refuse(`${where} (${found})`);
  }
}

function isOverride(id: string | undefined, path: readonly string[]): boolean {
  if (id !== 'context' || path[0] !== 'responseOverride') return false;
  return (path[1] === 'header' && path.length === 3) || (path[1] === 'status' && path.length === 2);
}

/** velocityjs takes an unknown directive for text, and accepts an #if without its #end and an #end without its #if. */
function requireDirectives(text: string, refuse: Refuse): void {
  const comment = /##|#\*|#\[\[/.exec(text)?.[0];
  if (comment !== undefined) refuse(comment);
  const directives = Array.from(text.matchAll(/#\{?(@?[A-Za-z]+)/g), ([, name]) => `#${name}`);
  for (const directive of directives) if (!DIRECTIVES.has(directive)) refuse(directive);
  const begun = directives.filter(directive => directive === '#if').length;
  const ended = directives.filter(directive => directive === '#end').length;
  if (begun > ended) refuse('#if without #end');
  if (ended > begun) refuse('#end without #if');
}
