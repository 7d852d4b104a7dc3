import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../openapi/document.ts';
import { type SchemaDocument, schemaTypes } from './schema-types.ts';

/** npm run client: writes the types of the client package from the OpenAPI document. */
const file = join(import.meta.dirname, '../src/schemas.ts');
writeFileSync(file, schemaTypes(openApiDocument() as unknown as SchemaDocument));
