import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Runtime, startRuntime } from '../../infra/local/runtime.ts';
import { petstoreHere } from '../infra/cli/petstore-here.ts';
import { requireWithinModels } from './running-service.ts';

/** Each test deploys a template with a fault, and expects the smoke checks to name it. */
const folder = mkdtempSync(join(tmpdir(), 'petstore-mutants-'));
const runningFile = join(folder, 'running.json');
let runtime: Runtime;

beforeAll(async () => {
  runtime = await startRuntime({
    assembly: inject('assembly'),
    port: 0,
    dynamoDbEndpoint: inject('dynamoDbEndpoint'),
    // A new key is known at once.
    waitScale: 0,
    // The functions of mutants fail.
    report: requireWithinModels,
  });
  const { awsEndpoint, edge, origin } = runtime;
  const baseUrls = { staging: `${origin}/staging/v1` };
  writeFileSync(runningFile, JSON.stringify({ awsEndpoint, baseUrls, edge, pid: process.pid }));
});
afterAll(async () => {
  await runtime.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Template {
  // biome-ignore lint/suspicious/noExplicitAny: a test reaches into properties that it knows.
  readonly Resources: Record<string, { Type: string; Properties: Record<string, any> }>;
}

/** The ids of the resources of this type whose logical id matches. */
const idsOf = ({ Resources }: Template, type: string, pattern: RegExp) =>
  Object.entries(Resources).flatMap(([id, { Type }]) => (Type === type && pattern.test(id) ? [id] : []));

async function smoke(mutate: (template: Template) => void) {
  const assembly = mkdtempSync(join(folder, 'assembly-'));
  cpSync(inject('assembly'), assembly, { recursive: true });
  const file = join(assembly, 'Petstore-Staging.template.json');
  const template: Template = JSON.parse(readFileSync(file, 'utf8'));
  mutate(template);
  writeFileSync(file, JSON.stringify(template));
  await runtime.deploy(assembly);
  return petstoreHere(['smoke', '--local'], { PETSTORE_RUNNING_FILE: runningFile });
}

function remove(template: Template, type: string, pattern: RegExp): void {
  const ids = idsOf(template, type, pattern);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) delete template.Resources[id];
}

test('1: names the operation whose function may not read its table', async () => {
  const { stdout, exitCode } = await smoke(template => {
    const [policy = ''] = idsOf(template, 'AWS::IAM::Policy', /^OrdersListOrders/);
    const document = template.Resources[policy]?.Properties.PolicyDocument;
    document.Statement = document.Statement.filter((statement: { Action: unknown }) =>
      JSON.stringify(statement.Action).includes('logs:'),
    );
  });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /^broken {3}listOrders lists orders\n {9}GET \/store\/orders\?limit=2: expected 200, got 500 .*X-Request-Id/m,
  );
  expect(stdout).toMatch(/^ok {7}listPets lists animals$/m);
});

test('1: names the operation that API Gateway may not invoke', async () => {
  const { stdout, exitCode } = await smoke(template =>
    remove(template, 'AWS::Lambda::Permission', /^PublicApiv1petspetIdGET/),
  );
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^Broken: .*getPet does not find an id that no animal has/m);
  expect(stdout).not.toMatch(/^broken {3}listPets/m);
});

test('1: names the operation that has lost its authorizer', async () => {
  const { stdout, exitCode } = await smoke(template => {
    const [method = ''] = idsOf(template, 'AWS::ApiGateway::Method', /^PublicApiv1petsGET/);
    const properties = template.Resources[method]?.Properties ?? {};
    properties.AuthorizationType = 'NONE';
    properties.ApiKeyRequired = false;
    delete properties.AuthorizerId;
  });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^Broken: .*listPets lists animals/m);
  expect(stdout).not.toMatch(/^broken {3}listOrders/m);
});

test.each(['UNAUTHORIZED', 'THROTTLED', 'DEFAULT_5XX'])(
  '1: names the gateway response %s when it is missing',
  async type => {
    const { stdout, exitCode } = await smoke(template => {
      const api = idsOf(template, 'AWS::ApiGateway::GatewayResponse', /^PublicApi/);
      const [id = ''] = api.filter(each => template.Resources[each]?.Properties.ResponseType === type);
      expect(template.Resources[id]).toBeDefined();
      delete template.Resources[id];
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`gateway responses: ${type} is not customised`));
  },
);
