import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Resource, Template } from '../../../infra/local/template.ts';
import {
  ofType,
  type Resources,
  readResources,
  readTemplate,
  stableName,
  type TemplateResource,
} from '../../../infra/local/template.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import { completeStacks } from './other-environments/assembly.ts';

export const STACKS = ['Petstore-Production', 'Petstore-Staging'] as const;

/** The text of a stack's template with all settings. */
export function templateText(stack: string): string {
  return readFileSync(join(completeStacks(), `${stack}.template.json`), 'utf8');
}

const parsed = new Map<string, Template>();

/** Parsed once per process: it is read by dozens of tests, and none changes it. */
export function templateOf(stack: string): Template {
  const known = parsed.get(stack) ?? readTemplate(completeStacks(), stack);
  parsed.set(stack, known);
  return known;
}

/** The resources of a stack as the local AWS has them, by default of `npm start`. */
export function resolvedResources(stack: string, assembly = inject('assembly')): readonly Resource[] {
  return readResources(assembly, stack);
}

/** The name of the function of an operation begins with its noun, such as PetsListPetsFunction. */
export function isFunctionOf(operation: string, name: string): boolean {
  return name.endsWith(`${operation.charAt(0).toUpperCase()}${operation.slice(1)}Function`);
}

/** The name of the function of each operation. */
export function operationFunctions(template: Resources): string[] {
  const names = [...ofType(template, 'AWS::Lambda::Function').keys()];
  return OPERATIONS.map(({ name }) => {
    const found = names.filter(each => isFunctionOf(name, each));
    if (found.length !== 1) throw new Error(`${name} has ${found.length} functions.`);
    return String(found[0]);
  });
}

/** The folder with the code of a function, as it would be deployed. */
export function codeFolder({ Properties }: TemplateResource): string {
  return join(completeStacks(), `asset.${Properties.Code.S3Key.replace(/\.zip$/, '')}`);
}

/** The template with another value in a part of a resource, such as `Properties.Timeout`, or without the part. */
export function withFault(template: Template, name: string, path: string, value?: unknown): Template {
  const changed = structuredClone(template);
  const id = Object.keys(changed.Resources).find(each => stableName(each) === name);
  if (id === undefined) throw new Error(`There is no ${name}.`);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const part = keys.reduce<TemplateResource['Properties']>((of, key) => of[key], changed.Resources[id] ?? {});
  if (value !== undefined) part[last] = value;
  else if (Array.isArray(part)) part.splice(Number(last), 1);
  else delete part[last];
  return changed;
}

/** Names that must be unique in an account and region, as far as a stack chooses them itself. */
const NAME_PROPERTIES = [
  'AlarmName',
  'BucketName',
  'DashboardName',
  'FunctionName',
  'LogGroupName',
  'RoleName',
  'TableName',
];

export function physicalNames({ Resources }: Resources): string[] {
  return Object.entries(Resources).flatMap(([logicalId, { Type, Properties }]) => {
    const named = Type === 'AWS::ApiGateway::RestApi' ? ['Name'] : NAME_PROPERTIES;
    // A permission names the function that it is for, a metric filter its log group, which are other resources.
    const isForAnother = ['AWS::Lambda::Permission', 'AWS::Logs::MetricFilter'].includes(Type);
    const chosen = isForAnother ? [] : named.filter(name => Properties?.[name]);
    return chosen.map(name => `${Type} ${JSON.stringify(Properties[name])} ${stableName(logicalId)}`);
  });
}
