import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { nameOf, STACKS, type Template, templateText } from './templates.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const [PRODUCTION, STAGING] = STACKS;

/** A template in the words of staging, without the hashes that come from names. */
function inWordsOfStaging(stack: string): Template {
  const neutral = templateText(stack)
    .replaceAll('Production', 'Staging')
    .replaceAll('production', 'staging')
    .replaceAll('apps.petstore.example', 'apps.staging.petstore.example')
    .replaceAll('apps.staging.staging.', 'apps.staging.')
    .replaceAll('pet_live_', 'pet_test_')
    .replaceAll(/Deployment[0-9A-F]{8}[0-9a-f]{32}/g, 'Deployment')
    .replaceAll(/[0-9A-F]{8}(?=[A-Z"])/g, '')
    .replaceAll(/(AllowEventRule\w+Function)[0-9A-F]+/g, '$1');
  return JSON.parse(neutral);
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

test('the environments differ in what environments.ts tells apart and in nothing else', () => {
  const differing = new Set(differences(inWordsOfStaging(PRODUCTION), inWordsOfStaging(STAGING)));
  expect([...differing].toSorted()).toEqual([
    'DeletionPolicy',
    'DeletionProtectionEnabled',
    'RetentionInDays',
    'UpdateReplacePolicy',
  ]);
});

/** Names that must be unique in an account and region, as far as a stack chooses them itself. */
const NAME_PROPERTIES = [
  ...['AlarmName', 'BucketName', 'DashboardName', 'FunctionName', 'LogGroupName', 'RoleName', 'TableName'],
];

function physicalNames(stack: string): string[] {
  const { Resources } = JSON.parse(templateText(stack)) as Template;
  return Object.entries(Resources).flatMap(([logicalId, { Type, Properties }]) => {
    const named = Type === 'AWS::ApiGateway::RestApi' ? ['Name'] : NAME_PROPERTIES;
    // A permission names the function that it is for, a metric filter its log group, which are other resources.
    const isForAnother = ['AWS::Lambda::Permission', 'AWS::Logs::MetricFilter'].includes(Type);
    const chosen = isForAnother ? [] : named.filter(name => Properties?.[name]);
    return chosen.map(name => `${Type} ${JSON.stringify(Properties[name])} ${nameOf(logicalId)}`);
  });
}

test('the environments share no name, and neither imports from the other', () => {
  expect(physicalNames(PRODUCTION)).not.toEqual([]);
  expect(physicalNames(PRODUCTION).filter(name => physicalNames(STAGING).includes(name))).toEqual([]);
  for (const stack of STACKS) expect(templateText(stack)).not.toMatch(/Fn::ImportValue|"Export"/);
});

test('the rules of cdk-nag and of CDK itself have nothing to say', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-checked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { context } = JSON.parse(readFileSync(join(PROJECT, 'cdk.json'), 'utf8'));
  const { CDK_VALIDATION, ...environment } = process.env;
  const app = spawn(process.execPath, ['infra/app.ts'], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });
  const [printed, complaints, [exitCode]] = await Promise.all([
    text(app.stdout),
    text(app.stderr),
    once(app, 'exit'),
  ]);
  expect([exitCode, printed, complaints]).toEqual([0, '', '']);
  const { pluginReports } = JSON.parse(readFileSync(join(folder, 'validation-report.json'), 'utf8'));
  expect(pluginReports).toEqual([]);
}, 90_000);
