import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { petstoreHere } from '../infra/cli/petstore-here.ts';
import { ownStaging, type Template } from './own-staging.ts';
import { registrarOf } from './registrar.ts';

/** A service of its own, whose templates and zones the tests break: `petstore smoke` and `petstore doctor` must say so. */
const { folder, runtime, environment, deployEdited } = ownStaging();
const runningFile = join(folder, 'running.json');
beforeAll(() => {
  const { awsEndpoint, edge } = runtime();
  const baseUrls = { staging: environment().url };
  writeFileSync(runningFile, JSON.stringify({ awsEndpoint, baseUrls, edge, pid: process.pid }));
});

/** The ids of the resources of this type whose logical id matches. */
const idsOf = ({ Resources }: Template, type: string, pattern: RegExp) =>
  Object.entries(Resources).flatMap(([id, { Type }]) => (Type === type && pattern.test(id) ? [id] : []));

const petstore = (...words: string[]) =>
  petstoreHere([...words, '--local'], { PETSTORE_RUNNING_FILE: runningFile });

/** Runs the smoke checks on a broken template. */
async function smoke(breakTemplate: (template: Template) => void) {
  await deployEdited(breakTemplate);
  return petstore('smoke');
}

describe('petstore doctor', () => {
  test('0: is content with a new environment', async () => {
    const { stdout, stderr, exitCode } = await petstore('doctor');
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/^(warning|failure)/m);
    expect(stdout).toMatch(
      /^ok +operator +petstore-staging-operator responds, and has the version 1\.0\.0\+/m,
    );
    expect(stdout).toMatch(/^ok +delegation +apps\.staging\.petstore\.test leads to the zone/m);
    expect(stdout).toContain('All is well in staging on this machine.');
    expect(exitCode).toBe(0);
  });

  test('3: says which record restores the delegation of the platform domain; 0: once it is there', async () => {
    // A parent zone that delegates nothing. The resolvers still cache the name servers from before.
    const parent = await registrarOf('petstore.test', runtime().awsEndpoint);
    const { stdout, stderr, exitCode } = await petstore('doctor', '--json');
    expect([stderr, exitCode]).toEqual(['', 3]);
    const { findings, toDo } = JSON.parse(stdout);
    expect(toDo).toEqual(['delegation']);
    const { message, remedy } = findings.find(({ subject }: { subject: string }) => subject === 'delegation');
    expect(message).toContain('public resolvers see the zone petstore.test answering');
    const [, servers = ''] =
      /create an NS record at apps\.staging\.petstore\.test with the values (.+?)\. /.exec(remedy) ?? [];
    await parent.set('apps.staging.petstore.test', 'NS', ...servers.split(', '));
    parent.close();
    expect((await petstore('doctor')).exitCode).toBe(0);
  });
});

describe('petstore smoke', () => {
  test('1: names the operation whose function may not read its table', async () => {
    const { stdout, exitCode } = await smoke(template => {
      const [policy = ''] = idsOf(template, 'AWS::IAM::Policy', /^OrdersList/);
      const document = template.Resources[policy]?.Properties.PolicyDocument;
      document.Statement = document.Statement.filter((statement: { Action: unknown }) =>
        JSON.stringify(statement.Action).includes('logs:'),
      );
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^broken {3}list\w+ returns a page\n {9}GET \/store\/orders\?limit=2: expected 200, got 500 .*X-Request-Id/m,
    );
    expect(stdout).toMatch(/^ok {7}listPets returns a page$/m);
    expect(stdout).toMatch(/\nSee why with: petstore request <X-Request-Id> --local\n$/);
  });

  test('1: names the operation that API Gateway may not invoke', async () => {
    const { stdout, exitCode } = await smoke(template => {
      const ids = idsOf(template, 'AWS::Lambda::Permission', /^PublicApiv1petspetIdGET/);
      for (const id of ids) delete template.Resources[id];
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^Broken: .*\w+ does not find an unknown id/m);
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
    expect(stdout).toMatch(/^Broken: .*listPets returns a page/m);
    expect(stdout).not.toMatch(/GET \/store\/orders/);
  });

  test('1: names every response that pages in browsers cannot read', async () => {
    const parameter = 'header.Access-Control-Allow-Origin';
    const { stdout, exitCode } = await smoke(template => {
      for (const id of idsOf(template, 'AWS::ApiGateway::GatewayResponse', /^PublicApi.*THROTTLED/)) {
        delete template.Resources[id]?.Properties.ResponseParameters[`gatewayresponse.${parameter}`];
      }
      const [options = ''] = idsOf(template, 'AWS::ApiGateway::Method', /^PublicApiv1storeordersOPTIONS/);
      const [response] = template.Resources[options]?.Properties.Integration.IntegrationResponses ?? [];
      delete response.ResponseParameters[`method.response.${parameter}`];
      const [listPets = ''] = idsOf(template, 'AWS::Lambda::Function', /^PetsListPets/);
      delete template.Resources[listPets]?.Properties.Environment.Variables.BROWSER_ORIGINS;
    });
    expect(exitCode).toBe(1);
    const broken =
      stdout.match(/^broken .*\n.*(\n {10}.*)*/gm)?.map(text => text.replaceAll(/\s+/g, ' ')) ?? [];
    expect(broken).toEqual([
      expect.stringMatching(/gateway responses: THROTTLED has Access-Control-Allow-Origin absent, not '\*'/),
      expect.stringMatching(
        /a preflight permits .* OPTIONS \/store\/orders: expected the header access-control-allow/,
      ),
      expect.stringMatching(
        /pages can read every response .* GET \/pets\?limit=1: expected the header access-control/,
      ),
    ]);
  });

  test('1: names every gateway response that is missing', async () => {
    const missing = ['DEFAULT_5XX', 'THROTTLED', 'UNAUTHORIZED'];
    const { stdout, exitCode } = await smoke(template => {
      for (const id of idsOf(template, 'AWS::ApiGateway::GatewayResponse', /^PublicApi/)) {
        if (missing.includes(template.Resources[id]?.Properties.ResponseType)) delete template.Resources[id];
      }
    });
    expect(exitCode).toBe(1);
    for (const type of missing)
      expect(stdout).toMatch(new RegExp(`gateway responses: .*${type} is not customised`));
    expect(stdout).toMatch(/^broken {3}listPets refuses a request without an API key \(.*UNAUTHORIZED\)$/m);
  });
});
