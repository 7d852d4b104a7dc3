import { expect, test } from 'vitest';
import { requiredEndpoint } from '../../../shared/projects/default-endpoint.ts';
import type { Project } from '../../../shared/projects/project.ts';
import { NO_ROUTING } from '../../../shared/projects/routing.ts';

const API = 'abcdefghij';

const project = (id: string, changes: Partial<Project> = {}): Project => ({
  id,
  plan: 'pro',
  deploy: { state: 'succeeded', at: null, succeededAt: null },
  apiId: API,
  stage: 'test',
  createdAt: '2026-01-01T00:00:00.000Z',
  endpointWhileLive: 'closed',
  ...NO_ROUTING,
  liveDomains: [`www.${id}.example`],
  primary: `www.${id}.example`,
  ...changes,
});

test.each<[string, Project[], string | null]>([
  ['no project is published at the API', [project('zoo', { apiId: 'otherapi01' })], null],
  ['no project wants it closed', [project('zoo', { endpointWhileLive: 'open' })], null],
  [
    'one of two projects does not want it closed',
    [project('zoo'), project('shop', { endpointWhileLive: 'open' })],
    'The project shop at the same API keeps it open.',
  ],
  [
    'the primary domain of one is not live',
    [project('zoo'), project('shop', { liveDomains: ['api.shop.example'] })],
    'The project shop has no live primary domain.',
  ],
])('is open if %s', (_, projects, openBecause) => {
  expect(requiredEndpoint(projects, API)).toEqual({ state: 'open', openBecause });
});

test('is closed if every project at the API wants that and has a live primary domain', () => {
  const elsewhere = project('elsewhere', { apiId: 'otherapi01', endpointWhileLive: 'open' });
  const required = requiredEndpoint([project('zoo'), project('shop'), elsewhere], API);
  expect(required).toEqual({ state: 'closed', openBecause: null });
});
