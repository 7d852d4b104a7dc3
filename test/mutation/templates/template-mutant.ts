/** A CloudFormation template as data: rules reach into whatever a resource declares. */
// biome-ignore lint/suspicious/noExplicitAny: the properties of a resource have any shape.
export type Data = any;

export interface Resource {
  readonly Type: string;
  readonly Properties: Data;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, Data>>;
}

type Path = readonly (string | number)[];

/** One step of a change, relative to the resource: a value to set, or a member to remove if there is no value. */
interface Edit {
  readonly path: Path;
  readonly value?: unknown;
}

/** What a rule makes of one resource. */
export interface Change {
  /** What is wrong afterwards, and of what if a resource has several: `no variable (PETS_TABLE)`. */
  readonly what: string;
  readonly edits: readonly Edit[];
}

/** The changes that the rules derive from a resource of a type. */
export type Rules = Readonly<
  Record<string, (resource: Resource, template: Template, logicalId: string) => readonly Change[]>
>;

export interface TemplateMutant {
  /** The resource without its hash, and what is wrong with it: `PetsTable: no point-in-time recovery`. */
  readonly id: string;
  /** The type of the resource. */
  readonly type: string;
  /** The type, and the change without the part in parentheses: `AWS::Lambda::Function: no variable`. */
  readonly rule: string;
  /** The resource without its hash. */
  readonly resource: string;
  readonly edits: readonly Edit[];
}

/** The resource is not there. */
export const REMOVED: Change = { what: 'removed', edits: [{ path: [] }] };

/** Removes a property of the resource, or a part of one: a member of an object or an element of a list. */
export function without(what: string, ...path: Path): Change {
  return withoutAttribute(what, 'Properties', ...path);
}

/** Sets a property of the resource, or a part of one. */
export function withValue(what: string, value: unknown, ...path: Path): Change {
  return withAttribute(what, value, 'Properties', ...path);
}

/** Removes what stands beside the properties, such as DependsOn. */
export function withoutAttribute(what: string, ...path: Path): Change {
  return { what, edits: [{ path }] };
}

export function withAttribute(what: string, value: unknown, ...path: Path): Change {
  return { what, edits: [{ path, value }] };
}

function valueAt(data: Data, path: Path): Data {
  return path.reduce((part, key) => part?.[key], data);
}

/** Whether a change would change anything: what it removes is there, what it sets is another value. */
export function isEffective(resource: Resource, { edits }: Change): boolean {
  return edits.some(
    edit =>
      JSON.stringify(valueAt(resource, edit.path)) !==
      JSON.stringify('value' in edit ? edit.value : undefined),
  );
}

/** The template with the mutant's edits; the template itself stays as it is. */
export function mutated(template: Template, { edits }: TemplateMutant): Template {
  return edits.reduce<Template>((before, edit) => edited(before, edit.path, edit), template);
}

/** Copies only what the path leads through: a template is large, and its mutants are thousands. */
function edited(data: Data, [key = '', ...rest]: Path, edit: Edit): Data {
  const isThere = rest.length === 0 || data[key] !== undefined;
  if (!isThere) return data;
  const copy = Array.isArray(data) ? [...data] : { ...data };
  if (rest.length > 0) copy[key] = edited(data[key], rest, edit);
  else if ('value' in edit) copy[key] = edit.value;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}
