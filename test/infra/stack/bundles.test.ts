import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assetOf, FUNCTIONS } from './function-assets.ts';

/** What a request waits for: the functions of operators, projects and domains are not among it. */
const HTTP_FUNCTIONS = [...FUNCTIONS.keys()].filter(name => !/^(Operator|Projects|Domain)/.test(name));
const OTHER_FUNCTIONS = [...FUNCTIONS.keys()].filter(name => !HTTP_FUNCTIONS.includes(name));

/** Loads the function as Lambda does and prints what it exports and which of Node's own modules that has loaded. */
const LOAD = `
  const { handler } = require(process.argv[1] + '/index.cjs');
  console.log(JSON.stringify({ handler: typeof handler, modules: process.moduleLoadList }));
`;

function loaded(name: string): { handler: string; modules: string[] } {
  const variables = Object.entries(FUNCTIONS.get(name)?.Properties.Environment?.Variables ?? {});
  const env = {
    AWS_REGION: 'eu-west-1',
    LAMBDA_TASK_ROOT: assetOf(name),
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    // What is known before the deployment is told as it is, such as PET_SHARDS.
    ...Object.fromEntries(
      variables.map(([variable, value]) => [variable, typeof value === 'string' ? value : 'value']),
    ),
  };
  return JSON.parse(execFileSync(process.execPath, ['-e', LOAD, assetOf(name)], { encoding: 'utf8', env }));
}

/** What is served as it is lies beside the code. */
const SERVED_FILES: Record<string, string> = {
  DocsGetOpenapiFunction: 'openapi.json',
  DocsGetRendererFunction: 'scalar.js',
};

test.each([...FUNCTIONS.keys()])('%s is one file, and what it serves', name => {
  expect(readdirSync(assetOf(name))).toEqual([
    'index.cjs',
    ...(SERVED_FILES[name] ? [SERVED_FILES[name]] : []),
  ]);
});

test.each(HTTP_FUNCTIONS)('%s is small: every byte is read at a cold start', name => {
  expect(statSync(join(assetOf(name), 'index.cjs')).size).toBeLessThan(245_000);
});

test.each(HTTP_FUNCTIONS)('%s loads without undici, which would double the time of a cold start', name => {
  const { handler, modules } = loaded(name);
  expect(handler).toBe('function');
  expect(modules.filter(module => module.includes('undici'))).toEqual([]);
});

test.each(OTHER_FUNCTIONS)('%s loads with the variables that it is told', name => {
  expect(loaded(name).handler).toBe('function');
});
