import { nameOf } from './templates.ts';

/** A statement of a policy, as a template has it. */
export interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export function listOf<Value>(oneOrMore: Value | Value[]): Value[] {
  return Array.isArray(oneOrMore) ? oneOrMore : [oneOrMore];
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
