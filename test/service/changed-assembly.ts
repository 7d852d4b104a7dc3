import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { inject } from 'vitest';

const STACK = 'Petstore-Staging';

export interface Template {
  // biome-ignore lint/suspicious/noExplicitAny: a test reaches into properties that it knows.
  readonly Resources: Record<string, { readonly Type: string; readonly Properties: Record<string, any> }>;
}

interface Manifest {
  readonly artifacts: Readonly<Record<string, unknown>>;
}

interface AssetManifest {
  readonly files: Readonly<Record<string, { readonly source: { path: string } }>>;
}

const jsonOf = (file: string) => JSON.parse(readFileSync(join(inject('assembly'), file), 'utf8'));

/**
 * Writes an assembly of staging alone, with a changed template, into a new folder below the given one. The code of the
 * functions stays where it is: Node.js keeps what it has compiled by the path of the file. Nothing runs on a schedule,
 * and the tables are named after the folder: another file may use the tables of staging in the same engine.
 */
export function changedAssembly(folder: string, change: (template: string) => string): string {
  const assembly = mkdtempSync(join(folder, 'assembly-'));
  const { artifacts, ...manifest }: Manifest = jsonOf('manifest.json');
  const { [STACK]: stack, [`${STACK}.assets`]: files } = artifacts;
  const assets: AssetManifest = jsonOf(`${STACK}.assets.json`);
  for (const { source } of Object.values(assets.files))
    source.path = resolve(inject('assembly'), source.path);
  const template = readFileSync(join(inject('assembly'), `${STACK}.template.json`), 'utf8');
  const write = (file: string, text: string) => writeFileSync(join(assembly, file), text);
  write('manifest.json', JSON.stringify({ ...manifest, artifacts: { [STACK]: stack, files } }));
  write(`${STACK}.assets.json`, JSON.stringify(assets));
  write(`${STACK}.template.json`, change(apartFromOthers(template, basename(folder))));
  return assembly;
}

function apartFromOthers(text: string, name: string): string {
  const template: Template = JSON.parse(text);
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    if (Type === 'AWS::DynamoDB::Table') Properties.TableName = `${name}-${id}`;
    if (Type === 'AWS::Events::Rule' && Properties.ScheduleExpression) Properties.State = 'DISABLED';
  }
  return JSON.stringify(template, null, 1);
}
