import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assetOf, FUNCTIONS } from './function-assets.ts';
import { resourcesOf, templateOf } from './templates.ts';

const TEMPLATE = templateOf('Petstore-Staging');

/** The functions that a request waits for; those of operators, projects, domains and schedules are not among them. */
const HTTP_FUNCTIONS = [...FUNCTIONS.keys()].filter(
  name => !/^(Operator|Projects|Domain|ApiKeysReconcile)/.test(name),
);
const OTHER_FUNCTIONS = [...FUNCTIONS.keys()].filter(name => !HTTP_FUNCTIONS.includes(name));

/** Loads the function as Lambda does. Prints what it exports and which of Node's own modules are loaded then. */
const LOAD = `
  const { handler } = require(process.argv[1] + '/index.cjs');
  const isPipeline = typeof handler.use === 'function' && typeof handler.onError === 'function';
  console.log(JSON.stringify({ handler: typeof handler, isPipeline, modules: process.moduleLoadList }));
`;

interface LoadedFunction {
  readonly handler: string;
  readonly isPipeline: boolean;
  readonly modules: readonly string[];
}

/** Several tests ask about the same function, and each load is a process. */
const LOADED = new Map<string, LoadedFunction>();

function loaded(name: string): LoadedFunction {
  const known = LOADED.get(name) ?? load(name);
  LOADED.set(name, known);
  return known;
}

function load(name: string, more: Record<string, string> = {}): LoadedFunction {
  const variables = Object.entries(FUNCTIONS.get(name)?.Properties.Environment?.Variables ?? {});
  const env = {
    AWS_REGION: 'eu-west-1',
    LAMBDA_TASK_ROOT: assetOf(name),
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    // A value that is known before the deployment, such as PET_SHARDS, is a string in the template.
    ...Object.fromEntries(
      variables.map(([variable, value]) => [variable, typeof value === 'string' ? value : 'value']),
    ),
    ...more,
  };
  return JSON.parse(execFileSync(process.execPath, ['-e', LOAD, assetOf(name)], { encoding: 'utf8', env }));
}

/** The files beside the code that a function serves as they are. */
const SERVED_FILES: Record<string, string> = {
  DocsGetOpenapiFunction: 'openapi.json',
  DocsGetRendererFunction: 'scalar.js.gz',
};

test.each([...FUNCTIONS.keys()])('%s is one file, besides the files that it serves', name => {
  expect(readdirSync(assetOf(name))).toEqual([
    'index.cjs',
    ...(SERVED_FILES[name] ? [SERVED_FILES[name]] : []),
  ]);
});

test.each(HTTP_FUNCTIONS)('%s is small, because a cold start reads every byte', name => {
  expect(statSync(join(assetOf(name), 'index.cjs')).size).toBeLessThan(245_000);
});

test.each(HTTP_FUNCTIONS)('%s does not load undici, which would double the time of a cold start', name => {
  const { handler, modules } = loaded(name);
  expect(handler).toBe('function');
  expect(modules.filter(module => module.includes('undici'))).toEqual([]);
});

test('PetsListPetsFunction loads TLS before the first request, unless the endpoints of AWS are plain HTTP', () => {
  const isTls = (module: string) => module === 'NativeModule tls';
  expect(loaded('PetsListPetsFunction').modules.filter(isTls)).toHaveLength(1);
  const onOneMachine = load('PetsListPetsFunction', { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' });
  expect(onOneMachine.modules.filter(isTls)).toEqual([]);
});

test.each(HTTP_FUNCTIONS)('%s does not load what would look for the profile files of a developer', name => {
  expect(loaded(name).modules.filter(module => module.includes('fs/promises'))).toEqual([]);
});

/** The functions that a method of API Gateway leads to. */
const ROUTED_FUNCTIONS = [...FUNCTIONS.keys()].filter(name =>
  [...resourcesOf(TEMPLATE, 'AWS::ApiGateway::Method').values()].some(({ Properties }) =>
    new RegExp(`"${name}[0-9A-F]{8}"`).test(JSON.stringify(Properties.Integration)),
  ),
);

test('operations, documentation and redirects are behind API Gateway', () => {
  expect(ROUTED_FUNCTIONS).toEqual(
    expect.arrayContaining(['PetsListPetsFunction', 'DocsGetOpenapiFunction', 'RedirectsRedirectFunction']),
  );
});

test.each(ROUTED_FUNCTIONS)(
  '%s goes through the middy pipeline, and loads no zlib before it compresses',
  name => {
    const { isPipeline, modules } = loaded(name);
    expect(isPipeline).toBe(true);
    expect(modules.filter(module => module.includes('zlib'))).toEqual([]);
  },
);

test.each(OTHER_FUNCTIONS)('%s loads with the environment variables that the stack sets', name => {
  expect(loaded(name).handler).toBe('function');
});
