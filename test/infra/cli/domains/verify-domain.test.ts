import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { watchDomain } from '../../../../infra/cli/domains/verify-domain.ts';
import { CommandError } from '../../../../infra/operator/connection/command-error.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { needsTool } from '../../../machine.ts';
import {
  ADDED,
  FAILED,
  ISSUING,
  inUse,
  LIVE,
  READY,
  TRAFFIC,
  VERIFYING,
} from '../../operator/domains/domain-fixture.ts';
import { type Answer, startOperatorStandIn, succeeds } from '../../operator/operator-stand-in.ts';
import { answered } from '../petstore-here.ts';
import { interruptedInTerminal, petstoreInTerminal } from '../run-petstore.ts';

const NAME = 'www.example.com';
const VERIFY = `domains verify ${NAME}`;
const WAIT = `${VERIFY} --wait`;
const answers = (...reports: object[]): Answer[] => reports.map(succeeds);

describe('domains verify', () => {
  test('0: starts the verification, and says how to see its progress', async () => {
    const { stdout, exitCode, sent } = await answered(VERIFY, succeeds(VERIFYING));
    expect(stdout).toContain(
      'Verifying www.example.com in staging. The service keeps checking until 2026-01-31 12:00 UTC.',
    );
    expect(stdout).toContain('  petstore domains watch www.example.com\n');
    expect(exitCode).toBe(0);
    expect(sent[0]).toMatchObject({ command: 'domains.verify', project: 'petstore', domain: NAME });
  });
});

describe('domains verify --wait', () => {
  test('0: prints a line per change, and the domain at the end', async () => {
    const { stdout, stderr, exitCode } = await answered(WAIT, ...answers(VERIFYING, LIVE));
    const lines = stderr.trimEnd().split('\n');
    expect(lines.every(line => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}\S/.test(line))).toBe(true);
    expect(lines.map(line => line.slice('yyyy-mm-ddThh:mm:ssZ  '.length))).toEqual([
      `www.example.com: verifying. ${VERIFYING.message}`,
      'traffic record, CNAME www.example.com: missing',
      'certificate record, CNAME _acm.www.example.com: missing',
      'certificate: pending validation',
      'www.example.com: live',
      'traffic record, CNAME www.example.com: ok',
      'certificate record, CNAME _acm.www.example.com: ok',
      'certificate: issued',
    ]);
    expect(stdout).toMatch(/^www\.example\.com {2}live\n/);
    expect(exitCode).toBe(0);
  });

  test('3: --json prints only the last report, here of a failed domain', async () => {
    const run = await answered(`${WAIT} --json`, ...answers(VERIFYING, FAILED));
    expect(JSON.parse(run.stdout)).toEqual(FAILED);
    expect(run).toMatchObject({ stderr: '', exitCode: 3 });
  });

  test.for([
    [3, 'a record is missing', VERIFYING],
    [4, 'nothing is needed from the owner', ISSUING],
  ] as const)('%i: ends at the timeout when %s', async ([expected, , report]) => {
    const { stdout, exitCode } = await answered(`${WAIT} --timeout 0s`, succeeds(report));
    expect(stdout).toMatch(
      /^www\.example\.com isn't live after 0s\. The service keeps checking\. Watch it: petstore domains watch www\.example\.com\n/,
    );
    expect(exitCode).toBe(expected);
  });
});

test('0: domains verify shows a domain that is still ready to switch', async () => {
  const { stdout } = await answered(VERIFY, succeeds(READY));
  expect(stdout).toMatch(/^www\.example\.com {2}ready\nReady\. Point www\.example\.com at /);
  expect(stdout).not.toContain('Verifying');
});

test('0: domains verify --wait ends when the domain is ready to switch', async () => {
  const preparing = { ...inUse(READY), status: 'issuing', message: 'Waiting for the certificate.' };
  const { stdout, stderr, exitCode } = await answered(WAIT, ...answers(preparing, READY));
  expect(stderr).toContain('traffic record, CNAME www.example.com: switch last (seen: old.example.net)');
  expect(stdout).toMatch(
    /^www\.example\.com {2}ready\nReady\. Point www\.example\.com at .* whenever you like before .* UTC\.\n/,
  );
  expect(exitCode).toBe(0);
});

test('3: domains verify --wait names a CAA record that blocks the certificate', async () => {
  const blocked = [1, 2, 3].map(minute => ({
    ...ISSUING,
    reason: 'caa_blocked',
    message: "Amazon isn't allowed to issue certificates.",
    checkedAt: `2026-01-01T12:1${minute}:00.000Z`,
  }));
  const { stdout, exitCode } = await answered(WAIT, ...answers(VERIFYING, ...blocked));
  expect(stdout).toMatch(
    /^A CAA record blocks the certificate\. Fix it, then run: petstore domains watch www\.example\.com\n/,
  );
  expect(exitCode).toBe(3);
});

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const END_OF_FRAME = '\u001b[?2026l';

/** What was drawn each time, without colors and cursor movements. */
const framesOf = (view: string) => view.split(END_OF_FRAME).slice(0, -1).map(stripVTControlCharacters);

describe.concurrent('domains verify --wait at a terminal', needsTool('a terminal by script(1)'), () => {
  test('0: redraws the view in place and replaces it by the result', async ({ expect }) => {
    const operator = await startOperatorStandIn(...answers(VERIFYING, LIVE));
    const { screen, exitCode } = await petstoreInTerminal(WAIT, operator.environment);
    const [view = '', result = ''] = screen.split(SHOW_CURSOR);
    expect(view.startsWith(HIDE_CURSOR)).toBe(true);
    const frames = framesOf(view);
    expect(frames[0]).toMatch(/0:00 of 10:00.*missing/s);
    expect(frames.at(-2)).toContain('https://www.example.com is live.');
    expect(frames.at(-1)).toBe('');
    expect(result).toContain('https://www.example.com is live.');
    expect(exitCode).toBe(0);
  });

  test('0: fits the view into a small terminal, because it could not redraw what has scrolled away', async ({
    expect,
  }) => {
    const operator = await startOperatorStandIn(...answers(VERIFYING, LIVE));
    const size = { columns: 40, rows: 8 };
    const { screen } = await petstoreInTerminal(WAIT, operator.environment, '', size);
    const [view = ''] = screen.split(SHOW_CURSOR);
    for (const frame of framesOf(view)) {
      const lines = frame.split(/\r?\n/);
      expect(lines.length).toBeLessThanOrEqual(size.rows);
      expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(size.columns);
    }
  });

  test('130: Ctrl-C shows the cursor again and says that the verification goes on', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(VERIFYING));
    const { screen, exitCode } = await interruptedInTerminal(WAIT, operator.environment, 'Ctrl-C');
    const [, left = ''] = screen.split(SHOW_CURSOR);
    expect(left).toBe(
      'No longer watching www.example.com. The service keeps checking.\n  Watch it again: petstore domains watch www.example.com\n',
    );
    expect(exitCode).toBe(130);
  });
});

describe('domains watch', () => {
  const line = `domains watch ${NAME}`;
  test('0: watches a domain until it is live, and asks for no verification', async () => {
    const { stdout, stderr, exitCode, sent } = await answered(line, succeeds(VERIFYING), succeeds(LIVE));
    expect(stderr).toContain('www.example.com: live\n');
    expect(stdout).toMatch(/^www\.example\.com {2}live\n/);
    expect(exitCode).toBe(0);
    expect(sent).toEqual(Array(2).fill({ command: 'domains.show', project: 'petstore', domain: NAME }));
  });

  test('3: ends at once when nobody has asked to verify it, with the command that does', async () => {
    const { stdout, exitCode, sent } = await answered(line, succeeds(ADDED));
    expect(stdout).toMatch(
      /^Not verified yet\. Create the records, then run: petstore domains verify www\.example\.com --wait\n/,
    );
    expect([exitCode, sent.length]).toEqual([3, 1]);
  });

  test('0: goes on when the domain is ready, until its traffic arrives; otherwise 4', async () => {
    expect((await answered(line, ...answers(READY, READY, LIVE))).exitCode).toBe(0);
    expect((await answered(`${line} --timeout 0s`, succeeds(READY))).exitCode).toBe(4);
  });

  test('2: refuses a timeout that is not a duration before it asks', async () => {
    const { exitCode, sent } = await answered(`${line} --timeout soon`, succeeds(LIVE));
    expect([exitCode, sent]).toEqual([2, []]);
  });
});

type Outcome = DomainReport | CommandError;

/** Watches with a simulated clock. Polls get the responses in turn, and then the last one again. */
async function watch(answers: readonly Outcome[], timeoutMs = 600_000, sameTroubles?: number) {
  const sleptMs: number[] = [];
  const shown: string[] = [];
  let nowMs = 0;
  const outcome = await watchDomain(VERIFYING, {
    async poll() {
      const answer = answers[Math.min(sleptMs.length, answers.length) - 1];
      if (answer instanceof CommandError) throw answer;
      return answer ?? VERIFYING;
    },
    update: report => shown.push(report.status),
    timeoutMs,
    intervalMs: 5_000,
    sameTroubles,
    now: () => nowMs,
    async sleep(ms) {
      sleptMs.push(ms);
      nowMs += ms;
    },
  }).catch((error: unknown) => error as CommandError);
  const { report: last, end } = outcome instanceof CommandError ? { report: outcome, end: 'error' } : outcome;
  return { last, end, shown, sleptMs };
}

test('ends when the domain is live; the polls are further and further apart', async () => {
  const answers = [...Array<Outcome>(6).fill(VERIFYING), ISSUING, LIVE];
  const { last, shown, sleptMs } = await watch(answers);
  expect(last).toBe(LIVE);
  expect(shown.slice(-3)).toEqual(['verifying', 'issuing', 'live']);
  expect(sleptMs).toEqual([1000, 2000, 3000, 4000, 5000, 5000, 5000, 5000]);
});

test('ends with the role that a first live domain gets a moment later, but does not wait for one', async () => {
  const early = { ...LIVE, role: 'also_serves', primary: false, projectPrimary: null } as const;
  expect((await watch([early, LIVE])).last).toBe(LIVE);
  expect((await watch([early])).sleptMs).toHaveLength(3);
});

test('does not end because a record is missing, but exactly at the timeout', async () => {
  const { last, sleptMs } = await watch([VERIFYING], 8_000);
  expect(last).toBe(VERIFYING);
  expect(sleptMs).toEqual([1000, 2000, 3000, 2000]);
});

test('waits for a live domain with a trouble', async () => {
  expect((await watch([{ ...LIVE, reason: 'traffic_record_missing' }, LIVE])).last).toBe(LIVE);
});

test('ignores two failed polls in a row, but not three', async () => {
  const lost = new CommandError('network', 'No answer came.');
  expect((await watch([lost, lost, LIVE])).last).toBe(LIVE);
  expect((await watch([lost, lost, VERIFYING, lost, lost, lost, LIVE])).last).toBe(lost);
});

test('throws at once when polling again cannot help', async () => {
  const gone = new CommandError('not_found', "It isn't in the project.");
  expect(await watch([gone, LIVE])).toMatchObject({ last: gone, sleptMs: [1000] });
});

describe('the same trouble', () => {
  const wrong = (minute: number, observed = '192.0.2.1'): DomainReport => ({
    ...VERIFYING,
    checkedAt: `2026-01-01T12:1${minute}:00.000Z`,
    records: [{ ...TRAFFIC, state: 'conflict', observed: [observed] }],
  });

  test('ends the watch when three checks in a row have found it', async () => {
    const answers = [wrong(1), wrong(1), wrong(1), wrong(2), wrong(2), wrong(3)];
    const { end, last, sleptMs } = await watch(answers, 600_000, 3);
    expect([end, last]).toEqual(['same_trouble', wrong(3)]);
    expect(sleptMs).toHaveLength(6);
  });

  test('ends the watch, too, where the DNS provider has no such record', async () => {
    const records = [
      { ...TRAFFIC, type: 'ALIAS' as const, state: 'missing' as const, todo: { kind: 'forward' as const } },
    ];
    expect((await watch([...four({ records }), LIVE], 600_000, 3)).end).toBe('same_trouble');
  });

  const four = (report: Partial<DomainReport>) =>
    [1, 2, 3, 4].map(minute => ({ ...wrong(minute), ...report }));
  test.each<[string, DomainReport[]]>([
    ['another value is found', [wrong(1), wrong(2), wrong(3, '192.0.2.2'), wrong(4, '192.0.2.2')]],
    [
      'the records were right meanwhile',
      [wrong(1), wrong(2), { ...ISSUING, checkedAt: 'later' }, wrong(4), wrong(5)],
    ],
    [
      'the first check was before the watch',
      [{ ...wrong(1), checkedAt: VERIFYING.checkedAt }, wrong(2), wrong(3)],
    ],
    ['a record spreads', four({ reason: 'traffic_record_spreading' })],
    ['the traffic record is switched last', four({ reason: null }).map(inUse)],
    ['a record is only missing', four({ records: VERIFYING.records })],
  ])('does not end the watch if %s', async (_, answers) => {
    expect((await watch([...answers, LIVE], 600_000, 3)).end).toBe('decided');
  });

  test('does not end a watch that was not told so', async () => {
    expect((await watch([wrong(1), wrong(2), wrong(3), wrong(4), LIVE])).end).toBe('decided');
  });
});
