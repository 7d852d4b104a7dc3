import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../openapi/document.ts';
import { type Schema, type SchemaDocument, schemaTypes } from '../build/schema-types.ts';

const document = openApiDocument() as unknown as SchemaDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);

const withSchema = (thing: Schema): SchemaDocument => ({
  paths: {},
  components: { schemas: { Thing: thing, Error: { properties: { code: { type: 'string' } } } } },
});

describe('the types of the client', () => {
  test('are those of the OpenAPI document: npm run client writes them', () => {
    expect(readFileSync(join(import.meta.dirname, '../src/schemas.ts'), 'utf8')).toBe(schemaTypes(document));
  });

  test('have a bigint for an int64 and an open end for optional members', () => {
    const thing = {
      type: 'object',
      properties: {
        id: { type: 'integer', format: 'int64' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['id'],
    };
    expect(schemaTypes(withSchema(thing))).toContain(
      'export interface Thing {\n  id: bigint;\n  tags?: string[] | undefined;\n}\n',
    );
  });

  test('have an open union for values of which there may be others', () => {
    const thing = { type: 'string', 'x-extensible-enum': ['a', 'b'] };
    expect(schemaTypes(withSchema(thing))).toContain("export type Thing = 'a' | 'b' | (string & {});\n");
  });

  test.for([{ type: 'number' }, { type: 'integer', format: 'int32' }, { type: 'null' }, {}])(
    'are refused for %j, which the client would not read as typed',
    schema => {
      expect(() => schemaTypes(withSchema(schema))).toThrow(/^Thing /);
    },
  );
});

describe('the client', () => {
  const source = readFileSync(join(import.meta.dirname, '../src/petstore.ts'), 'utf8');

  test.for(operations)('has %s', ([name]) => {
    expect(source).toContain(`operation: '${name}'`);
  });

  test('marks as deprecated and experimental what the document marks', () => {
    const marked = (mark: string) =>
      operations.filter(([, operation]) => 'x-stability' in operation && operation['x-stability'] === mark);
    expect(source.split('@deprecated')).toHaveLength(1 + marked('deprecated').length);
    expect(source.split('@experimental')).toHaveLength(1 + marked('experimental').length);
  });
});
