import { readFileSync } from 'node:fs';

const page = (name: string) => readFileSync(new URL(`./pages/${name}.md`, import.meta.url), 'utf8').trim();

/** The description of the interface beyond its operations, one file for each heading. */
export const DESCRIPTION = [
  'introduction',
  'authentication',
  'errors',
  'pagination',
  'idempotency',
  'limits',
  'browsers',
  'versioning',
  'custom-domains',
]
  .map(page)
  .join('\n\n');
