import { describe, expect, test } from 'vitest';
import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { refuses, succeeds, USER_NAME } from '../../operator/operator-stand-in.ts';
import { answered, petstoreHere } from '../petstore-here.ts';

const SHOP: ProjectView = {
  id: 'shop',
  name: null,
  plan: 'pro',
  deploy: { state: 'succeeded', at: '2026-01-01T12:00:00.000Z', succeededAt: '2026-01-01T12:00:00.000Z' },
  apiId: 'a1b2c3d4e5',
  stage: 'live',
  createdAt: '2026-01-01T00:00:00.000Z',
  primary: 'www.example.com',
  redirects: [{ from: 'example.com', to: 'www.example.com', status: 301 }],
  liveDomains: ['www.example.com', 'example.com'],
  url: 'https://www.example.com',
  defaultUrl: 'https://shop.apps.example.dev',
  defaultUrlState: 'redirecting',
  defaultUrlReason: null,
  endpointUrl: 'https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com/live',
  whileLive: 'redirect',
  defaultEndpoint: 'open',
  openBecause: null,
};

const SERVING = { defaultUrlState: 'serving', defaultUrlReason: null } as const;
const NEVER_DEPLOYED = { state: 'none', at: null, succeededAt: null } as const;

describe('projects', () => {
  test('0: create sends the options, and says what is missing for custom domains', async () => {
    const created = { ...SHOP, plan: 'free', deploy: NEVER_DEPLOYED, primary: null };
    const line = 'projects create shop --name Shop --api-id a1b2c3d4e5 --published-stage live';
    const { stdout, exitCode, sent } = await answered(line, succeeds(created));
    expect(stdout).toContain('Created project shop in staging.');
    expect(stdout).toContain('  petstore projects plan shop pro\n  petstore projects deployed shop\n');
    expect(exitCode).toBe(0);
    expect(sent[0]).toEqual({
      command: 'projects.create',
      requestId: expect.any(String),
      by: USER_NAME,
      id: 'shop',
      name: 'Shop',
      apiId: 'a1b2c3d4e5',
      stage: 'live',
    });
  });

  test('0: list prints the projects in the order of their ids', async () => {
    const url = 'https://petstore.apps.example.dev';
    const other = { ...SHOP, id: 'petstore', url, deploy: NEVER_DEPLOYED };
    const { stdout } = await answered('projects list', succeeds({ projects: [SHOP, other] }));
    expect(stdout.trimEnd().split('\n')).toEqual([
      'ID        PLAN  LAST DEPLOY           PUBLISHED AT     URL',
      'petstore  pro   none                  a1b2c3d4e5/live  https://petstore.apps.example.dev',
      'shop      pro   succeeded 1 Jan 2026  a1b2c3d4e5/live  https://www.example.com',
    ]);
  });

  test('0: list and show have the display names, if there are any', async () => {
    const named = { ...SHOP, name: 'متجر الزاوية' };
    const projects = [named, { ...SHOP, id: 'zoo' }];
    const { stdout } = await answered('projects list', succeeds({ projects }));
    expect(stdout.split('\n').map(line => line.slice(0, 26))).toEqual([
      'ID    NAME          PLAN  ',
      'shop  متجر الزاوية  pro   ',
      'zoo                 pro   ',
      '',
    ]);
    const shown = await answered('projects show shop', succeeds(named));
    expect(shown.stdout).toContain('Project         shop\nName            متجر الزاوية\n');
  });

  test('0: show prints the domains and redirects', async () => {
    const { stdout, sent } = await answered('projects show shop', succeeds(SHOP));
    expect(stdout).toContain('Live domains    www.example.com, example.com\n');
    expect(stdout).toContain('Redirect        example.com to www.example.com (301)\n');
    expect(sent[0]).toEqual({ command: 'projects.show', id: 'shop' });
  });

  test.for([
    [
      ['plan', 'shop', 'pro'],
      { command: 'projects.plan', id: 'shop', plan: 'pro' },
      'Project shop is now on the pro plan in staging.\n',
    ],
    [
      ['deployed', 'shop'],
      { command: 'projects.deployed', id: 'shop' },
      'Recorded the last deploy of project shop in staging: succeeded.\n',
    ],
    [
      ['rename', 'shop', 'Corner Shop'],
      { command: 'projects.rename', id: 'shop', name: 'Corner Shop' },
      'Project shop is now called "Corner Shop" in staging.\n',
    ],
    [
      ['rename', 'shop', '--clear'],
      { command: 'projects.rename', id: 'shop', name: null },
      'Removed the display name of project shop in staging.\n',
    ],
  ] as const)('0: %s', async ([words, payload, said]) => {
    const run = await answered(['projects', ...words], succeeds({ ...SHOP, name: null, ...payload }));
    expect(run).toMatchObject({ stdout: said, stderr: '', exitCode: 0 });
    expect(run.sent[0]).toMatchObject(payload);
  });

  test.for([
    ['rename shop', 'Give either a name or --clear.'],
    ['rename shop Shop --clear', 'Give either a name or --clear.'],
    ['endpoint shop', 'Choose one: --redirect, --serve or --close.'],
    ['endpoint shop --close --serve', 'Choose one: --redirect, --serve or --close.'],
  ] as const)('2: %s is neither one choice nor the other', async ([words, said]) => {
    const { stderr, exitCode } = await petstoreHere(`projects ${words}`);
    expect(stderr).toContain(said);
    expect(exitCode).toBe(2);
  });

  test('1: advises projects list for an unknown id', async () => {
    const unknown = refuses('project_unknown', "Project zoo doesn't exist.", 'not_found');
    expect(await answered('projects show zoo', unknown)).toMatchObject({
      stderr: "Error: Project zoo doesn't exist.\n  List the projects: petstore projects list\n",
      exitCode: 1,
    });
  });

  test.for([
    ['--redirect', 'redirect', {}, 'redirects to https://www.example.com.'],
    [
      '--close',
      'closed',
      { defaultUrlState: 'closed', defaultUrlReason: null },
      'is closed: it responds with 403.',
    ],
    ['--serve', 'serve', { ...SERVING, whileLive: 'serve' }, 'serves the project.'],
    [
      '--close',
      'closed',
      { ...SERVING, whileLive: 'closed' },
      'serves the project. It will be closed once a primary domain is live.',
    ],
    [
      '--redirect',
      'redirect',
      { defaultUrlState: 'pending', defaultUrlReason: 'The certificate is outstanding.' },
      'is pending. The certificate is outstanding.',
    ],
  ] as const)('0: endpoint %s', async ([option, whileLive, changes, said]) => {
    const changed = succeeds({ ...SHOP, ...changes });
    const { stdout, sent } = await answered(`projects endpoint shop ${option}`, changed);
    expect(stdout).toBe(`${SHOP.defaultUrl} ${said}\n`);
    expect(sent[0]).toMatchObject({ command: 'projects.endpoint', id: 'shop', whileLive });
  });

  test('0: show says what the default URL does, and why the endpoint of the API is open', async () => {
    const shown = async (changes: object) =>
      (await answered('projects show shop', succeeds({ ...SHOP, ...changes }))).stdout;
    expect(await shown({ defaultUrlState: 'pending', defaultUrlReason: 'Not delegated.' })).toContain(
      'Default URL     https://shop.apps.example.dev (pending: Not delegated.)\n',
    );
    expect(await shown(SERVING)).toContain('Default URL     https://shop.apps.example.dev\n');
    expect(await shown({ defaultEndpoint: 'closed' })).toContain('/live (closed: responds with 403)\n');
    expect(await shown({ openBecause: 'The project zoo keeps it open.' })).toContain(
      '/live (open: The project zoo keeps it open.)\n',
    );
  });
});
