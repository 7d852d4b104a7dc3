import { stripVTControlCharacters } from 'node:util';
import { describe, test } from 'vitest';
import { type Answer, startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { petstoreHere } from '../petstore-here.ts';
import { interruptedInTerminal, petstore, petstoreInTerminal } from '../run-petstore.ts';
import { ADDED, FAILED, ISSUING, LIVE, VERIFYING } from './domain-fixture.ts';

const VERIFY = ['domains', 'verify', 'www.example.com'];
const WAIT = [...VERIFY, '--wait'];
const answers = (...reports: object[]): Answer[] => reports.map(succeeds);

describe.concurrent('domains verify', () => {
  test('0: starts the verification, and says how to see its progress', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(VERIFYING));
    const { stdout, exitCode } = await petstoreHere(VERIFY, operator.environment);
    expect(stdout).toContain('The verification of www.example.com in staging has started.');
    expect(stdout).toContain('It goes on by itself until 2026-01-03 12:00 UTC.');
    expect(stdout).toContain('  petstore domains watch www.example.com\n');
    expect(stdout).toContain('  petstore domains verify www.example.com --wait\n');
    expect(exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({
      command: 'domains.verify',
      project: 'petstore',
      domain: 'www.example.com',
    });
  });

  test('0: reverify is the same command', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(VERIFYING));
    const run = await petstoreHere(['domains', 'reverify', 'www.example.com'], operator.environment);
    expect(run.exitCode).toBe(0);
    expect(operator.invocations[0]?.payload).toMatchObject({ command: 'domains.verify' });
  });
});

describe.concurrent('domains verify --wait', () => {
  test('0: prints a line per change, and the domain at the end', async ({ expect }) => {
    const operator = await startOperatorStandIn(...answers(VERIFYING, LIVE));
    const { stdout, stderr, exitCode } = await petstore(WAIT, operator.environment);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.every(line => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}\S/.test(line))).toBe(true);
    expect(lines.map(line => line.slice('yyyy-mm-ddThh:mm:ssZ  '.length))).toEqual([
      `www.example.com is verifying: ${VERIFYING.message}`,
      'traffic record, CNAME www.example.com: missing',
      'certificate record, CNAME _acm.www.example.com: missing',
      'certificate: PENDING_VALIDATION',
      'www.example.com is live: https://www.example.com is live.',
      'traffic record, CNAME www.example.com: ok',
      'certificate record, CNAME _acm.www.example.com: ok',
      'certificate: ISSUED',
    ]);
    expect(stdout).toMatch(/^www\.example\.com {2}live\n/);
    expect(exitCode).toBe(0);
  });

  test('3: --json prints only the last report, here of a failed domain', async ({ expect }) => {
    const operator = await startOperatorStandIn(...answers(VERIFYING, FAILED));
    const run = await petstoreHere([...WAIT, '--json'], operator.environment);
    expect(JSON.parse(run.stdout)).toEqual(FAILED);
    expect(run).toMatchObject({ stderr: '', exitCode: 3 });
  });

  test.for([
    [3, 'a record is missing', ADDED],
    [4, 'nothing is needed from the owner', ISSUING],
  ] as const)('%i: ends at the timeout when %s', async ([expected, , report], { expect }) => {
    const operator = await startOperatorStandIn(succeeds(report));
    const { stdout, exitCode } = await petstoreHere(
      [...VERIFY, '--wait', '--timeout', '0s'],
      operator.environment,
    );
    expect(stdout).toMatch(
      /^www\.example\.com is not live after 0s\. The verification goes on by itself\. Watch it with: petstore domains watch www\.example\.com\n/,
    );
    expect(exitCode).toBe(expected);
  });
});

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const END_OF_FRAME = '\u001b[?2026l';

/** What was drawn each time, without colours and cursor movements. */
const framesOf = (view: string) => view.split(END_OF_FRAME).slice(0, -1).map(stripVTControlCharacters);

// script(1) of other systems takes other flags.
describe.runIf(process.platform === 'linux').concurrent('domains verify --wait at a terminal', () => {
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
      const lines = frame.split('\n');
      expect(lines.length).toBeLessThanOrEqual(size.rows);
      expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(size.columns);
    }
  });

  test('130: Ctrl-C shows the cursor again and says that the verification goes on', async ({ expect }) => {
    const operator = await startOperatorStandIn(succeeds(VERIFYING));
    const { screen, exitCode } = await interruptedInTerminal(WAIT, operator.environment, 'Ctrl-C');
    const [, left = ''] = screen.split(SHOW_CURSOR);
    expect(left).toBe(
      'No longer watching www.example.com. Its verification goes on by itself.\n  Watch it again with: petstore domains watch www.example.com\n',
    );
    expect(exitCode).toBe(130);
  });
});
