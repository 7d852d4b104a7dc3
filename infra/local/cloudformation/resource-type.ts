import { createHash } from 'node:crypto';
import * as z from 'zod';

/** A resource as its template declares it. A property is resolved when it is asked for, since names may refer to names. */
export interface Declaration {
  readonly stack: string;
  readonly logicalId: string;
  property(name: string): unknown;
}

/** What is known of a CloudFormation resource type. */
export interface ResourceType {
  /** Strict: a property that is not in it is refused by name. */
  readonly properties: z.ZodType;
  /** The physical id, which is what Ref gives. */
  ref(declaration: Declaration): string;
  /** What Fn::GetAtt gives, by attribute. */
  readonly attributes?: Readonly<Record<string, (declaration: Declaration) => string | readonly string[]>>;
}

/** A property that is knowingly without effect on one machine. */
export const noEffect = z.unknown().optional();

/** The name that the template gives in a property, or else one made of stack and logical id: the same at each start. */
export function nameOf(declaration: Declaration, property: string): string {
  const given = declaration.property(property);
  return typeof given === 'string' ? given : `${declaration.stack}-${declaration.logicalId}`;
}

/** An id in the alphabet of AWS's short ids, the same at each start. */
export function shortId({ stack, logicalId }: Declaration, length: number): string {
  const digest = createHash('sha256').update(`${stack}/${logicalId}`).digest('hex');
  return BigInt(`0x${digest}`).toString(36).padStart(length, '0').slice(-length);
}
