import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { petstoreHere } from '../infra/cli/petstore-here.ts';
import { registrarOf } from './domain-commands.ts';
import { ownStaging, type Template } from './own-staging.ts';

/** A service of its own, whose templates and zones the tests break: `petstore smoke` and `petstore doctor` must say so. */
const { folder, runtime, environment, deployEdited } = ownStaging();
const runningFile = join(folder, 'running.json');
beforeAll(() => {
  const { awsEndpoint, awsCredentials, edge } = runtime();
  const baseUrls = { staging: environment().url };
  writeFileSync(
    runningFile,
    JSON.stringify({ awsEndpoint, awsCredentials, baseUrls, edge, pid: process.pid }),
  );
});

/** The ids of the resources of this type whose logical id matches. */
const idsOf = ({ Resources }: Template, type: string, pattern: RegExp) =>
  Object.entries(Resources).flatMap(([id, { Type }]) => (Type === type && pattern.test(id) ? [id] : []));

const petstore = (...words: string[]) =>
  petstoreHere([...words, '--local'], { PETSTORE_RUNNING_FILE: runningFile });

/** Runs the smoke checks on a broken template. */
async function smoke(breakTemplate: (template: Template) => void, ...options: string[]) {
  await deployEdited(breakTemplate);
  const { stdout, ...run } = await petstore('smoke', ...options);
  // Each line is one check that is broken, with what was seen.
  const broken =
    stdout
      .match(/^broken .*(\n {9}.*)*/gm)
      ?.map(text => text.replaceAll(/\s+/g, ' ').slice('broken '.length)) ?? [];
  return { ...run, stdout, broken };
}

/** Removes the statements of a function's policies that match. */
function withoutGrants(template: Template, policy: RegExp, granted: RegExp): void {
  for (const id of idsOf(template, 'AWS::IAM::Policy', policy)) {
    const document = template.Resources[id]?.Properties.PolicyDocument;
    document.Statement = document.Statement.filter(
      (statement: object) => !granted.test(JSON.stringify(statement)),
    );
  }
}

describe('petstore doctor', () => {
  test('0: is content with a new environment', async () => {
    const { stdout, stderr, exitCode } = await petstore('doctor');
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/^(warning|failure)/m);
    expect(stdout).toMatch(
      /^ok +operator +petstore-staging-checks responds, and runs this checkout's version, 1\.\d+\.\d+\+/m,
    );
    expect(stdout).toMatch(/^ok +delegation +apps\.staging\.petstore\.test is delegated to/m);
    expect(stdout).toMatch(/\d+ subjects of \d+ checked in staging on this machine: no problems found\./);
    expect(exitCode).toBe(0);
  });

  test('3: says which record restores the delegation of the platform domain; 0: once it is there', async () => {
    // A parent zone that delegates nothing. The resolvers still cache the name servers from before.
    const parent = await registrarOf('petstore.test', runtime());
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
  test('1: names operations: without a grant for the table, without that of API Gateway, without the authorizer', async () => {
    const { stdout, exitCode } = await smoke(template => {
      withoutGrants(template, /^OrdersList/, /dynamodb:/);
      withoutGrants(template, /^PetsCreatePet/, /PetsTable/);
      const ids = idsOf(template, 'AWS::Lambda::Permission', /^PublicApiv1petspetIdGET/);
      for (const id of ids) delete template.Resources[id];
      const [method = ''] = idsOf(template, 'AWS::ApiGateway::Method', /^PublicApiv1petsGET/);
      const properties = template.Resources[method]?.Properties ?? {};
      properties.AuthorizationType = 'NONE';
      properties.ApiKeyRequired = false;
      delete properties.AuthorizerId;
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^broken {3}list\w+ returns a page\n {9}GET \/store\/orders\?limit=2: expected 200, got 500 .*X-Request-Id/m,
    );
    // The one check of a write that production gets, too.
    expect(stdout).toMatch(/^broken {3}createPet reaches its tables, .*\n.*expected 422 .*, got 5\d\d /m);
    expect(stdout).toMatch(/^broken {3}getPet returns 404 for an unknown id/m);
    expect(stdout).toMatch(/^broken {3}listPets returns a page/m);
    expect(stdout).toMatch(/^ok {7}createPet refuses a request without an API key/m);
    expect(stdout).toMatch(/\nSee why with: petstore request <X-Request-Id> --local\n$/);
  });

  test('1: names every response that pages in browsers cannot read', async () => {
    const parameter = 'header.Access-Control-Allow-Origin';
    const { broken, exitCode } = await smoke(template => {
      for (const id of idsOf(template, 'AWS::ApiGateway::GatewayResponse', /^PublicApi.*THROTTLED/)) {
        delete template.Resources[id]?.Properties.ResponseParameters[`gatewayresponse.${parameter}`];
      }
      const [unrouted = ''] = idsOf(template, 'AWS::ApiGateway::Method', /^PublicApiv1storeordersANY/);
      const [response] = template.Resources[unrouted]?.Properties.Integration.IntegrationResponses ?? [];
      delete response.ResponseParameters[`method.response.${parameter}`];
      const [listPets = ''] = idsOf(template, 'AWS::Lambda::Function', /^PetsListPets/);
      delete template.Resources[listPets]?.Properties.Environment.Variables.BROWSER_ORIGINS;
    });
    expect(exitCode).toBe(1);
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

  test('1: names missing gateway responses and media types, a cache that is too long, and an unreadable index', async () => {
    const types: string[] = [];
    const { broken, stdout, exitCode } = await smoke(template => {
      for (const id of idsOf(template, 'AWS::ApiGateway::GatewayResponse', /^PublicApi/)) {
        types.push(template.Resources[id]?.Properties.ResponseType);
        delete template.Resources[id];
      }
      const [api = ''] = idsOf(template, 'AWS::ApiGateway::RestApi', /^PublicApi/);
      delete template.Resources[api]?.Properties.BinaryMediaTypes;
      const [authorizer = ''] = idsOf(template, 'AWS::ApiGateway::Authorizer', /^PublicApi/);
      Object.assign(template.Resources[authorizer]?.Properties ?? {}, { AuthorizerResultTtlInSeconds: 3600 });
      for (const id of idsOf(template, 'AWS::IAM::Policy', /^PetsListPets/)) {
        const { Statement } = template.Resources[id]?.Properties.PolicyDocument ?? {};
        for (const statement of Statement) {
          statement.Resource = [statement.Resource]
            .flat()
            .filter(resource => !JSON.stringify(resource).includes('/index/'));
        }
      }
    });
    expect(exitCode).toBe(1);
    expect(types.length).toBeGreaterThanOrEqual(17);
    for (const type of types)
      expect(stdout).toMatch(new RegExp(`gateway responses: .*${type} isn't customized`));
    expect(stdout).toMatch(/^broken {3}listPets refuses a request without an API key \(.*UNAUTHORIZED\)$/m);
    for (const expected of [
      /^listPets returns the same with gzip .* is binaryMediaTypes missing from the REST API\?$/,
      /authorizer caches its decisions for 3600 s/,
      /^listPets filters by status GET .*: expected 200, got 500 .* not authorized to perform: dynamodb:Query on resource: \S+\/index\/byStatus/,
    ]) {
      expect(broken).toContainEqual(expect.stringMatching(expected));
    }
  });

  test('1: says that operations throttle the requests, how long it waited, and at which rate', async () => {
    const { broken, stdout, stderr, exitCode } = await smoke(template => {
      for (const id of idsOf(template, 'AWS::ApiGateway::Stage', /^PublicApi/)) {
        for (const settings of template.Resources[id]?.Properties.MethodSettings ?? [])
          Object.assign(settings, { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 });
      }
    });
    expect(exitCode).toBe(1);
    expect(broken).toContainEqual(
      expect.stringMatching(
        /^the requests of one client are not throttled \d+ of \d+ responses were 429, and requests waited \d+ s .* The throttle of an operation is 1 per second/,
      ),
    );
    expect(stdout).toMatch(/^skipped {2}.*: the environment is throttling requests$/m);
    expect(stderr).toContain('Throttled: waiting 1 s …');
  });
});

describe('petstore smoke --domains', () => {
  test('1: says that only the root of a redirecting host redirects', async () => {
    const { broken } = await smoke(template => {
      // Default URLs follow their projects on a schedule.
      for (const id of idsOf(template, 'AWS::Events::Rule', /^ProjectsEveryFewMinutes/)) {
        Object.assign(template.Resources[id]?.Properties ?? {}, { State: 'ENABLED' });
      }
      for (const id of Object.keys(template.Resources)) {
        if (/^RedirectsApiproxy/.test(id)) delete template.Resources[id];
      }
      for (const each of Object.values(template.Resources)) {
        const { DependsOn } = each as { DependsOn?: string[] };
        if (DependsOn) Object.assign(each, { DependsOn: DependsOn.filter(id => id in template.Resources) });
      }
    }, '--domains');
    expect(broken).toEqual([
      expect.stringMatching(
        /^the default URL of a project redirects .* GET https:\/\/petstore-smoke\.\S+\/v1\/pets\?limit=1: expected 308, got 4\d\d/,
      ),
    ]);
  });

  test('1: names the permissions that functions of the flow lack', async () => {
    const { broken, exitCode } = await smoke(template => {
      withoutGrants(template, /^DomainFlowTendDomain/, /acm:|route53:/);
    }, '--domains');
    expect(broken).toEqual([
      expect.stringMatching(
        /^verification checks the DNS records of a custom domain function domain-flow-tend-domain lacks a permission: .* not authorized to perform: acm:DescribeCertificate/,
      ),
      expect.stringMatching(
        /^removing a .* function domain-flow-tend-domain lacks a permission: .* not authorized to perform: route53:/,
      ),
    ]);
    expect(exitCode).toBe(1);
  });
});

describe('petstore accept', () => {
  test('0: reports what one machine decides, and leaves nothing behind', async () => {
    await deployEdited(() => {});
    const { stdout, stderr, exitCode } = await petstore('accept');
    expect(stdout).toMatch(/^# Acceptance of staging on one machine\n\n12 steps: 8 ok, 4 skipped\.\n/);
    expect(stdout).toMatch(/^\| key-spread \| ok \| .* \| a new key works within \d+ ms, a revoked one is/m);
    expect(stdout).toMatch(/^- GetApiKeys: tags \{"petstore:environment":"staging","petstore:key":"key_/m);
    expect(stdout).toMatch(/^- POST \/no-such-path: 404 for .*, image\/png \(bytes\)$/m);
    expect(stdout).toMatch(/^- GET \/docs: 413 for 5 MB, 9\.9 MB$/m);
    expect(stdout).toMatch(/^- GET \/pets\/\/1: an empty segment has no match \(404\)$/m);
    expect(stdout).toMatch(/^- HEAD \/openapi.json: the Content-Length of a body .* is none \(200\)$/m);
    expect(stdout).toMatch(/ \| live, responding over HTTPS, then removed: subdomain, delegated, apex \|$/m);
    expect(stdout).toMatch(/^- delegated www\.dev\.petstore-accept-\w+\.com\n( {2}- ok after .*\n){5}/m);
    expect(stdout).toMatch(/^\| attach-role \| skipped \| {2}\| needs AWS \|$/m);
    expect(stderr).toContain('[8/12] domains: ');
    expect(exitCode).toBe(0);
    expect((await petstore('domains', 'list', '--json')).stdout).not.toContain('petstore-accept');
    expect((await petstore('dns', 'list')).stdout).not.toContain('petstore-accept');
    expect((await petstore('keys', 'list')).stdout).not.toContain('petstore smoke');
  });

  test('1: names the step that failed, and goes on; --teardown empties the environment', async () => {
    await deployEdited(template => {
      for (const id of idsOf(template, 'AWS::ApiGateway::Method', /^PublicApi.*proxy.*ANY/)) {
        delete template.Resources[id]?.Properties.Integration.RequestTemplates['image/png'];
      }
    });
    const only = ['--only', 'media-types,teardown', '--teardown', '--yes'];
    const { stdout, exitCode } = await petstore('accept', ...only);
    expect(stdout).toMatch(
      /^\| media-types \| \*\*failed\*\* \| .* \| 32 of 33 responses are as documented \|$/m,
    );
    expect(stdout).toMatch(/^- broken: image\/png \(bytes\): POST \/no-such-path: expected 404, got 415/m);
    expect(stdout).toMatch(
      /^\| teardown \| ok \| .* \| nothing is left that keeps the stack from being deleted \|$/m,
    );
    expect(exitCode).toBe(1);
  });
});
