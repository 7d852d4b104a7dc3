import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ofType, routesOf, type TemplateResource } from '../../../infra/local/template.ts';
import { CONTROL_PLANE_DEADLINE, CONTROL_PLANE_DEADLINE_MS } from '../../../shared/aws/control-plane.ts';
import { codeFolder, operationFunctions, templateOf } from './templates.ts';

const TEMPLATE = templateOf('Petstore-Staging');
const FUNCTIONS = ofType(TEMPLATE, 'AWS::Lambda::Function');
const assetOf = (name: string) => codeFolder(FUNCTIONS.get(name) as TemplateResource);

/** The functions that a method of API Gateway leads to. */
const ROUTED_FUNCTIONS = [
  ...new Set(['PublicApi', 'RedirectsApi'].flatMap(api => routesOf(TEMPLATE, api).map(({ fn }) => fn))),
];
/** The functions that a request waits for; those of operators, projects, domains and schedules are not among them. */
const HTTP_FUNCTIONS = [...ROUTED_FUNCTIONS, 'ApiKeysAuthorizeFunction'];
const OTHER_FUNCTIONS = [...FUNCTIONS.keys()].filter(name => !HTTP_FUNCTIONS.includes(name));

/**
 * Loads functions as Lambda does, each with its own variables. Prints what each exports and which of Node's own modules
 * it has loaded that were not there yet.
 */
const LOAD = `
  const known = new Set();
  const loaded = JSON.parse(process.argv[1]).map(({ name, folder, variables }) => {
    process.env = variables;
    const { handler } = require(folder + '/index.cjs');
    const isPipeline = typeof handler.use === 'function' && typeof handler.onError === 'function';
    const modules = process.moduleLoadList.filter(module => !known.has(module));
    for (const module of modules) known.add(module);
    return [name, { handler: typeof handler, isPipeline, modules }];
  });
  console.log(JSON.stringify(loaded));
`;

interface LoadedFunction {
  readonly handler: string;
  readonly isPipeline: boolean;
  readonly modules: readonly string[];
}

/**
 * All functions, loaded one after another in one process. Those that may load the fewest of Node's modules come first,
 * so that one that loads a module too many is the first to do so.
 */
const LOADED = loadInTurn([...HTTP_FUNCTIONS, ...OTHER_FUNCTIONS]);

function loadInTurn(
  names: readonly string[],
  more: Record<string, string> = {},
): ReadonlyMap<string, LoadedFunction> {
  const functions = names.map(name => ({
    name,
    folder: assetOf(name),
    variables: { ...variablesOf(name), ...more },
  }));
  const printed = execFileSync(process.execPath, ['-e', LOAD, JSON.stringify(functions)], {
    encoding: 'utf8',
    env: {},
    // An error has what was written to standard error in its message.
    stdio: 'pipe',
  });
  return new Map(JSON.parse(printed));
}

function variablesOf(name: string): Record<string, string> {
  const variables = Object.entries(FUNCTIONS.get(name)?.Properties.Environment?.Variables ?? {});
  return {
    AWS_REGION: 'eu-west-1',
    LAMBDA_TASK_ROOT: assetOf(name),
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    // A value that is known before the deployment, such as PET_SHARDS, is a string in the template.
    ...Object.fromEntries(
      variables.map(([variable, value]) => [variable, typeof value === 'string' ? value : 'value']),
    ),
  };
}

function loaded(name: string): LoadedFunction {
  const known = LOADED.get(name);
  if (!known) throw new Error(`${name} was not loaded.`);
  return known;
}

const bundleOf = (name: string) => readFileSync(join(assetOf(name), 'index.cjs'), 'utf8');

/** The files beside the code that a function serves as they are. */
const SERVED_FILES: Record<string, string> = {
  DocsGetOpenapiFunction: 'openapi.json',
  DocsGetReferenceFunction: 'reference.html',
};

test.each([...FUNCTIONS.keys()])('%s is one file, besides the files that it serves', name => {
  expect(readdirSync(assetOf(name))).toEqual([
    'index.cjs',
    ...(SERVED_FILES[name] ? [SERVED_FILES[name]] : []),
  ]);
});

/** Makes one attempt at one call, for which a request waits. */
const ASK = 'SetupAskForLookFunction';

test('a function that calls the control plane has time for three silent services, and for its tables', () => {
  const callers = [...FUNCTIONS].filter(
    ([name]) => name !== ASK && bundleOf(name).includes(CONTROL_PLANE_DEADLINE),
  );
  expect(callers.length).toBeGreaterThan(5);
  const leastSeconds = (3 * CONTROL_PLANE_DEADLINE_MS) / 1000 + 5;
  expect(callers.filter(([, { Properties }]) => Properties.Timeout < leastSeconds)).toEqual([]);
});

/** Runs every two minutes. */
const PUBLISH = 'DomainEventsPublishEventsFunction';

test('the function that publishes events alone has the client of EventBridge', () => {
  expect([...FUNCTIONS.keys()].filter(name => bundleOf(name).includes('AWSEvents'))).toEqual([PUBLISH]);
});

/** No client of the API waits for these: one has what reports are made of, the other the client of Step Functions. */
const OF_OWNERS = ['SetupShowSetupFunction', ASK];

test.each([...HTTP_FUNCTIONS, PUBLISH])('%s is small, because a cold start reads every byte', name => {
  const size = statSync(join(assetOf(name), 'index.cjs')).size;
  expect(size).toBeLessThan(OF_OWNERS.includes(name) ? 450_000 : 245_000);
});

test.each(HTTP_FUNCTIONS)(
  '%s loads neither undici, which would double the time of a cold start, nor what looks for profile files',
  name => {
    const { handler, modules } = loaded(name);
    expect(handler).toBe('function');
    expect(modules.filter(module => /undici|fs\/promises/.test(module))).toEqual([]);
  },
);

test.each([
  ['on AWS', {}, ['NativeModule tls']],
  ['where the endpoints of AWS are plain HTTP', { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }, []],
])(
  'PetsListPetsFunction loads TLS with its code, unless the endpoints of AWS are plain HTTP: %s',
  (_, variables, expected) => {
    const [alone] = loadInTurn(['PetsListPetsFunction'], variables).values();
    expect(alone?.modules.filter(module => module === 'NativeModule tls')).toEqual(expected);
  },
);

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

/** Texts of error messages, which minifying keeps: each is in one package and nowhere else. */
const LIB_DYNAMODB = 'is not compatible with the DynamoDBDocumentClient';
const UTIL_DYNAMODB = 'Pass options.removeUndefinedValues=true';

/** The hot path and the functions without a table: the HTTP operations and their authorizer. */
const WITHOUT = [
  ...operationFunctions(TEMPLATE),
  ...[...FUNCTIONS.keys()].filter(name => /^(ApiKeysAuthorize|Docs)/.test(name)),
];

describe('the document client', () => {
  test.each(WITHOUT)('is not in the bundle of %s, where every byte delays a request', name => {
    const bundle = bundleOf(name);
    expect(bundle).not.toContain(LIB_DYNAMODB);
    expect(bundle).not.toContain(UTIL_DYNAMODB);
  });

  test('is in every other function', () => {
    const having = [...FUNCTIONS.keys()].filter(name =>
      [LIB_DYNAMODB, UTIL_DYNAMODB].every(text => bundleOf(name).includes(text)),
    );
    expect([...having, ...WITHOUT].toSorted()).toEqual([...FUNCTIONS.keys()].toSorted());
  });
});
