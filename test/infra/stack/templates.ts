import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { OPERATIONS } from '../../../shared/operations.ts';

export const STACKS = ['Petstore-Production', 'Petstore-Staging'] as const;

export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reaches into properties that it knows.
  readonly Properties: Record<string, any>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
}

/** The template of a stack as it would be deployed. */
export function templateText(stack: string): string {
  return readFileSync(join(inject('assembly'), `${stack}.template.json`), 'utf8');
}

const parsed = new Map<string, Template>();

/** Parsed once per process: it is read by dozens of tests, and none changes it. */
export function templateOf(stack: string): Template {
  const known = parsed.get(stack) ?? (JSON.parse(templateText(stack)) as Template);
  parsed.set(stack, known);
  return known;
}

/** The resources of a type by their name: the logical id without the hash that CDK puts behind it. */
export function resourcesOf(template: Template, type: string): Map<string, TemplateResource> {
  const ofType = Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
  return new Map(ofType.map(([logicalId, resource]) => [nameOf(logicalId), resource]));
}

/** The resources of a type that are parts of an API, such as PublicApi. */
export function partsOf(template: Template, api: string, type: string): TemplateResource[] {
  return [...resourcesOf(template, type).values()].filter(
    ({ Properties }) => nameOf(Properties.RestApiId.Ref) === api,
  );
}

export function nameOf(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

/** The name of the function of each operation, such as PetsListPetsFunction. */
export function operationFunctions(template: Template): string[] {
  const names = [...resourcesOf(template, 'AWS::Lambda::Function').keys()];
  return OPERATIONS.map(({ name }) => {
    const ending = `${name.charAt(0).toUpperCase()}${name.slice(1)}Function`;
    const found = names.filter(each => each.endsWith(ending));
    if (found.length !== 1) throw new Error(`${name} has ${found.length} functions.`);
    return String(found[0]);
  });
}
