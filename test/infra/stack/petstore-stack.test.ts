import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ofType, placeOf, type Resources } from '../../../infra/local/template.ts';
import { STACKS, templateOf, templateText } from './templates.ts';

const [PRODUCTION, STAGING] = STACKS;

/** A template in the words of staging, without the hashes that come from names. */
function inWordsOfStaging(stack: string): Resources {
  const neutral = templateText(stack)
    .replaceAll('Production', 'Staging')
    .replaceAll('production', 'staging')
    .replaceAll('apps.petstore.test', 'apps.staging.petstore.test')
    .replaceAll('apps.staging.staging.', 'apps.staging.')
    .replaceAll('pet_live_', 'pet_test_')
    .replaceAll(/Deployment[0-9A-F]{8}[0-9a-f]{32}/g, 'Deployment')
    .replaceAll(/[0-9A-F]{8}(?=[A-Z"])/g, '')
    .replaceAll(/(AllowEventRule\w+Function)[0-9A-F]+/g, '$1');
  return JSON.parse(neutral);
}

/**
 * Only production has what protects it against deletion, and what watches that: alarms, dashboard, dead-letter queue. Only
 * staging sets API Gateway's role for logs, and permits preflights of unknown paths.
 */
function withoutOwnParts(stack: string): Resources {
  const { Resources, ...rest } = inWordsOfStaging(stack);
  const isOwn = (id: string) =>
    /^(Protection|Monitoring|PublicApi(Account|CloudWatchRole|(.*proxy|v1|v1store)?OPTIONS))/.test(id);
  const kept = Object.entries(Resources)
    .filter(([id]) => !isOwn(id))
    .map(([id, { DependsOn = [], ...resource }]) => {
      // The order of an API's parts only spreads the calls, by how many there are.
      if (/^AWS::ApiGateway::(GatewayResponse|Method|Resource)$/.test(resource.Type)) return [id, resource];
      const others = [DependsOn].flat().filter(other => !isOwn(other));
      return [id, { ...resource, DependsOn: others }];
    });
  return { ...rest, Resources: Object.fromEntries(kept) };
}

/** The names of the values in which two parts of templates differ. */
function differences(left: unknown, right: unknown, name = ''): string[] {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right ? [] : [name];
  }
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap(key =>
    differences((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key], key),
  );
}

test('the environments differ only in what environments.ts distinguishes', () => {
  const [production, staging] = [PRODUCTION, STAGING].map(withoutOwnParts);
  const differing = new Set(differences(production, staging));
  // Pages in browsers may call staging: variables of functions, and headers.
  const forPages = /^(BROWSER_ORIGINS|Environment|\w+\.(response\.)?header\.Access-Control-.+)$/;
  expect([...differing].filter(name => !forPages.test(name)).toSorted()).toEqual([
    'DeletionPolicy',
    'RetentionInDays',
    'UpdateReplacePolicy',
  ]);
});

/** It has no types. */
const validate: (
  definition: object,
  options: object,
) => { isValid: boolean; errorsText(separator: string): string } = createRequire(import.meta.url)(
  'asl-validator',
);

// Staging has the same ones, but for protection.
test('the state machines of production are what the Amazon States Language allows', () => {
  const machines = ofType(templateOf(PRODUCTION), 'AWS::StepFunctions::StateMachine');
  expect(machines.size).toBeGreaterThan(1);
  for (const [name, { Properties }] of machines) {
    const definition = JSON.parse(placeOf(Properties.DefinitionString));
    const { isValid, errorsText } = validate(definition, { checkPaths: true, checkArn: false });
    expect(isValid, `${name}: ${errorsText('; ')}`).toBe(true);
    // The validator takes any name in an intrinsic function. AWS takes one with a hyphen in brackets only.
    const calls = JSON.stringify(definition).match(/"States\.\w+\(.*?\)"/g) ?? [];
    const outsideOfQuotes = calls.map(call => call.replaceAll(/'(\\.|[^'\\])*'/g, ''));
    expect(outsideOfQuotes.filter(call => call.includes('-'))).toEqual([]);
  }
});

test('a setting that is refused ends the synth with one line that names it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-refused-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'staging.json'), '{"platformDomain": "apps.petstore.example"}');
  // As the cdk command runs it.
  const { status, output } = spawnSync(process.execPath, ['infra/app.ts'], {
    cwd: resolve(import.meta.dirname, '../../..'),
    encoding: 'utf8',
    env: {
      ...process.env,
      CDK_OUTDIR: join(folder, 'out'),
      CDK_CONTEXT_JSON: JSON.stringify({ settings: folder }),
    },
  });
  expect(status).toBe(1);
  expect(output.join('')).toMatch(
    /^\S+\/staging\.json: platformDomain must be .*, not "apps\.petstore\.example"\.\n$/,
  );
});
