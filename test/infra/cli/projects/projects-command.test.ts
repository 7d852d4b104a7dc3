import { describe, test } from 'vitest';
import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { refuses, startOperatorStandIn, succeeds, USER_NAME } from '../../operator/operator-stand-in.ts';
import { petstoreHere as petstore } from '../petstore-here.ts';

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
  defaultUrlReason: 'The primary domain www.example.com is live.',
  endpointUrl: 'https://a1b2c3d4e5.execute-api.us-east-1.amazonaws.com/live',
  whileLive: 'redirect',
  endpointWhileLive: 'open',
  defaultEndpoint: 'open',
  openBecause: null,
};

const SERVING = { defaultUrlState: 'serving', defaultUrlReason: null } as const;

describe.concurrent('projects', () => {
  test('0: create sends the options, and says what is missing for custom domains', async ({ expect }) => {
    const created = {
      ...SHOP,
      plan: 'free',
      deploy: { state: 'none', at: null, succeededAt: null },
      primary: null,
    };
    const operator = await startOperatorStandIn(succeeds(created));
    const options = ['--name', 'Corner Shop', '--api-id', 'a1b2c3d4e5', '--published-stage', 'live'];
    const words = ['projects', 'create', 'shop', ...options];
    const { stdout, exitCode } = await petstore(words, operator.environment);
    expect(stdout).toContain('Created project shop in staging.');
    expect(stdout).toContain('  petstore projects plan shop pro\n  petstore projects deployed shop\n');
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toEqual({
      command: 'projects.create',
      requestId: expect.any(String),
      by: USER_NAME,
      id: 'shop',
      name: 'Corner Shop',
      apiId: 'a1b2c3d4e5',
      stage: 'live',
    });
  });

  test('0: list prints the projects in the order of their ids', async ({ expect }) => {
    const other = {
      ...SHOP,
      id: 'petstore',
      url: 'https://petstore.apps.example.dev',
      deploy: { state: 'none', at: null, succeededAt: null },
    };
    const operator = await startOperatorStandIn(succeeds({ projects: [SHOP, other] }));
    const { stdout } = await petstore(['projects', 'list'], operator.environment);
    expect(stdout.trimEnd().split('\n')).toEqual([
      'ID        PLAN  LAST DEPLOY           PUBLISHED AT     URL',
      'petstore  pro   none                  a1b2c3d4e5/live  https://petstore.apps.example.dev',
      'shop      pro   succeeded 2026-01-01  a1b2c3d4e5/live  https://www.example.com',
    ]);
  });

  test('0: list and show have the display names, if there are any', async ({ expect }) => {
    const named = { ...SHOP, name: 'متجر الزاوية' };
    const list = await startOperatorStandIn(succeeds({ projects: [named, { ...SHOP, id: 'zoo' }] }));
    const { stdout } = await petstore(['projects', 'list'], list.environment);
    expect(stdout.split('\n').map(line => line.slice(0, 26))).toEqual([
      'ID    NAME          PLAN  ',
      'shop  متجر الزاوية  pro   ',
      'zoo                 pro   ',
      '',
    ]);
    const show = await startOperatorStandIn(succeeds(named));
    const shown = await petstore(['projects', 'show', 'shop'], show.environment);
    expect(shown.stdout).toContain('Project         shop\nName            متجر الزاوية\n');
  });

  test('0: show prints the domains and redirects', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(SHOP));
    const { stdout } = await petstore(['projects', 'show', 'shop'], operator.environment);
    expect(stdout).toContain('Live domains    www.example.com, example.com\n');
    expect(stdout).toContain('Redirect        example.com to www.example.com (301)\n');
    expect(operator.invocations[0]?.payload).toEqual({ command: 'projects.show', id: 'shop' });
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
  ] as const)('0: %s', async ([words, payload, said], { expect }) => {
    const operator = await startOperatorStandIn(succeeds({ ...SHOP, name: null, ...payload }));
    const run = await petstore(['projects', ...words], operator.environment);
    expect(run).toEqual({ stdout: said, stderr: '', exitCode: 0 });
    expect(operator.invocations[0]?.payload).toMatchObject(payload);
  });

  test.for([[[]], [['Corner Shop', '--clear']]])(
    '2: rename takes a name or --clear: %j',
    async ([words = []], { expect }) => {
      const { stderr, exitCode } = await petstore(['projects', 'rename', 'shop', ...words]);
      expect(stderr).toContain('Give either a name or --clear.');
      expect(exitCode).toBe(2);
    },
  );

  test('1: advises projects list for an unknown id', async ({ expect }) => {
    const operator = await startOperatorStandIn(
      refuses('project_unknown', "Project zoo doesn't exist.", 'not_found'),
    );
    const { stderr, exitCode } = await petstore(['projects', 'show', 'zoo'], operator.environment);
    expect(stderr).toBe("Error: Project zoo doesn't exist.\n  List the projects: petstore projects list\n");
    expect(exitCode).toBe(1);
  });

  test.for([
    [
      '--redirect',
      'redirect',
      {},
      'redirects to https://www.example.com. The primary domain www.example.com is live.',
    ],
    [
      '--close',
      'closed',
      { defaultUrlState: 'closed', defaultUrlReason: null },
      'is closed: it responds with 403.',
    ],
    ['--serve', 'serve', { ...SERVING, whileLive: 'serve' }, 'serves the project.'],
    ['--open', 'serve', { ...SERVING, whileLive: 'serve' }, 'serves the project.'],
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
  ] as const)('0: endpoint %s', async ([option, whileLive, changes, said], { expect }) => {
    const operator = await startOperatorStandIn(succeeds({ ...SHOP, ...changes }));
    const { stdout } = await petstore(['projects', 'endpoint', 'shop', option], operator.environment);
    expect(stdout).toBe(`${SHOP.defaultUrl} ${said}\n`);
    expect(operator.invocations[0]?.payload).toMatchObject({
      command: 'projects.endpoint',
      id: 'shop',
      whileLive,
    });
  });

  test('0: show says what the default URL does, and why the endpoint of the API is open', async ({
    expect,
  }) => {
    const shown = async (changes: object) => {
      const operator = await startOperatorStandIn(succeeds({ ...SHOP, ...changes }));
      return (await petstore(['projects', 'show', 'shop'], operator.environment)).stdout;
    };
    expect(await shown({ defaultUrlState: 'pending', defaultUrlReason: 'Not delegated.' })).toContain(
      'Default URL     https://shop.apps.example.dev (pending: Not delegated.)\n',
    );
    expect(await shown(SERVING)).toContain('Default URL     https://shop.apps.example.dev\n');
    expect(await shown({ defaultEndpoint: 'closed' })).toContain('/live (closed: responds with 403)\n');
    expect(await shown({ openBecause: 'The project zoo keeps it open.' })).toContain(
      '/live (open: The project zoo keeps it open.)\n',
    );
  });

  test.for([[[]], [['--close', '--serve']]])(
    '2: endpoint takes one choice: %j',
    async ([options = []], { expect }) => {
      const { stderr, exitCode } = await petstore(['projects', 'endpoint', 'shop', ...options]);
      expect(stderr).toContain('Choose one: --redirect, --serve or --close.');
      expect(exitCode).toBe(2);
    },
  );
});
