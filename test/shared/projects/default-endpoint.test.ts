import { describe, expect, test, vi } from 'vitest';
import { API_ID } from '../../../infra/local/test/apigateway/served-api.ts';
import { serveControlPlane } from '../../../infra/local/test/apigateway-control/served-control-plane.ts';
import { defaultEndpoint, requiredEndpoint } from '../../../shared/projects/default-endpoint.ts';
import type { Project } from '../../../shared/projects/project.ts';
import { NO_ROUTING } from '../../../shared/projects/routing.ts';
import { stubEndpoint } from '../domains/aws/client-endpoint.ts';

const STAGE = 'test';

/** A project whose primary domain is live, and that wants the default endpoint closed. */
const closing = {
  id: 'zoo',
  apiId: API_ID,
  whileLive: 'closed',
  liveDomains: ['www.zoo.example'],
  primary: 'www.zoo.example',
  redirects: [],
} as unknown as Project;
const opening: Project = { ...closing, whileLive: 'redirect' };

/** The default endpoint of the local API Gateway, as these projects ask for it. */
async function endpointOf(project: Project) {
  const gateway = await serveControlPlane();
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  const world = { project, nowMs: 0 };
  const now = () => {
    world.nowMs += 1000;
    return world.nowMs;
  };
  const projects = { list: vi.fn(async () => [world.project]) };
  const endpoint = defaultEndpoint({ projects, apiId: API_ID, stage: STAGE, now });
  /** The status that the default endpoint responds with. */
  const status = async () => (await gateway.served.send(`/${STAGE}/pets/7`)).status;
  return { gateway, endpoint, world, projects, status };
}

/** The stage has no authorizer token in these requests, so an open endpoint responds with 401. */
const OPEN = 401;
const CLOSED = 403;

describe('reconcile', () => {
  test('closes the default endpoint, and opens it again', async () => {
    const { endpoint, world, status } = await endpointOf(closing);
    expect(await status()).toBe(OPEN);
    await endpoint.reconcile();
    expect(await status()).toBe(CLOSED);
    world.project = { ...closing, liveDomains: [] };
    await endpoint.reconcile();
    expect(await status()).toBe(OPEN);
  });

  test('changes nothing at an endpoint that is as the projects ask for', async () => {
    const { endpoint, gateway } = await endpointOf(opening);
    await endpoint.reconcile();
    expect(gateway.restApiSettings.of(API_ID).stageDescriptions).toEqual({});
  });

  test('finishes a change that ended before the update of the stage', async () => {
    const { endpoint, gateway, status } = await endpointOf(closing);
    gateway.restApiSettings.setDisableExecuteApiEndpoint(API_ID, true);
    expect(await status()).toBe(OPEN);
    await endpoint.reconcile();
    expect(await status()).toBe(CLOSED);
  });

  test('undoes a change that ended before the update of the stage, also if another update has applied it', async () => {
    const { endpoint, gateway, world, status } = await endpointOf(closing);
    await endpoint.reconcile();
    world.project = opening;
    await endpoint.reconcile();
    gateway.restApiSettings.setDisableExecuteApiEndpoint(API_ID, true);
    gateway.restApiSettings.describeStage(API_ID, STAGE, 'a deploy of somebody');
    expect(await status()).toBe(CLOSED);
    await endpoint.reconcile();
    expect(await status()).toBe(OPEN);
  });

  test('leaves an API that is being updated to the next run', async () => {
    const { endpoint, gateway, status } = await endpointOf(closing);
    gateway.restApiSettings.updating.add(API_ID);
    expect(await endpoint.reconcile()).toBe(false);
    expect(await endpoint.follow()).toEqual([expect.stringContaining("couldn't be opened or closed yet")]);
    gateway.restApiSettings.updating.clear();
    expect(await endpoint.reconcile()).toBe(true);
    expect(await status()).toBe(CLOSED);
  });

  test('follows a project that changes while the endpoint is changed', async () => {
    const { endpoint, projects, world, status } = await endpointOf(closing);
    projects.list.mockImplementationOnce(async () => {
      world.project = opening;
      return [closing];
    });
    await endpoint.reconcile();
    expect(await status()).toBe(OPEN);
  });
});

describe('follow', () => {
  test('asks API Gateway nothing when no project wants the endpoint closed', async () => {
    const { endpoint, gateway } = await endpointOf(opening);
    gateway.restApiSettings.setDisableExecuteApiEndpoint(API_ID, true);
    expect(await endpoint.follow()).toEqual([]);
    expect(gateway.restApiSettings.of(API_ID).disableExecuteApiEndpoint).toBe(true);
    expect(await endpoint.follow({ isAlways: true })).toEqual([]);
    expect(gateway.restApiSettings.of(API_ID).disableExecuteApiEndpoint).toBe(false);
  });

  test('returns a warning when the endpoint could not be changed', async () => {
    const { projects } = await endpointOf(closing);
    const elsewhere = defaultEndpoint({ projects, apiId: API_ID, stage: 'elsewhere' });
    expect(await elsewhere.follow({ isAlways: true })).toEqual([
      "The default endpoint couldn't be opened or closed yet. It will be retried within minutes.",
    ]);
  });
});

describe('requiredEndpoint', () => {
  const API = 'abcdefghij';

  const project = (id: string, changes: Partial<Project> = {}): Project => ({
    id,
    name: null,
    plan: 'pro',
    deploy: { state: 'succeeded', at: null, succeededAt: null },
    apiId: API,
    stage: 'test',
    createdAt: '2026-01-01T00:00:00.000Z',
    whileLive: 'closed',
    ...NO_ROUTING,
    liveDomains: [`www.${id}.example`],
    primary: `www.${id}.example`,
    ...changes,
  });

  test.each<[string, Project[], string | null]>([
    ['no project is published at the API', [project('zoo', { apiId: 'otherapi01' })], null],
    ['no project wants it closed', [project('zoo', { whileLive: 'redirect' })], null],
    [
      'one of two projects does not want it closed',
      [project('zoo'), project('shop', { whileLive: 'redirect' })],
      'Project shop at the same API keeps it open.',
    ],
    [
      'the primary domain of one is not live',
      [project('zoo'), project('shop', { liveDomains: ['api.shop.example'] })],
      'Project shop has no live primary domain.',
    ],
  ])('is open if %s', (_, projects, openBecause) => {
    expect(requiredEndpoint(projects, API)).toEqual({ state: 'open', openBecause });
  });

  test('is closed if every project at the API wants that and has a live primary domain', () => {
    const elsewhere = project('elsewhere', { apiId: 'otherapi01', whileLive: 'redirect' });
    const required = requiredEndpoint([project('zoo'), project('shop'), elsewhere], API);
    expect(required).toEqual({ state: 'closed', openBecause: null });
  });
});
