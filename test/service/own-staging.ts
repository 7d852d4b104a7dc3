import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { type LocalAws, startLocalAws } from '../../infra/local/local-aws.ts';
import { busyMachine } from '../../infra/start/options.ts';
import { newApiKey } from './operator.ts';
import { PATIENCE, requireWithinModels, WAIT_SCALE } from './running-service.ts';

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

/**
 * A service of staging alone for one test file, which may deploy changed templates. Call it once, at the top of the file;
 * another assembly than that of `npm start` has other settings.
 */
export function ownStaging(original = inject('assembly'), waitScale = WAIT_SCALE) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-staging-'));
  let runtime: LocalAws;
  let apiKey: string;
  beforeAll(async () => {
    runtime = await startLocalAws({
      assembly: changedAssembly(original, folder, template => template),
      port: 0,
      dynamoDbEndpoint: inject('dynamoDbEndpoint'),
      waitScale,
      ...busyMachine(PATIENCE),
      // Functions that fail are what some tests provoke; their errors are reported, too.
      report: requireWithinModels,
    });
    apiKey = await newApiKey(runtime, 'staging');
  });
  afterAll(async () => {
    await runtime.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    runtime: () => runtime,
    environment: () => ({ url: `${runtime.origin}/staging/v1`, apiKey }),
    /** Deploys the template with a change of its text. */
    deploy: (change: (template: string) => string) =>
      runtime.deploy(changedAssembly(original, folder, change)),
    /** Deploys the template with a change of its resources. */
    deployEdited: (edit: (template: Template) => void) =>
      runtime.deploy(
        changedAssembly(original, folder, text => {
          const template: Template = JSON.parse(text);
          edit(template);
          return JSON.stringify(template);
        }),
      ),
  };
}

/**
 * Writes an assembly of staging alone, with a changed template, into a new folder below the given one. The code of the
 * functions stays where it is: Node.js keeps what it has compiled by the path of the file. Nothing runs on a schedule,
 * and the tables are named after the folder: another file may use the tables of staging in the same engine.
 */
function changedAssembly(original: string, folder: string, change: (template: string) => string): string {
  const jsonOf = (file: string) => JSON.parse(readFileSync(join(original, file), 'utf8'));
  const assembly = mkdtempSync(join(folder, 'assembly-'));
  const { artifacts, ...manifest }: Manifest = jsonOf('manifest.json');
  const { [STACK]: stack, [`${STACK}.assets`]: files } = artifacts;
  const assets: AssetManifest = jsonOf(`${STACK}.assets.json`);
  for (const { source } of Object.values(assets.files)) source.path = resolve(original, source.path);
  const template: Template = jsonOf(`${STACK}.template.json`);
  for (const [id, { Type, Properties }] of Object.entries(template.Resources)) {
    if (Type === 'AWS::DynamoDB::Table') Properties.TableName = `${basename(folder)}-${id}`;
    if (Type === 'AWS::Events::Rule' && Properties.ScheduleExpression) Properties.State = 'DISABLED';
  }
  const write = (file: string, text: string) => writeFileSync(join(assembly, file), text);
  write('manifest.json', JSON.stringify({ ...manifest, artifacts: { [STACK]: stack, files } }));
  write(`${STACK}.assets.json`, JSON.stringify(assets));
  write(`${STACK}.template.json`, change(JSON.stringify(template, null, 1)));
  return assembly;
}
