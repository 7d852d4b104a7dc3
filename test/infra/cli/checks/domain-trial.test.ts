import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SmokeCheck } from '../../../../infra/cli/checks/smoke-command.ts';
import { temporaryFolder } from '../../../../infra/local/testing/temporary-folder.ts';
import { ADDED, LIVE, VERIFYING } from '../../operator/domains/domain-fixture.ts';
import { startLocalMachine } from '../../operator/domains/local-machine.ts';
import { type Answer, refuses, succeeds } from '../../operator/operator-stand-in.ts';
import { environment, failing, type Payload } from './environment-stand-in.ts';

const UNKNOWN = refuses('domain_unknown', 'There is no such domain.', 'not_found');

interface Flow {
  readonly platformDomain?: string | null;
  readonly domains?: readonly object[];
  /** What is shown of the domain once it is verified. */
  readonly verified?: object;
  readonly project?: object;
  /** Answers before all others. */
  readonly answer?: (payload: Payload) => Answer | undefined;
  readonly route53?: string;
}

/** An environment whose domains take one step with each command. */
async function flow({
  platformDomain = 'apps.petstore.dev',
  domains = [],
  verified = VERIFYING,
  project = { whileLive: 'redirect', deploy: { succeededAt: '2026-01-01T00:00:00.000Z' } },
  answer,
  route53,
}: Flow) {
  let shown: object | undefined;
  const shows = (report: object | undefined) => {
    shown = report;
    return succeeds(ADDED);
  };
  const stand = await environment(
    (request, response) =>
      request.url === '/default/v1/pets?limit=1'
        ? response.writeHead(308, { Location: 'https://www.example.com/v1/pets?limit=1' }).end()
        : failing(request, response),
    payload => {
      const first = answer?.(payload);
      if (first !== undefined) return first;
      const answers: Record<string, () => Answer> = {
        'environment.inspect': () => succeeds({ platformDomain }),
        'domains.list': () => succeeds({ domains }),
        'domains.add': () => shows(ADDED),
        'domains.verify': () => shows(verified),
        'domains.remove': () => shows(undefined),
        'domains.show': () => (shown === undefined ? UNKNOWN : succeeds(shown)),
      };
      return answers[String(payload.command)]?.();
    },
    {
      project: endpointUrl => ({
        url: 'https://www.example.com',
        defaultUrl: endpointUrl.replace('/staging', '/default'),
        defaultUrlState: 'redirecting',
        ...project,
      }),
      ...(route53 && { route53 }),
    },
  );
  const sent = () => stand.changes('domains.').map(({ command, domain }) => `${command} ${domain}`);
  return {
    sent,
    changes: stand.changes,
    async run(options = '') {
      const { stdout, ...rest } = await stand.run(` --domains --json${options}`);
      const checks: readonly SmokeCheck[] = stdout === '' ? [] : JSON.parse(stdout).checks.slice(-5);
      return { ...rest, outcomes: checks.map(({ outcome, message }) => [outcome, message]) };
    },
  };
}

describe('petstore smoke --domains', () => {
  test('tries a name beside the platform domain as far as it goes without DNS records', async () => {
    const { run, sent } = await flow({});
    const { outcomes } = await run();
    expect(outcomes).toEqual([
      ['ok', expect.stringMatching(/^petstore-smoke-[0-9a-f]{8}\.petstore\.dev$/)],
      ['ok', undefined],
      ['skipped', expect.stringContaining('managedZoneIds')],
      ['skipped', "the domain isn't live"],
      ['ok', undefined],
    ]);
    const [[, name] = []] = outcomes;
    expect(sent()).toEqual(['add', 'verify', 'remove'].map(step => `domains.${step} ${name}`));
  });

  test('takes a name in a managed zone live', async () => {
    const { zones, target } = await startLocalMachine();
    const { id } = zones.add({ name: 'petstore-pets.dev.', callerReference: '1' });
    const settings = temporaryFolder();
    writeFileSync(join(settings, 'staging.json'), JSON.stringify({ managedZoneIds: [id] }));
    const { run } = await flow({ verified: LIVE, route53: target.aws.endpoint ?? '' });
    const { outcomes } = await run(` --settings ${settings}`);
    expect(outcomes.map(([outcome]) => outcome)).toEqual(Array(5).fill('ok'));
    expect(outcomes[0]?.[1]).toMatch(/^petstore-smoke-[0-9a-f]{8}\.petstore-pets\.dev$/);
  });

  test('has its domain in a project of its own, which is created once and whose default URL redirects', async () => {
    const { run, changes } = await flow({ project: { whileLive: 'serve', deploy: { succeededAt: null } } });
    await run();
    const id = 'petstore-smoke';
    expect(changes('projects.')).toMatchObject([
      { command: 'projects.create', id, plan: 'pro' },
      { command: 'projects.deployed', id },
      { command: 'projects.endpoint', id, whileLive: 'redirect' },
    ]);
    expect(changes('domains.').map(({ project }) => project)).toEqual([id, id, id]);
  });

  test('changes nothing where there is no platform domain', async () => {
    const { run, sent } = await flow({ platformDomain: null });
    const { outcomes } = await run();
    expect(outcomes).toEqual([
      ['skipped', 'there is no platform domain'],
      ...Array(4).fill(['skipped', 'no domain was claimed']),
    ]);
    expect(sent()).toEqual([]);
  });

  test('says why a claim is refused', async () => {
    const message = 'The project petstore is on the plan free.';
    const { run, sent } = await flow({
      answer: ({ command }) => (command === 'domains.add' ? refuses('plan_required', message) : undefined),
    });
    const { outcomes } = await run();
    expect(outcomes[0]).toEqual(['broken', expect.stringContaining(message)]);
    expect(outcomes.slice(1)).toEqual(Array(4).fill(['skipped', 'no domain was claimed']));
    expect(sent().filter(line => !line.startsWith('domains.add'))).toEqual([]);
  });

  test('says why a verification has failed, and removes the domain', async () => {
    const verified = { ...ADDED, status: 'failed', message: 'A step kept failing.' };
    const { run, sent } = await flow({ verified });
    const { outcomes } = await run();
    expect(outcomes[1]).toEqual([
      'broken',
      expect.stringMatching(/: A step kept failing\. See the logs of its functions: petstore logs/),
    ]);
    expect(outcomes[2]).toEqual(['skipped', 'the previous step failed']);
    expect(outcomes[4]?.[0]).toBe('ok');
    expect(sent().at(-1)).toMatch(/^domains\.remove /);
  });

  test('removes what a run of hours ago has left, and leaves others alone', async () => {
    const left = { ...ADDED, domain: 'petstore-smoke-0123abcd.petstore.dev' };
    const recent = { addedAt: new Date().toISOString() };
    const domains = [
      left,
      ADDED,
      { ...left, domain: 'petstore-smoke-4567cdef.petstore.dev', milestones: recent },
    ];
    const { run, sent } = await flow({ domains });
    await run();
    expect(sent()[0]).toBe(`domains.remove ${left.domain}`);
    expect(sent()).toHaveLength(4);
  });

  test('130: removes the domain when it is interrupted', async () => {
    const { run, sent } = await flow({
      answer({ command }) {
        if (command !== 'domains.show') return undefined;
        setImmediate(() => process.emit('SIGINT'));
        return succeeds({ ...ADDED, records: [] });
      },
    });
    const { exitCode } = await run();
    expect(exitCode).toBe(130);
    expect(sent().at(-1)).toMatch(/^domains\.remove petstore-smoke-/);
  });
});
