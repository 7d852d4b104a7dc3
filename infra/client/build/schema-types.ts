/**
 * TypeScript types of the OpenAPI document's schemas and query parameters. It supports what the document uses and
 * refuses the rest, so that a type never says less than the document.
 */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  /** The values that are known; there may be others. */
  readonly 'x-extensible-enum'?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
}

export interface SchemaDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The client has a class of its own for it, and takes the status from the response itself. */
const ERROR_SCHEMA = 'Error';

/** The module of all types. */
export function schemaTypes({ paths, components }: SchemaDocument): string {
  const { [ERROR_SCHEMA]: error, ...schemas } = components.schemas;
  const operations = Object.values(paths).flatMap(path => Object.values(path));
  return [
    '// Written from the OpenAPI document by `npm run client`.\n',
    ...Object.entries(schemas).map(([name, schema]) => declaration(name, schema)),
    declaration('ErrorCode', requireSchema(error?.properties?.code, 'Error.code')),
    ...operations.flatMap(queryDeclaration),
  ].join('\n');
}

function queryDeclaration({ operationId, parameters = [] }: Operation): string[] {
  const queries = parameters.filter(parameter => parameter.in === 'query');
  if (queries.length === 0) return [];
  const name = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`;
  const properties = queries.map(query => property(query.name, queryType(query.schema), query.schema, false));
  return [`export interface ${name} {\n${properties.join('')}}\n`];
}

function declaration(name: string, schema: Schema): string {
  const comment = schema.description ? `/** ${schema.description} */\n` : '';
  if (schema.type !== 'object')
    return `${comment}export type ${name} =${bodyType(schema, name).replace(/^(?!\n)/, ' ')};\n`;
  const properties = Object.entries(schema.properties ?? {}).map(([member, memberSchema]) =>
    property(
      member,
      bodyType(memberSchema, `${name}.${member}`),
      memberSchema,
      schema.required?.includes(member) ?? false,
    ),
  );
  return `${comment}export interface ${name} {\n${properties.join('')}}\n`;
}

function property(name: string, type: string, { description }: Schema, isRequired: boolean): string {
  const comment = description ? `  /** ${description} */\n` : '';
  return `${comment}  ${name}${isRequired ? `: ${type}` : `?: ${type} | undefined`};\n`;
}

/** The type of a value in a body, where every integer is read as a bigint. */
function bodyType(schema: Schema, where: string): string {
  if (schema.type === 'integer' && schema.format === 'int64') return 'bigint';
  if (schema.type === 'integer' || schema.type === 'number') {
    throw new Error(
      `${where} is a number that isn't an int64: the client would read integers of it as bigint.`,
    );
  }
  if (schema.type === 'array') return `${bodyType(requireSchema(schema.items, where), where)}[]`;
  return commonType(schema, where);
}

/** The type of a value in a query, which is written and never read. */
function queryType(schema: Schema): string {
  return schema.type === 'integer' ? 'number' : commonType(schema, 'a query parameter');
}

function commonType(schema: Schema, where: string): string {
  const { $ref, type, enum: values, 'x-extensible-enum': knownValues } = schema;
  if ($ref) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (values) return union(values.map(quoted));
  // Editors complete the known values of this union, and the compiler takes any other.
  if (knownValues) return union([...knownValues.map(quoted), '(string & {})']);
  if (type === 'string') return 'string';
  throw new Error(`${where} has a schema that is not supported: ${JSON.stringify(schema)}`);
}

const quoted = (value: string) => `'${value}'`;

/** Broken as the formatter does it. */
function union(types: readonly string[]): string {
  const line = types.join(' | ');
  return line.length <= 80 ? line : types.map(type => `\n  | ${type}`).join('');
}

function requireSchema(schema: Schema | undefined, where: string): Schema {
  if (!schema) throw new Error(`The document has no schema for ${where}.`);
  return schema;
}
