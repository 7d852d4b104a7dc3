import { describe, expect, test } from 'vitest';
import { needsTool } from '../../../machine.ts';
import { ADDED, FAILED, LIVE, VERIFYING } from '../../operator/domains/domain-fixture.ts';
import {
  type Answer,
  fails,
  LINK,
  refuses,
  startAnsweringOperator,
  succeeds,
} from '../../operator/operator-stand-in.ts';
import { petstoreHere as petstore } from '../petstore-here.ts';
import { inTerminal, interruptedInTerminal } from '../run-petstore.ts';

const [A, B, C] = ['a.example.com', 'b.example.com', 'c.example.net'];

/** Records of its own, so that the table shows which domain they are of. */
const of = (domain: string, report: object = ADDED) => ({
  ...report,
  domain,
  records: ADDED.records.map(record => ({
    ...record,
    name: record.name.replace('www.example.com', domain),
    label: record.label.replace('www', domain.charAt(0)),
  })),
});

type Payload = { readonly command?: unknown; readonly domain?: unknown };
const operatorWith = (answerTo: (command: string, domain: string) => Answer) =>
  startAnsweringOperator(({ command, domain }: Payload) => answerTo(String(command), String(domain)));
const TAKEN = refuses('domain_taken', `${B} belongs to another project.`);

const commandsOf = ({ invocations }: Awaited<ReturnType<typeof operatorWith>>) =>
  invocations.map(({ payload }) => [payload.command, payload.domain].filter(Boolean).join(' '));

describe('domains add of several', () => {
  test('1: one table of results, all records by zone, and the command that verifies those that were added', async () => {
    const operator = await operatorWith((_, domain) => (domain === B ? TAKEN : succeeds(of(domain))));
    const { stdout, stderr, exitCode } = await petstore(`domains add ${A} ${B} ${C}`, operator.environment);
    expect(stdout).toMatch(
      /^DOMAIN +STATUS\na\.example\.com +pending_dns\nb\.example\.com +error\n {2}b\.example\.com belongs to another project\.\nc\.example\.net +pending_dns\n\n/,
    );
    expect(stdout).toContain(
      `\n\nSend each of these to whoever runs the DNS of its domain. They work until 1 Apr 2026:\n\n  ${LINK.url}\n  ${LINK.url}\n\n`,
    );
    expect(stdout).toMatch(/DNS records in the zone example\.com .*\ntraffic +CNAME +a +a\.example\.com /s);
    expect(stdout).toMatch(/DNS records in the zone example\.net .*\ntraffic +CNAME +c +c\.example\.net /s);
    expect(stdout).toContain(`\n     petstore domains verify ${A} ${C} --wait\n`);
    expect(stdout).not.toContain('Continue with');
    expect(stderr.split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^[123] of 3: b\.example\.com not added: .*another project\.$/),
      ]),
    );
    expect(exitCode).toBe(1);
  });

  test('1: --json has an array, and the error of a domain in its place', async () => {
    const operator = await operatorWith((_, domain) => (domain === B ? TAKEN : succeeds(of(domain))));
    const run = await petstore(`domains add ${A} ${B} --json`, operator.environment);
    expect(JSON.parse(run.stdout)).toEqual([
      { ...of(A), link: LINK },
      {
        domain: B,
        error: { code: 'conflict', reason: 'domain_taken', message: `${B} belongs to another project.` },
      },
    ]);
    expect(run).toMatchObject({ stderr: '', exitCode: 1 });
  });

  test('0: a name that is given twice, in another spelling, is added once, and there is still an array', async () => {
    const operator = await operatorWith((_, domain) => succeeds(of(domain)));
    const line = `domains add ${A} ${A.toUpperCase()}. --json`;
    const { stdout, exitCode } = await petstore(line, operator.environment);
    expect(JSON.parse(stdout)).toEqual([{ ...of(A), link: LINK }]);
    expect([exitCode, commandsOf(operator)]).toEqual([0, [`domains.add ${A}`, `domains.link ${A}`]]);
  });

  test('0: of a URL the host is taken, which is said', async () => {
    const operator = await operatorWith((_, domain) => succeeds(of(domain)));
    const { stderr, exitCode } = await petstore(
      `domains add ${A} https://${B}/start --json`,
      operator.environment,
    );
    expect([stderr, exitCode]).toEqual([`Using ${B}.\n`, 0]);
    const added = commandsOf(operator).filter(command => command.startsWith('domains.add'));
    expect(added).toEqual([`domains.add ${A}`, `domains.add ${B}`]);
  });

  test.each([
    ['an address', `${A} sam@${B}`, /^Error: .*just a domain name.* Nothing was done\./],
    ['no host name', `${A} -b.example.com`, /^Error: /],
  ])('2: %s among the names is refused before anything is done', async (_, names, said) => {
    const operator = await operatorWith(() => 'hangs up');
    const { stderr, exitCode } = await petstore(`domains remove ${names}`, operator.environment);
    expect(stderr).toMatch(said);
    expect([exitCode, operator.invocations]).toEqual([2, []]);
  });

  test.each([
    ['domains verify', 'petstore domains verify needs a domain.'],
    [`domains add ${A} localhost`, 'localhost has no dot'],
  ])('2: %s is refused', async (line, said) => {
    const { stderr, exitCode } = await petstore(line);
    expect(stderr).toContain(said);
    expect(exitCode).toBe(2);
  });

  test('1: ends at a refusal that concerns the project, and says how to continue', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map(label => `${label}.example.com`);
    const full = refuses('too_many_unverified_domains', 'Verify or remove some of them first.');
    const operator = await operatorWith((_, domain) => (domain > A ? full : succeeds(of(domain))));
    const { stdout, exitCode } = await petstore(`domains add ${names.join(' ')}`, operator.environment);
    expect(commandsOf(operator).length).toBeLessThan(names.length);
    expect(stdout).toContain(
      `5 of 6 domains were not added. Continue with:\n\n  petstore domains add ${names.slice(1).join(' ')}\n`,
    );
    expect(stdout).toMatch(/^f\.example\.com +not added$/m);
    expect(exitCode).toBe(1);
  });

  test('1: a refusal that concerns the project is the error if nothing was done', async () => {
    const operator = await operatorWith(() => refuses('plan_required', 'It needs the plan pro.'));
    const run = await petstore(`domains add ${A} ${B}`, operator.environment);
    expect(run).toMatchObject({ stdout: '', exitCode: 1 });
    expect(run.stderr).toMatch(/\nError: It needs the plan pro\.\n.*petstore projects plan petstore pro\n$/);
  });

  test('2: asks once in production, before anything is done', async () => {
    const operator = await operatorWith(() => 'hangs up');
    const line = `domains add ${A} ${B} --stage production`;
    const { stderr, exitCode } = await petstore(line, operator.environment);
    expect(stderr).toContain('This changes production: add 2 domains to project petstore.');
    expect([exitCode, operator.invocations]).toEqual([2, []]);
  });

  test(
    '130: a second Ctrl-C leaves what was begun, whose outcome is unknown, with the line that repeats it',
    needsTool('a terminal by script(1)'),
    async () => {
      const begun = Promise.withResolvers<void>();
      const operator = await startAnsweringOperator(({ domain }: Payload) =>
        domain === A ? succeeds(of(A)) : new Promise<Answer>(() => begun.resolve()),
      );
      const typed = [
        ['1 of 3', '\x03', begun.promise],
        ['Ctrl-C again', '\x03'],
      ] as const;
      const environment = { ...operator.environment, NO_COLOR: '1' };
      const { screen, exitCode } = await inTerminal(`domains add ${A} ${B} ${C}`, environment, typed);
      const { requestId } = operator.invocations.find(({ payload }) => payload.domain === B)?.payload ?? {};
      expect(screen).toMatch(/^b\.example\.com +unknown$/m);
      const [, again = ''] =
        /2 of 3 domains were not added, or it isn't known\. Continue with:\n\n {2}petstore (.*)/.exec(
          screen,
        ) ?? [];
      expect(again).toContain(`domains add ${B} ${C} --request-id `);
      expect(exitCode).toBe(130);

      const working = await operatorWith((_, domain) => succeeds(of(domain)));
      await petstore(again, working.environment);
      expect(working.invocations[0]?.payload).toMatchObject({ domain: B, requestId });
    },
  );

  test(
    '130: Ctrl-C keeps what was done, and says what was not',
    needsTool('a terminal by script(1)'),
    async () => {
      const names = Array.from({ length: 12 }, (_, index) => `n${index}.example.com`);
      const { environment, invocations } = await operatorWith((_, domain) => succeeds(of(domain)));
      const line = `domains add ${names.join(' ')}`;
      const { screen, exitCode } = await interruptedInTerminal(line, environment, '2 of 12');
      const added = new Set(invocations.map(({ payload }) => payload.domain));
      expect(added.size).toBeLessThan(12);
      const left = names.filter(name => !added.has(name));
      expect(screen).toContain(`${left.length} of 12 domains were not added. Continue with:`);
      expect(screen).toContain(`petstore domains add ${left.join(' ')}`);
      expect(exitCode).toBe(130);
    },
  );
});

describe('domains verify of several', () => {
  test('0: starts them, and shows how to follow', async () => {
    const operator = await operatorWith((_, domain) => succeeds(of(domain, VERIFYING)));
    const { stdout, exitCode } = await petstore(`domains verify ${A} ${B}`, operator.environment);
    expect(stdout).toMatch(/^a\.example\.com +verifying\n {2}Create a CNAME/m);
    expect(stdout).toContain(`  petstore domains list\n  petstore domains watch ${A}\n`);
    expect([exitCode, commandsOf(operator)]).toEqual([0, [`domains.verify ${A}`, `domains.verify ${B}`]]);
  });

  test('3: --wait watches all by their list, and ends with the exit code of the worst', async () => {
    const operator = await operatorWith((command, domain) =>
      command === 'domains.list'
        ? succeeds({ domains: [of(A, LIVE), of(B, FAILED)] })
        : succeeds(of(domain, VERIFYING)),
    );
    const line = `domains verify ${A} ${B} --wait`;
    const { stdout, stderr, exitCode } = await petstore(line, operator.environment);
    expect(stderr).toMatch(/Z {2}a\.example\.com: live\n/);
    expect(stdout).toMatch(
      /^a\.example\.com +live\nb\.example\.com +failed\n {2}Not verified within 30 days\.$/m,
    );
    expect(exitCode).toBe(3);
    expect(commandsOf(operator).slice(2)).toEqual(['domains.list']);
  });
});

describe('domains remove of several', () => {
  const redirect = { to: A, status: 301 };
  const replies: Record<string, ReturnType<typeof succeeds>> = {
    'domains.list': succeeds({
      domains: [
        of(A, LIVE),
        { ...of(B, LIVE), primary: false, redirect },
        { ...of(C, LIVE), primary: false },
      ],
    }),
    'projects.show': succeeds({ liveDomains: [A, B, C], primary: A, redirects: [{ from: B, ...redirect }] }),
  };
  const answer = (command: string, domain: string) =>
    replies[command] ?? succeeds({ ...of(domain, LIVE), status: 'removing' });

  test('2: asks once, with the consequences of all of them together', async () => {
    const operator = await operatorWith(answer);
    const { stderr, exitCode } = await petstore(`domains remove ${A} ${B}`, operator.environment);
    expect(stderr.trimEnd().split('\n')).toEqual([
      `https://${B} stops redirecting to https://${A}.`,
      `https://${A} stops responding.`,
      `${A} is the primary domain. ${C} becomes the primary domain instead.`,
      `Links to ${A} stop working. To keep them working, redirect instead:`,
      '  petstore domains redirect <domain> <to>',
      "Error: This removes 2 domains from staging. Can't ask here. Re-run with --yes.",
    ]);
    expect([exitCode, commandsOf(operator)]).toEqual([2, ['domains.list', 'projects.show']]);
  });

  test('1: an outage of AWS at one of them does not keep the others from being removed', async () => {
    const down = fails(503, 'ServiceUnavailable', 'Down');
    const operator = await operatorWith((command, domain) => (domain === B ? down : answer(command, domain)));
    const line = `domains remove ${A} ${B} ${C} --yes --json`;
    const { stdout, exitCode } = await petstore(line, operator.environment);
    expect(JSON.parse(stdout)).toMatchObject([
      { domain: B, error: { code: 'unavailable', openRequestId: expect.any(String) } },
      { domain: C, status: 'removing' },
      { domain: A, status: 'removing' },
    ]);
    expect(exitCode).toBe(1);
  });

  test('1: removes those that redirect first, and reports a name that the project does not have', async () => {
    const unknown = 'unknown.example.com';
    const operator = await operatorWith((command, domain) =>
      domain === unknown
        ? refuses('domain_unknown', `${unknown} isn't in project petstore.`, 'not_found')
        : answer(command, domain),
    );
    const line = `domains remove ${A} ${unknown} ${B} --yes --json`;
    const { stdout, exitCode } = await petstore(line, operator.environment);
    expect(commandsOf(operator)).toEqual([
      'domains.list',
      'projects.show',
      `domains.remove ${B}`,
      `domains.remove ${A}`,
      `domains.remove ${unknown}`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject([
      { domain: B, status: 'removing' },
      { domain: A, status: 'removing' },
      { domain: unknown, error: { reason: 'domain_unknown' } },
    ]);
    expect(exitCode).toBe(1);
  });
});
