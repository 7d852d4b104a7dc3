/** Reads a synthesized template, or the stack that it becomes: its resources by name, and what it grants, routes and runs. */
import { readCloudAssembly, type Template } from './cloudformation/cloud-assembly.ts';
import type { Resource } from './cloudformation/resource-type.ts';
import { resolveStack } from './cloudformation/stack.ts';
import { RESOURCE_TYPES } from './resource-types.ts';

export { type DeclaredTable, declaredTables } from './dynamodb/tables.ts';
export { roleStatements } from './iam/roles.ts';
export { RESOURCE_TYPES, type Resource, type Template };

export type TemplateResource = Template['Resources'][string];

/** What most questions are about. */
export type Resources = Pick<Template, 'Resources'> & Partial<Pick<Template, 'Mappings'>>;

/** The names of the stacks of an assembly. */
export function stacksOf(assembly: string): string[] {
  return readCloudAssembly(assembly).stacks.map(({ name }) => name);
}

/** The template of a stack, as the assembly has it. */
export function readTemplate(assembly: string, stack: string): Template {
  return artifactOf(assembly, stack).template;
}

/** The resources of a stack as the local AWS deploys them, every reference replaced by its value. */
export function readResources(assembly: string, stack: string): readonly Resource[] {
  return resolveStack(artifactOf(assembly, stack), RESOURCE_TYPES).resources;
}

function artifactOf(assembly: string, stack: string) {
  const artifact = readCloudAssembly(assembly).stacks.find(({ name }) => name === stack);
  if (!artifact) throw new Error(`The assembly has no stack ${stack}.`);
  return artifact;
}

/** The only resource of the type whose logical id begins like this, whatever hash follows. */
export function resourceNamed(resources: readonly Resource[], type: string, prefix: string): Resource {
  const [found, ...others] = resources.filter(
    resource => resource.type === type && resource.logicalId.startsWith(prefix),
  );
  if (!found || others.length > 0) throw new Error(`There is not exactly one ${type} ${prefix}….`);
  return found;
}

/** What CDK puts behind the hash of a construct that it names within another name. */
const HASH_WITHIN = /(?<=[a-z])[0-9A-F]{8}(?=ANY|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|Permissions)/;

/** A logical id without the hashes that CDK puts into it: of names, and of what a deployment deploys. */
export function stableName(logicalId: string): string {
  return logicalId
    .replace(/(?<=Deployment)[0-9A-F]{8}[0-9a-f]{32}$/, '')
    .replace(/(?:[0-9A-F]{8}){1,2}$/, '')
    .replace(HASH_WITHIN, '');
}

/** The resources of a type, by their names. */
export function ofType({ Resources }: Resources, type: string): ReadonlyMap<string, TemplateResource> {
  const found = new Map<string, TemplateResource>();
  for (const [logicalId, resource] of Object.entries(Resources)) {
    if (resource.Type !== type) continue;
    const name = stableName(logicalId);
    if (found.has(name)) throw new Error(`Two resources of the type ${type} have the name ${name}.`);
    found.set(name, resource);
  }
  return found;
}

/** The resources of a type that are parts of an API, such as PublicApi. */
export function partsOf(template: Resources, api: string, type: string): TemplateResource[] {
  return [...ofType(template, type).values()].filter(
    ({ Properties }) => stableName(Properties.RestApiId.Ref) === api,
  );
}

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [logicalId: string, attribute: string];
  readonly 'Fn::Join'?: readonly [separator: string, parts: unknown[]];
}

/** What a value refers to: the ARN of a table, joined with an index, is `PetsTable/index/byStatus`. */
export function placeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Intrinsic;
  if (Ref) return Ref.startsWith('AWS::') ? `<${Ref}>` : stableName(Ref);
  if (attribute) return stableName(attribute[0]);
  return join ? join[1].map(placeOf).join(join[0]) : JSON.stringify(value);
}

/** An action on a place that a role is allowed. */
export interface Grant {
  readonly role: string;
  readonly action: string;
  readonly place: string;
  readonly condition: unknown;
}

/** A statement of a policy, as a template has it. */
export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

/** What the policies of the roles allow. CDK puts what is too long for one policy into managed ones. */
export function grantsOf(template: Resources): Grant[] {
  const policies = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy'].flatMap(type => [
    ...ofType(template, type).values(),
  ]);
  return policies.flatMap(({ Properties }) => {
    const statements: Statement[] = Properties.PolicyDocument.Statement;
    const grants = statements
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource, Condition: condition }) =>
        [Action]
          .flat()
          .flatMap(action => [Resource].flat().map(place => ({ action, place: placeOf(place), condition }))),
      );
    return Properties.Roles.flatMap(({ Ref }: { Ref: string }) =>
      grants.map(grant => ({ role: stableName(Ref), ...grant })),
    );
  });
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
export function routesOf(template: Resources, api: string): TemplateRoute[] {
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

/** A definition in the Amazon States Language: each state has its own fields. */
export interface Machine {
  readonly StartAt: string;
  // biome-ignore lint/suspicious/noExplicitAny: who asks knows the type of the state.
  readonly States: Readonly<Record<string, any>>;
}

/** The state machines by name. Their tasks name functions as `placeOf` does. */
export function machinesOf(template: Resources): ReadonlyMap<string, Machine> {
  const machines = ofType(template, 'AWS::StepFunctions::StateMachine');
  return new Map(
    [...machines].map(([name, { Properties }]) => [name, JSON.parse(placeOf(Properties.DefinitionString))]),
  );
}
