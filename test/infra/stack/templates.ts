import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Template } from '../../../infra/local/cloudformation/cloud-assembly.ts';
import type { Resource } from '../../../infra/local/cloudformation/resource-type.ts';
import { readResources, readTemplate, type TemplateResource } from '../../../infra/local/template.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import { watchedStacks } from './other-environments/assembly.ts';

export const STACKS = ['Petstore-Production', 'Petstore-Staging'] as const;

export type { Template, TemplateResource };

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the templates with a fault, where tests judge those. */
    mutated: string | undefined;
  }
}

const folder = () => inject('mutated') ?? watchedStacks();

/** The template of a stack as it would be deployed, with addresses for alarms. */
export function templateText(stack: string): string {
  return readFileSync(join(folder(), `${stack}.template.json`), 'utf8');
}

const parsed = new Map<string, Template>();

/** Parsed once per process: it is read by dozens of tests, and none changes it. */
export function templateOf(stack: string): Template {
  const known = parsed.get(stack) ?? readTemplate(folder(), stack);
  parsed.set(stack, known);
  return known;
}

/** The resources of a stack as the local AWS has them, by default of `npm start`. */
export function resolvedResources(stack: string, assembly = inject('assembly')): readonly Resource[] {
  return readResources(assembly, stack);
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

/** A statement of a policy, as a template has it. */
interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** An action on a resource that a role is granted. */
interface Grant {
  /** Such as PetsListPetsRole. */
  readonly role: string;
  /** Such as `dynamodb:Query on PetsTable/index/byStatus`. */
  readonly grant: string;
  readonly condition: unknown;
}

/** What the policies of the roles grant. */
export function grantsOf(template: Template): Grant[] {
  return [...resourcesOf(template, 'AWS::IAM::Policy').values()].flatMap(({ Properties }) => {
    const statements: Statement[] = Properties.PolicyDocument.Statement;
    const grants = statements
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource, Condition: condition }) =>
        [Action]
          .flat()
          .flatMap(action =>
            [Resource].flat().map(resource => ({ grant: `${action} on ${placeOf(resource)}`, condition })),
          ),
      );
    return Properties.Roles.flatMap(({ Ref }: { Ref: string }) =>
      grants.map(each => ({ role: nameOf(Ref), ...each })),
    );
  });
}

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [logicalId: string, attribute: string];
  readonly 'Fn::Join'?: readonly [separator: string, parts: unknown[]];
}

/** `Fn::GetAtt [PetsTable1234ABCD, Arn]`, perhaps joined with an index, as `PetsTable/index/byStatus`. */
export function placeOf(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = resource as Intrinsic;
  if (Ref) return Ref.startsWith('AWS::') ? `<${Ref}>` : nameOf(Ref);
  if (attribute) return nameOf(attribute[0]);
  return join ? join[1].map(placeOf).join(join[0]) : JSON.stringify(resource);
}

export interface TemplateRoute {
  readonly method: string;
  /** With the version, such as /v1/pets/{petId}. */
  readonly path: string;
  readonly isOpen: boolean;
  /** The name of the function. */
  readonly fn: string;
}

/** The methods of an API that lead to a function. */
export function routesOf(template: Template, api: string): TemplateRoute[] {
  const pathOf = (resourceId: string | undefined): string => {
    const resource = template.Resources[resourceId ?? ''];
    if (resource?.Type !== 'AWS::ApiGateway::Resource') return '';
    return `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}`;
  };
  return partsOf(template, api, 'AWS::ApiGateway::Method')
    .filter(({ Properties }) => Properties.Integration.Type !== 'MOCK')
    .map(({ Properties }) => ({
      method: Properties.HttpMethod,
      path: pathOf(Properties.ResourceId.Ref),
      isOpen: Properties.AuthorizationType === 'NONE',
      fn: /functions\/(\w+)\/invocations/.exec(placeOf(Properties.Integration.Uri))?.[1] ?? '',
    }));
}

/** The Lambda functions of a stack, by their names. */
export const FUNCTIONS = resourcesOf(templateOf('Petstore-Staging'), 'AWS::Lambda::Function');

/** The folder with the code of a function, as it would be deployed. */
export function assetOf(name: string): string {
  const { S3Key } = FUNCTIONS.get(name)?.Properties.Code ?? {};
  return join(folder(), `asset.${S3Key.replace(/\.zip$/, '')}`);
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

export function physicalNames({ Resources }: Template): string[] {
  return Object.entries(Resources).flatMap(([logicalId, { Type, Properties }]) => {
    const named = Type === 'AWS::ApiGateway::RestApi' ? ['Name'] : NAME_PROPERTIES;
    // A permission names the function that it is for, a metric filter its log group, which are other resources.
    const isForAnother = ['AWS::Lambda::Permission', 'AWS::Logs::MetricFilter'].includes(Type);
    const chosen = isForAnother ? [] : named.filter(name => Properties?.[name]);
    return chosen.map(name => `${Type} ${JSON.stringify(Properties[name])} ${nameOf(logicalId)}`);
  });
}
