import { createHash } from 'node:crypto';
import * as z from 'zod';

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
  /** The physical id, which is what Ref gives. */
  ref(declaration: Declaration): string;
  /** What Fn::GetAtt gives, by attribute. */
  readonly attributes?: Readonly<Record<string, (declaration: Declaration) => string | readonly string[]>>;
}

/** A property that is accepted and has no effect in the local runtime. */
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
