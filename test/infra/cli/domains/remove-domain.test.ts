import { describe, expect, test } from 'vitest';
import { consequences } from '../../../../infra/cli/domains/remove-domain.ts';
import type { Routing } from '../../../../infra/operator/domains/domain-report.ts';
import type { DomainReport, Reply } from '../../../../shared/operator/contract.ts';
import {
  NO_ROUTING,
  redirectOf,
  withLive,
  withoutRedirect,
  withPrimary,
  withRedirect,
} from '../../../../shared/projects/routing.ts';
import { needsTool } from '../../../machine.ts';
import { operatingDomains } from '../../../shared/operator/domains/operating-domains.ts';
import { LIVE, VERIFYING } from '../../operator/domains/domain-fixture.ts';
import {
  startAnsweringOperator,
  startOperatorStandIn,
  succeeds,
  warns,
} from '../../operator/operator-stand-in.ts';
import { answered, petstoreHere } from '../petstore-here.ts';
import { petstoreInTerminal } from '../run-petstore.ts';

const other = (domain: string, more: Partial<DomainReport> = {}): DomainReport => ({
  ...LIVE,
  domain,
  primary: false,
  ...more,
});
const routingOf = (reports: readonly DomainReport[]): Routing => ({
  liveDomains: reports.filter(({ status }) => status === 'live').map(({ domain }) => domain),
  primary: reports.find(({ primary }) => primary)?.domain ?? null,
  redirects: reports.flatMap(({ domain: from, redirect }) =>
    redirect ? [{ from, to: redirect.to, status: 301 as const }] : [],
  ),
});
const consequencesOf = (report: DomainReport, ...others: DomainReport[]) =>
  consequences(report, routingOf([report, ...others]));

describe('the consequences of a removal', () => {
  const PENDING = { to: 'new.example.com', status: 301, isPending: true as const };
  test.each([
    [
      'of the next primary domain',
      [LIVE, other('example.com'), other('a.example.com', { status: 'verifying' })],
      ['domains primary example.com', 'domains redirect www.example.com example.com'],
    ],
    [
      'to the primary domain',
      [other('a.example.com'), other('b.example.com'), LIVE],
      ['domains redirect a.example.com www.example.com'],
    ],
    [
      'instead of one that is pending',
      [other('a.example.com', { redirect: PENDING }), LIVE],
      ['domains redirect a.example.com www.example.com'],
    ],
  ] as const)('say how to keep links by a redirect %s', (_, [report, ...others], commands) => {
    const said = consequencesOf(report, ...others);
    expect(said.sentences.at(-1)).toBe(
      `Links to ${report.domain} stop working. To keep them working, redirect it instead:`,
    );
    expect(said.commands).toEqual(commands);
  });

  test.for([
    ['the primary domain, to which the only other one redirects', 0, [1]],
    ['the primary domain, to which the last of two others redirects', 0, [2]],
    ['a further domain, to which another redirects', 1, [2]],
    ['the primary domain, to which all others redirect', 0, [1, 2]],
  ] as const)('advise commands that work as printed: %s', ([, removed, sources]) => {
    const names = ['www.example.com', 'api.example.com', 'example.com'].slice(
      0,
      Math.max(removed, ...sources) + 1,
    );
    const status = 301 as const;
    const from = (source: number) => ({ from: names[source] ?? '', to: names[removed] ?? '', status });
    let routing = sources.map(from).reduce(withRedirect, names.reduce(withLive, NO_ROUTING));
    const report = other(names[removed] ?? '', { primary: routing.primary === names[removed] });
    const advised = consequences(report, routing).commands;
    expect(advised).not.toEqual([]);
    for (const words of advised) {
      const [, verb, domain = '', to = ''] = words.split(' ');
      if (verb === 'primary') routing = withPrimary(routing, domain);
      else if (verb === 'unredirect') routing = withoutRedirect(routing, domain);
      else routing = withRedirect(routing, { from: domain, to, status });
    }
    expect(redirectOf(routing, report.domain)).toBeDefined();
  });

  test('advise to add another domain, and nothing for one that does not serve', () => {
    expect(consequencesOf(LIVE).sentences.at(-1)).toContain('add another domain and redirect this one to it');
    const redirect = { to: 'www.example.com', status: 301 };
    for (const [report, ...others] of [[other('example.com', { redirect }), LIVE], [VERIFYING]] as const)
      expect(consequencesOf(report, ...others)).toEqual({ sentences: [expect.any(String)], commands: [] });
  });
});

const REMOVE = 'domains remove www.example.com';
const READS = [succeeds(LIVE), succeeds(routingOf([LIVE]))];
const REMOVING = { ...LIVE, status: 'removing' };
const commandsOf = (payloads: readonly Record<string, unknown>[]) => payloads.map(({ command }) => command);

describe('domains remove', () => {
  test('2: changes nothing without a terminal and without --yes, in staging too', async () => {
    const { stdout, stderr, exitCode, sent } = await answered(REMOVE, ...READS);
    expect(stderr).toContain('https://www.example.com stops responding.');
    expect(stderr).toContain('This removes www.example.com from staging.');
    expect(stderr).toContain('Re-run with --yes');
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(commandsOf(sent)).toEqual(['domains.show', 'projects.show']);
  });

  test('0: --yes removes the domain without a question, and --json has the warnings beside its fields', async () => {
    const warnings = ['The mapping of a.example.com could not be changed yet.'];
    const line = `${REMOVE} --yes --json --project shop --stage production`;
    const { stdout, stderr, exitCode, sent } = await answered(line, ...READS, warns(REMOVING, warnings));
    expect(JSON.parse(stdout)).toEqual({ ...REMOVING, warnings });
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(sent[2]).toMatchObject({
      command: 'domains.remove',
      requestId: expect.any(String),
      project: 'shop',
      domain: 'www.example.com',
    });
  });

  test('0: prints what could not be done for other domains', async () => {
    const warning = 'The mapping of a.example.com could not be changed. Verify a.example.com.';
    const { stdout, stderr, exitCode } = await answered(
      `${REMOVE} --yes`,
      ...READS,
      warns(REMOVING, [warning]),
    );
    expect(stderr).toContain(`\nWarning: ${warning}\n`);
    expect(stdout).not.toContain(warning);
    expect(exitCode).toBe(0);
  });

  test('1: asks once, and changes nothing if declined', needsTool('a terminal by script(1)'), async () => {
    const { environment, invocations } = await startOperatorStandIn(...READS);
    const { screen, exitCode } = await petstoreInTerminal(`${REMOVE} --stage production`, environment, 'n\r');
    expect(screen.split('Continue?')).toHaveLength(2);
    expect(screen).toContain('Nothing was changed.');
    expect(exitCode).toBe(1);
    expect(commandsOf(invocations.map(({ payload }) => payload))).toEqual(['domains.show', 'projects.show']);
  });
});

test('the advice works as printed when two domains redirect to the one that is removed', async () => {
  const [WWW, API, BLOG] = ['www.example.com', 'api.example.com', 'blog.example.com'];
  const world = await operatingDomains();
  const { environment } = await startAnsweringOperator(
    async ({ command, requestId: _, by: __, ...fields }) => ({
      reply: (await world.ask(String(command), fields)) satisfies Reply,
    }),
  );
  await world.project('shop', WWW, API, BLOG);
  for (const domain of [API, BLOG])
    await world.done('domains.redirect', { project: 'shop', domain, to: WWW });
  const { stderr } = await petstoreHere(`domains remove ${WWW} --project shop`, environment);
  for (const line of stderr.split('\n').filter(each => each.startsWith('  petstore '))) {
    const words = line.trim().split(' ').slice(1);
    expect(await petstoreHere(words, environment)).toMatchObject({ exitCode: 0 });
  }
  expect(await world.routingOf('shop')).toMatchObject({
    primary: API,
    redirects: expect.arrayContaining([`${BLOG} → ${API}`, `${WWW} → ${API}`]),
  });
});
