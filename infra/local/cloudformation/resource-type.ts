/** CloudFormation resources and their types, and how a template is refused by name. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LocalAwsError } from '../host/local-aws-error.ts';

/** A resource of a deployed stack: every intrinsic function in its properties has been replaced by its value. */
export interface Resource {
  /** Name of the stack that declares it, such as Petstore-Staging. */
  readonly stack: string;
  readonly logicalId: string;
  /** The CloudFormation type, such as AWS::Lambda::Function. */
  readonly type: string;
  /** What Ref returns for it. */
  readonly physicalId: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A resource as its template declares it. A property is resolved when it is read: names may refer to other names. */
export interface Declaration {
  readonly stack: string;
  readonly logicalId: string;
  property(name: string): unknown;
}

/** A CloudFormation resource type. */
export interface ResourceType {
  /** Strict: a property that is not listed is refused by name. */
  readonly properties: z.ZodType;
  /** The physical id, which is what Ref returns. */
  ref(declaration: Declaration): string;
  /** What Fn::GetAtt returns, by attribute. */
  readonly attributes?: Readonly<Record<string, (declaration: Declaration) => string | readonly string[]>>;
}

/** A property that is accepted and has no effect in the local AWS. */
export const noEffect = z.unknown().optional();

/** Properties that are all accepted, whatever they are. */
export const anyProperties = z.record(z.string(), z.unknown());

/** The name that the template gives in a property, or one composed of stack and logical id: the same at each start. */
export function nameOf(declaration: Declaration, property: string): string {
  const given = declaration.property(property);
  return typeof given === 'string' ? given : `${declaration.stack}-${declaration.logicalId}`;
}

/** An id in the alphabet of AWS's short ids, the same at each start. */
export function shortId({ stack, logicalId }: Declaration, length: number): string {
  const digest = createHash('sha256').update(`${stack}/${logicalId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).padStart(length, '0').slice(-length);
}

/** The location in a template that a refusal names. */
export interface ResourceLocation {
  readonly stack: string;
  readonly logicalId?: string;
  readonly type?: string;
}

/** The error for something in a template that the local AWS does not support. */
export function refusal({ stack, logicalId, type }: ResourceLocation, what: string): LocalAwsError {
  const resource = logicalId === undefined ? '' : `, ${logicalId}`;
  const ofType = type === undefined ? '' : ` (${type})`;
  return new LocalAwsError(`${stack}${resource}${ofType}: ${what}`);
}

/** Properties as the schema of their type parses them. What is not supported is refused by name. */
export function parseProperties<Schema extends z.ZodType>(
  schema: Schema,
  properties: unknown,
  location: ResourceLocation,
): z.output<Schema> {
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  throw refusal(location, parsed.error.issues.map(describeIssue).join('; '));
}

/** The resources of a type, with their properties as the schema of the type parses them. */
export function resourcesOf<Schema extends z.ZodType>(
  type: string,
  schema: Schema,
  resources: readonly Resource[],
): (Omit<Resource, 'properties'> & { readonly properties: z.output<Schema> })[] {
  return resources
    .filter(resource => resource.type === type)
    .map(resource => ({ ...resource, properties: parseProperties(schema, resource.properties, resource) }));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map(key => [...path, key].join('.')).join(', ');
    return `the property ${names} is not supported by the local AWS`;
  }
  return `the property ${path.join('.')} is not supported by the local AWS (${issue.message})`;
}
