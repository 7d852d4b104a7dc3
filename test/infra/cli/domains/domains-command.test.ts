import { describe, expect, test } from 'vitest';
import { ADDED, LIVE, nextSteps, TRAFFIC, VERIFYING } from '../../operator/domains/domain-fixture.ts';
import { LINK, refuses, startAnsweringOperator, succeeds } from '../../operator/operator-stand-in.ts';
import { answered, petstoreHere } from '../petstore-here.ts';

const SHOW = 'domains show www.example.com';

describe('domains show', () => {
  test('3: prints the facts, what DNS answers and the next steps', async () => {
    const message = 'Delete the A record.';
    const report = {
      ...VERIFYING,
      reason: 'traffic_record_conflict',
      message,
      troubles: [],
      records: [{ ...TRAFFIC, state: 'conflict', observed: ['192.0.2.1'], action: message }],
      ...nextSteps(['record', message]),
      askedAt: '2026-01-01T12:00:00.000Z',
    };
    const line = `${SHOW} --stage production`;
    const { stdout, stderr, exitCode, invocations } = await answered(line, succeeds(report));
    for (const fact of [
      'www.example.com  verifying\nDelete the A record.\n',
      'Reason           traffic_record_conflict',
      'Certificate      pending validation',
      'Checked          2026-01-01 12:01 UTC',
      'Next check       2026-01-01 12:01 UTC',
      'Owner asked      2026-01-01 12:00 UTC',
      `\n\nSend this to whoever runs the DNS of www.example.com. It works until 1 Apr 2026:\n\n  ${LINK.url}\n\nDNS records`,
      'Checks end       2026-01-31 12:00 UTC',
      'Seen for CNAME www.example.com: 192.0.2.1',
      'Next:\n  petstore domains watch www.example.com --stage production\n',
      '2026-01-01 12:00 UTC  Added.',
    ]) {
      expect(stdout).toContain(fact);
    }
    expect([stderr, exitCode]).toEqual(['', 3]);
    expect(invocations).toEqual(
      ['domains.show', 'domains.link'].map(command => ({
        functionName: 'petstore-production-operator',
        payload: { command, project: 'petstore', domain: 'www.example.com' },
      })),
    );
  });

  test('0: prints no next steps for a live domain, and an international name in both forms', async () => {
    const international = { ...LIVE, domain: 'xn--bcher-kva.example' };
    const { stdout, exitCode } = await answered(SHOW, succeeds(international));
    expect(stdout).toMatch(/^xn--bcher-kva\.example \(bücher\.example\) {2}live\n/);
    expect(stdout).toContain('petstore (primary domain)');
    expect(stdout).not.toContain('Next');
    expect(stdout).not.toContain('Send');
    expect(exitCode).toBe(0);
  });

  test('3: shows the domain without a link, if there is none to be had', async () => {
    const { environment } = await startAnsweringOperator(() => succeeds(VERIFYING), {
      linking: refuses('platform_domain_required', 'It has no platform domain.'),
    });
    const { stdout, exitCode } = await petstoreHere(`${SHOW} --json`, environment);
    expect(JSON.parse(stdout)).toEqual({ ...VERIFYING, link: null });
    expect(exitCode).toBe(3);
  });

  test('0: has a look at a live domain at which nobody has looked for over an hour, and shows what it finds', async () => {
    const overdue = { ...LIVE, isLookOverdue: true };
    const lookedAt = '2026-01-01T15:00:00.000Z';
    const looked = await answered(SHOW, succeeds(overdue), succeeds({ ...LIVE, lookedAt }));
    expect(looked.stdout).toContain('Looked at        2026-01-01 15:00 UTC');
    expect(looked.invocations.map(({ payload }) => payload.command)).toEqual([
      'domains.show',
      'domains.look',
    ]);
    const failed = await answered(SHOW, succeeds(overdue), refuses('changed_meanwhile', 'It was changed.'));
    expect(failed).toMatchObject({ stderr: '', exitCode: 0 });
    expect(failed.stdout).toContain('Checked          2026-01-01 12:01 UTC');
  });

  test('1: says that this version is older, if the service has a status that it does not know', async () => {
    expect(await answered(SHOW, succeeds({ ...LIVE, status: 'paused' }))).toMatchObject({
      stderr:
        'Error: A domain has the status "paused", which this version doesn\'t know: the service is newer. Update this checkout.\n',
      exitCode: 1,
    });
  });

  test('0: --zone-file prints the records, whatever the status', async () => {
    const { stdout, exitCode } = await answered(`${SHOW} --zone-file`, succeeds(ADDED));
    expect(stdout).toMatch(/^; .*\n(\S+\. 3600 IN CNAME \S+\.\n){2}$/);
    expect(exitCode).toBe(0);
  });
});

describe('domains link', () => {
  const line = 'domains link www.example.com';

  test('0: prints the link, whom to send it to, and until when it works', async () => {
    const { stdout, sent } = await answered(`${line} --project shop`, succeeds({}));
    expect(stdout).toBe(
      `Send this to whoever runs the DNS of www.example.com. It works until 1 Apr 2026:\n\n  ${LINK.url}\n`,
    );
    expect(sent).toEqual([{ command: 'domains.link', project: 'shop', domain: 'www.example.com' }]);
    const { stdout: json } = await answered(`${line} --json`, succeeds({}));
    expect(JSON.parse(json)).toEqual(LINK);
  });

  test('0: says that it does not open yet, while the host of the pages is being set up', async () => {
    const { environment } = await startAnsweringOperator(() => 'hangs up', {
      linking: succeeds({ ...LINK, isServed: false }),
    });
    const { stdout } = await petstoreHere(line, environment);
    expect(stdout).toMatch(/a-key\n\nThe host of these pages is still being set up\. .*\n$/);
  });

  test('0: --revoke ends all links to the page, which a pair shares', async () => {
    const { stdout, sent } = await answered(`${line} --revoke`, succeeds({ ...ADDED, pair: 'example.com' }));
    expect(stdout).toBe(
      'Ended all links to the page for www.example.com and example.com. For a new one, run: petstore domains link www.example.com\n',
    );
    expect(sent).toMatchObject([{ command: 'domains.unlink', domain: 'www.example.com' }]);
  });
});

describe('a refused domain command', () => {
  const PROJECTS = 'List the projects: petstore projects list';
  const DOMAINS = 'List them: petstore domains list --project shop';
  test.for([
    ['plan_required', 'Set its plan: petstore projects plan shop pro'],
    ['deploy_required', 'Record a deploy: petstore projects deployed shop'],
    ['project_unknown', PROJECTS],
    ['domain_unknown', `Another project? Add --project. ${DOMAINS}`],
    ['domain_not_live', DOMAINS],
    ['is_primary', DOMAINS],
    ['verification_in_progress', 'Watch it: petstore domains watch www.example.com --project shop'],
    ['domain_taken', undefined],
    ['changed_meanwhile', undefined],
  ] as const)('1: %s gives the advice: %s', async ([reason, advice]) => {
    // The words of the message are those of another reason: only the reason counts.
    const message = 'There is no project, plan or deploy.';
    const line = 'domains primary www.example.com --project shop';
    expect(await answered(line, refuses(reason, message))).toMatchObject({
      stderr: `Error: ${message}\n${advice ? `  ${advice}\n` : ''}`,
      exitCode: 1,
    });
  });
});

test.each([
  ['', false],
  [' --alone', true],
])('0: domains move%s says which roles change, before and after', async (option, alone) => {
  const apex = { ...LIVE, domain: 'example.com', primary: false };
  const note = 'The server says which roles have changed.';
  const moved = { ...apex, project: 'shop', notes: [note], ...(!alone && { sibling: LIVE }) };
  const routing = { id: 'petstore', liveDomains: ['www.example.com', 'example.com'], primary: LIVE.domain };
  const { stdout, stderr, exitCode, sent } = await answered(
    `domains move Example.com --to shop${option}`,
    succeeds({ domains: [LIVE, apex], next: null }),
    succeeds({ ...routing, redirects: [{ from: 'example.com', to: LIVE.domain, status: 301 }] }),
    succeeds({ id: 'shop', liveDomains: [], primary: null, redirects: [] }),
    succeeds(moved),
  );
  expect(stderr).toBe(
    alone
      ? 'example.com no longer redirects to www.example.com and becomes the primary domain of project shop.\n'
      : 'www.example.com moves, too. To leave it in project petstore, add --alone.\nexample.com keeps its redirect to www.example.com.\nwww.example.com becomes the primary domain of project shop.\nProject petstore has no live domain left: only its default URL serves it.\n',
  );
  const names = alone ? 'example.com' : 'example.com and www.example.com';
  expect(stdout).toBe(`Moved ${names} from project petstore to project shop in staging.\n${note}\n`);
  expect(sent.at(-1)).toMatchObject({ domain: 'Example.com', to: 'shop', alone });
  expect(exitCode).toBe(0);
});

test('1: domains move says what the other project lacks, and how to give it', async () => {
  const routing = succeeds({ id: 'petstore', liveDomains: [], primary: null, redirects: [] });
  const { stderr, exitCode } = await answered(
    'domains move www.example.com --to shop',
    succeeds({ domains: [LIVE], next: null }),
    routing,
    routing,
    refuses('plan_required', 'Project shop needs the plan pro.'),
  );
  expect(stderr).toContain('\n  Set its plan: petstore projects plan shop pro\n');
  expect(exitCode).toBe(1);
});

describe('domains primary, redirect, unredirect', () => {
  const redirect = { to: 'www.example.com', status: 308 };
  const apex = { ...LIVE, domain: 'example.com', primary: false };
  test.for([
    [
      'primary www.example.com',
      LIVE,
      { command: 'domains.primary', domain: 'www.example.com' },
      'www.example.com is now the primary domain of project petstore in staging.\n',
    ],
    [
      'redirect example.com www.example.com --status 308',
      { ...apex, redirect },
      { command: 'domains.redirect', domain: 'example.com', ...redirect },
      'https://example.com now redirects to https://www.example.com with 308.\n',
    ],
    [
      'redirect example.com www.example.com --status 308',
      { ...apex, redirect: { ...redirect, isPending: true } },
      { command: 'domains.redirect', domain: 'example.com', ...redirect },
      'Pending: https://example.com will redirect to https://www.example.com with 308 once both are live.\n',
    ],
    [
      'unredirect example.com',
      apex,
      { command: 'domains.unredirect', domain: 'example.com' },
      'https://example.com no longer redirects. It serves project petstore.\n',
    ],
  ] as const)('0: %s', async ([words, report, payload, said]) => {
    const run = await answered(`domains ${words}`, succeeds(report));
    expect(run).toMatchObject({ stdout: said, stderr: '', exitCode: 0 });
    expect(run.sent[0]).toEqual({
      requestId: expect.any(String),
      by: expect.any(String),
      project: 'petstore',
      ...payload,
    });
  });
});
