import { describe, expect, test, vi } from 'vitest';
import { API_ID } from '../../../infra/local/testing/served-api.ts';
import { serveControlPlane } from '../../../infra/local/testing/served-control-plane.ts';
import { defaultEndpoint, requiredEndpoint } from '../../../shared/projects/default-endpoint.ts';
import type { Project } from '../../../shared/projects/project.ts';
import { stubEndpoint } from '../domains/aws/client-endpoint.ts';

const OTHER_API = 'otherapi01';

describe('the default endpoint', () => {
  const stage = 'test';
  /** A project whose primary domain is live, and that wants the default endpoint closed. */
  const closing = (id: string, changes: Partial<Project> = {}) => {
    const primary = `www.${id}.example`;
    const fields = { id, apiId: API_ID, whileLive: 'closed', liveDomains: [primary], primary, redirects: [] };
    return { ...fields, ...changes } as unknown as Project;
  };
  const opening = (id: string) => closing(id, { whileLive: 'redirect' });

  /** The default endpoint of the local API Gateway, as a project asks for it. */
  async function endpointOf(project: Project) {
    const gateway = await serveControlPlane();
    stubEndpoint('API_GATEWAY', gateway.endpoint);
    const world = { project };
    const list = vi.fn(async () => [world.project]);
    const endpoint = defaultEndpoint({ projects: { list }, apiId: API_ID, stage });
    const settings = gateway.restApiSettings;
    return Object.assign(world, {
      ...endpoint,
      list,
      settings,
      description: () => settings.of(API_ID).stageDescriptions[stage],
      /** The status of a request without a key. */
      status: async () => (await gateway.served.send(`/${stage}/pets/7`)).status,
    });
  }
  const OPEN = 401;
  const CLOSED = 403;

  test('is closed and opened again, and left alone while it is as the projects ask for', async () => {
    const world = await endpointOf(opening('zoo'));
    expect(await world.reconcile()).toBe(true);
    expect([await world.status(), world.description()]).toEqual([OPEN, undefined]);
    world.project = closing('zoo');
    await world.reconcile();
    const described = world.description();
    await world.reconcile();
    expect([await world.status(), world.description()]).toEqual([CLOSED, described]);
    world.project = closing('zoo', { liveDomains: [] });
    await world.reconcile();
    expect(await world.status()).toBe(OPEN);
  });

  test.each([
    ['ended before the update of the stage', undefined],
    ['another update has applied', 'a deploy of somebody'],
  ])('is made as the project asks if a change %s', async (_, description) => {
    for (const [project, status] of [[closing('zoo'), CLOSED] as const, [opening('zoo'), OPEN] as const]) {
      const world = await endpointOf(project);
      world.settings.setDisableExecuteApiEndpoint(API_ID, true);
      if (description) world.settings.describeStage(API_ID, stage, description);
      await world.reconcile();
      expect(await world.status()).toBe(status);
      const state = status === CLOSED ? 'closed' : 'open';
      expect(world.description()).toMatch(new RegExp(`^defaultEndpoint=${state}&sinceMs=\\d+$`));
    }
  });

  test('is left to the next run while API Gateway updates the API; follow warns of it, and of errors', async () => {
    const world = await endpointOf(closing('zoo'));
    const warning =
      "The default endpoint couldn't be opened or closed yet. It will be retried within minutes.";
    world.settings.updating.add(API_ID);
    expect(await world.reconcile()).toBe(false);
    expect(await world.follow()).toEqual([warning]);
    world.settings.updating.clear();
    expect(await world.follow()).toEqual([]);
    expect(await world.status()).toBe(CLOSED);
    const elsewhere = defaultEndpoint({ projects: world, apiId: API_ID, stage: 'elsewhere' });
    expect(await elsewhere.follow()).toEqual([warning]);
  });

  test('follows a project that changes while the endpoint is changed', async () => {
    const world = await endpointOf(opening('zoo'));
    world.list.mockImplementationOnce(async () => [closing('zoo')]);
    await world.reconcile();
    expect([await world.status(), world.description()]).toEqual([OPEN, expect.stringContaining('=open&')]);
  });

  test('follow asks API Gateway nothing when no project wants the endpoint closed', async () => {
    const world = await endpointOf(opening('zoo'));
    world.settings.setDisableExecuteApiEndpoint(API_ID, true);
    expect(await world.follow()).toEqual([]);
    expect(world.settings.of(API_ID).disableExecuteApiEndpoint).toBe(true);
    expect(await world.follow({ isAlways: true })).toEqual([]);
    expect(world.settings.of(API_ID).disableExecuteApiEndpoint).toBe(false);
  });

  const elsewhere = { apiId: OTHER_API, whileLive: 'redirect' } as const;
  test.each<['open' | 'closed', string, Project[], string | null]>([
    ['open', 'no project is published at the API', [closing('zoo', { apiId: OTHER_API })], null],
    ['open', 'no project wants it closed', [opening('zoo')], null],
    [
      'open',
      'one of two projects does not want it closed',
      [closing('zoo'), opening('shop')],
      'Project shop at the same API keeps it open.',
    ],
    [
      'open',
      'the primary domain of one is not live',
      [closing('zoo'), closing('shop', { liveDomains: ['api.shop.example'] })],
      'Project shop has no live primary domain.',
    ],
    [
      'closed',
      'every project at the API wants that and has a live primary domain',
      [closing('zoo'), closing('shop'), closing('park', elsewhere)],
      null,
    ],
  ])('is to be %s if %s', (state, _, projects, openBecause) => {
    expect(requiredEndpoint(projects, API_ID)).toEqual({ state, openBecause });
  });
});
