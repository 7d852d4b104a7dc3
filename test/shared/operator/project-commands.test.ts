import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import { NO_DEFAULT_URLS } from '../../../shared/domains/default-urls.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { projectCommands } from '../../../shared/operator/project-commands.ts';
import type { Project } from '../../../shared/projects/project.ts';
import { withoutLive } from '../../../shared/projects/routing.ts';
import { PUBLISHED } from '../domains/claimed-domain.ts';
import { someProject } from '../projects/some-project.ts';
import { asking } from './asking.ts';
import { type OperatingDomains, operatingDomains } from './domains/operating-domains.ts';
import { refusal } from './operating.ts';

describe('projects', () => {
  let world: OperatingDomains;
  beforeEach(async () => {
    world = await operatingDomains();
  });

  const NEW = {
    ...someProject({ id: 'zoo', plan: 'free', ...PUBLISHED }),
    url: 'https://zoo.apps.petstore.example',
    defaultUrl: 'https://zoo.apps.petstore.example',
    defaultUrlState: 'serving',
    defaultUrlReason: null,
    endpointUrl: 'https://abcdefghij.execute-api.us-east-1.amazonaws.com/test',
    defaultEndpoint: 'open',
    openBecause: null,
  };

  describe('projects.create', () => {
    test('adds a project on the plan free, published at this service, that was never deployed', async () => {
      expect(await world.done('projects.create', { id: 'zoo' })).toEqual(NEW);
      expect(await world.done('projects.show', { id: 'zoo' })).toEqual(NEW);
    });

    test('takes a name, another plan, API and stage', async () => {
      const fields = { id: 'park', name: 'City Park', plan: 'pro', apiId: 'otherapi01', stage: 'next' };
      expect(await world.done('projects.create', fields)).toEqual({
        ...NEW,
        ...fields,
        url: 'https://park.apps.petstore.example',
        defaultUrl: 'https://park.apps.petstore.example',
        endpointUrl: 'https://otherapi01.execute-api.us-east-1.amazonaws.com/next',
      });
    });

    test('refuses an API or stage that API Gateway does not have: conflict', async () => {
      const fields = { id: 'lost', apiId: 'nowhere001', stage: 'next' };
      expect(await world.ask('projects.create', fields)).toEqual(
        refusal(
          'conflict',
          'API Gateway has no API nowhere001 with a stage next in this account and region. Deploy it first, or check the API id and the stage.',
          'api_unknown',
        ),
      );
      expect(await world.projects.find('lost')).toBeUndefined();
    });

    test('refuses an id that is taken: conflict', async () => {
      await world.done('projects.create', { id: 'twice', plan: 'pro' });
      expect(await world.ask('projects.create', { id: 'twice' })).toEqual(
        refusal('conflict', 'Project twice already exists.', 'project_exists'),
      );
      expect(await world.done('projects.show', { id: 'twice' })).toMatchObject({ plan: 'pro' });
    });

    test.each([
      ['no id', {}, 'id_invalid', /^id is required$/],
      ['a malformed id', { id: 'The Zoo' }, 'id_invalid', /^id must be 2–63 lowercase letters/],
      [
        'an id that could be the host of a custom domain',
        { id: 'abcdef0123abcdef0123' },
        'id_invalid',
        /^id must not be 20 hexadecimal digits/,
      ],
      [
        'an id that is read as an international name',
        { id: 'xn--zoo' },
        'id_invalid',
        /^id must not have --/,
      ],
      ['an id that looks official', { id: 'mta-sts' }, 'id_invalid', /^id must not look like a name/],
      ['one with digits', { id: 'www-2' }, 'id_invalid', /^id must not look like a name/],
      ['the name of an environment', { id: 'staging' }, 'id_invalid', /^id must not look like a name/],
      ['an id that ends with a hyphen', { id: 'zoo-' }, 'id_invalid', /^id must be 2–63/],
      [
        'an unknown plan',
        { id: 'zoo', plan: 'gold' },
        'input_invalid',
        /^plan must be one of free, pro, enterprise$/,
      ],
      ['an empty name', { id: 'zoo', name: ' ' }, 'input_invalid', /^name must be 1–64 characters/],
      ['a malformed stage', { id: 'zoo', stage: 'a b' }, 'input_invalid', /^stage must be 1–128 letters/],
    ] as const)('refuses %s: invalid_request', async (_, fields, reason, message) => {
      expect(await world.ask('projects.create', fields)).toEqual(
        refusal('invalid_request', expect.stringMatching(message), reason),
      );
    });
  });

  test('the URL of a project is its primary domain while that is live', async () => {
    await world.project('named', 'www.named.example.com', 'api.named.example.com');
    const shown = await world.done('projects.show', { id: 'named' });
    expect(shown).toMatchObject({
      url: 'https://www.named.example.com',
      defaultUrl: 'https://named.apps.petstore.example',
    });
    const { projects } = await world.done('projects.list');
    expect(projects).toContainEqual(shown);
    const project = (await world.projects.find('named')) as Project;
    await transact([world.projects.routingChange(project, withoutLive(project, 'www.named.example.com'))]);
    expect(await world.done('projects.show', { id: 'named' })).toMatchObject({
      url: 'https://named.apps.petstore.example',
    });
  });

  describe('projects.rename', () => {
    beforeEach(() => world.project('called', 'called.example'));

    test('changes the name and nothing else; null removes it', async () => {
      const before = await world.done('projects.show', { id: 'called' });
      const after = await world.done('projects.rename', { id: 'called', name: 'City Zoo' });
      expect(after).toEqual({ ...before, name: 'City Zoo' });
      expect(await world.done('projects.show', { id: 'called' })).toEqual(after);
      expect(await world.done('projects.rename', { id: 'called', name: null })).toEqual(before);
      expect(await world.done('projects.show', { id: 'called' })).toEqual(before);
    });

    test.each([
      ['without white space around it', '  City Zoo\n', 'City Zoo'],
      ['composed', 'Cafe\u0301', 'Caf\u00e9'],
      ['of 64 characters, however many units they take', '🦁'.repeat(64), '🦁'.repeat(64)],
      ['in any script', 'حديقة الحيوان', 'حديقة الحيوان'],
      ['with joiners', 'باغ\u200cوحش 👩\u200d🌾', 'باغ\u200cوحش 👩\u200d🌾'],
    ])('takes a name %s', async (_, given, name) => {
      expect(await world.done('projects.rename', { id: 'called', name: given })).toMatchObject({ name });
      expect(await world.projects.find('called')).toMatchObject({ name });
    });

    test.each([
      ['no name', undefined, 'name is required'],
      ['a number', 7, 'name must be text'],
      ...[
        ['65 characters', 'x'.repeat(65)],
        ['white space', ' \t'],
        ['two lines', 'City\nZoo'],
        ['two lines by their own separator', 'City\u2028Zoo'],
        ['a control character', 'City\u0007Zoo'],
        ['a mark that reverses the text', 'City\u202eZoo'],
        ['invisible characters only', '\u200b\u200d'],
        ['a lone surrogate', 'Zoo \ud83e'],
      ].map(
        ([what = '', name]) =>
          [
            what,
            name,
            'name must be 1–64 characters on one line, in any script, without control or text-direction characters',
          ] as const,
      ),
    ] as const)('refuses %s: invalid_request', async (_, name, message) => {
      expect(await world.ask('projects.rename', { id: 'called', name })).toEqual(
        refusal('invalid_request', message, 'input_invalid'),
      );
    });
  });

  describe('projects.plan', () => {
    test('changes the plan and nothing else', async () => {
      await world.project('planned', 'planned.example');
      const before = await world.done('projects.show', { id: 'planned' });
      const after = await world.done('projects.plan', { id: 'planned', plan: 'enterprise' });
      expect(after).toEqual({ ...before, plan: 'enterprise' });
      expect(await world.done('projects.show', { id: 'planned' })).toEqual(after);
    });

    test('conflict: the plan free while the project has domains, which are named', async () => {
      await world.project('lowered', 'www.lowered.example.com');
      await world.done('domains.add', { project: 'lowered', domain: 'lowered.example.com' });
      expect(await world.ask('projects.plan', { id: 'lowered', plan: 'free' })).toEqual(
        refusal(
          'conflict',
          'Project lowered has domains: lowered.example.com, www.lowered.example.com. The free plan allows none; remove them first (domains remove).',
          'project_has_domains',
        ),
      );
      expect(await world.projects.find('lowered')).toMatchObject({ plan: 'pro' });
    });

    test('lowers the plan once the last domain is forgotten', async () => {
      await world.project('emptied');
      await world.done('domains.add', { project: 'emptied', domain: 'www.emptied.example.com' });
      await world.forget(await world.claimOf('www.emptied.example.com'));
      expect(await world.done('projects.plan', { id: 'emptied', plan: 'free' })).toMatchObject({
        plan: 'free',
      });
    });

    test('lets a domain be added or the plan be lowered, never both, when both are asked for at once', async () => {
      for (const number of [1, 2, 3]) {
        const id = `at-once-${number}`;
        const domain = `www.${id}.example.com`;
        await world.project(id);
        const replies = await Promise.all([
          world.ask('domains.add', { project: id, domain }),
          world.ask('projects.plan', { id, plan: 'free' }),
        ]);
        const project = await world.projects.find(id);
        const hasClaim = (await world.domains.find(domain, id)) !== undefined;
        expect([replies.filter(({ ok }) => ok).length, project?.plan === 'free']).toEqual([1, !hasClaim]);
      }
    });
  });

  describe('projects.deployed', () => {
    test.each([
      [{}, 'succeeded', 1000],
      [{ state: 'failed' }, 'failed', 0],
    ])('records a deploy, and keeps the time of the last success: %j', async (fields, state, successMs) => {
      const id = `deployed-${state}`;
      await world.project(id);
      const startMs = world.nowMs;
      const timeAt = (ms: number) => new Date(startMs + ms).toISOString();
      world.nowMs += 1000;
      const deploy = { state, at: timeAt(1000), succeededAt: timeAt(successMs) };
      expect(await world.done('projects.deployed', { id, ...fields })).toMatchObject({ deploy });
      expect(await world.done('projects.show', { id })).toMatchObject({ deploy });
    });
  });

  test.each([
    ['projects.show', {}],
    ['projects.rename', { name: 'Zoo' }],
    ['projects.plan', { plan: 'pro' }],
    ['projects.deployed', {}],
    ['projects.endpoint', { whileLive: 'closed' }],
  ])('not_found: %s refuses an unknown project', async (command, fields) => {
    expect(await world.ask(command, { id: 'nowhere', ...fields })).toEqual(
      refusal('not_found', "Project nowhere doesn't exist.", 'project_unknown'),
    );
    expect(await world.projects.find('nowhere')).toBeUndefined();
  });
});

describe('projects.endpoint', () => {
  let world: OperatingDomains;
  beforeEach(async () => {
    world = await operatingDomains();
  });
  test('closes the endpoint of the API once every project at the API has a live primary domain and wants it', async () => {
    await world.project('zoo', 'www.zoo.example.com');
    const close = (id: string) => world.done('projects.endpoint', { id, whileLive: 'closed' });
    expect(await close('zoo')).toMatchObject({ whileLive: 'closed', defaultEndpoint: 'closed' });
    expect(world.endpoint.follow).toHaveBeenCalledWith({ isAlways: true });

    await world.project('shop');
    expect(await world.done('projects.show', { id: 'zoo' })).toMatchObject({
      defaultEndpoint: 'open',
      openBecause: 'Project shop at the same API keeps it open.',
    });
    expect(await close('shop')).toMatchObject({
      defaultEndpoint: 'open',
      openBecause: 'Project shop has no live primary domain.',
    });
    expect(await world.done('projects.endpoint', { id: 'zoo', whileLive: 'redirect' })).toMatchObject({
      whileLive: 'redirect',
      defaultEndpoint: 'open',
      openBecause: null,
    });
  });

  test('returns what the default URL does once it has followed the change', async () => {
    await world.project('zoo');
    world.defaultUrls.state = 'redirecting';
    world.defaultUrls.follow.mockImplementationOnce(async () => {
      world.defaultUrls.state = 'serving';
      return [];
    });
    expect(await world.done('projects.endpoint', { id: 'zoo', whileLive: 'serve' })).toMatchObject({
      whileLive: 'serve',
      defaultUrlState: 'serving',
    });
  });

  const ELSEWHERE = { id: 'park', plan: 'pro', apiId: 'otherapi01', stage: 'next' };

  test('closes the default URL of a project at another API, whose endpoint stays open', async () => {
    await world.done('projects.create', ELSEWHERE);
    expect(await world.done('projects.endpoint', { id: 'park', whileLive: 'closed' })).toMatchObject({
      whileLive: 'closed',
      defaultEndpoint: 'open',
    });
  });

  test('without a platform domain, refuses to close the API of others; the default URL is the endpoint', async () => {
    const { parts } = world;
    await world.done('projects.create', ELSEWHERE);
    const commands = projectCommands({
      ...parts,
      platformDomain: undefined,
      defaultUrls: NO_DEFAULT_URLS,
      published: PUBLISHED,
      endpoint: world.endpoint,
    });
    const { done, ask } = asking(operator(commands, world.audit, parts.clock.now));
    expect(await ask('projects.endpoint', { id: 'park', whileLive: 'closed' })).toEqual(
      refusal(
        'conflict',
        "Project park is published at API otherapi01. Without a platform domain, only the default endpoint of this service's own API, abcdefghij, can be closed.",
        'endpoint_not_own',
      ),
    );
    const defaultUrl = 'https://abcdefghij.execute-api.us-east-1.amazonaws.com/test';
    await world.project('lone', 'www.lone.example.com');
    expect(await done('projects.show', { id: 'lone' })).toMatchObject({
      url: 'https://www.lone.example.com',
      defaultUrl,
      defaultUrlState: 'serving',
      defaultUrlReason:
        "Without a platform domain it can't redirect, so it serves the project alongside the primary domain.",
    });
  });

  test('refuses another state', async () => {
    const other = await world.ask('projects.endpoint', { id: 'zoo', whileLive: 'ajar' });
    expect(other).toMatchObject({ ok: false, error: { reason: 'input_invalid' } });
  });

  test('domains.remove opens the default endpoint, and maps default URLs, before the traffic to the domain stops', async () => {
    await world.project('farm', 'www.farm.example.com');
    world.calls.length = 0;
    let callsBefore: number | undefined;
    world.endpoint.follow.mockImplementationOnce(async () => {
      callsBefore = world.calls.length;
      return ['The default endpoint could not be opened.'];
    });
    world.defaultUrls.follow.mockImplementationOnce(async () => {
      expect(world.calls.length).toBe(0);
      return ['The default URL could not be changed.'];
    });
    const reply = await world.ask('domains.remove', { project: 'farm', domain: 'www.farm.example.com' });
    expect(callsBefore).toBe(0);
    expect(world.calls.length).toBeGreaterThan(0);
    expect(reply).toMatchObject({
      ok: true,
      warnings: ['The default endpoint could not be opened.', 'The default URL could not be changed.'],
    });
  });
});
