import { writeFileSync } from 'node:fs';
import { asciiJson, stringifyJson } from '../../shared/http/json.ts';
import { openApiDocument } from './document.ts';

/** npm run openapi [file]: writes the OpenAPI document to the file, or to standard output. */
const [file] = process.argv.slice(2);
const text = `${asciiJson(stringifyJson(openApiDocument(), 2))}\n`;
if (file) writeFileSync(file, text);
else process.stdout.write(text);
