import { describe, test } from 'vitest';
import type { DomainReport } from '../../../../infra/cli/domains/domain-report.ts';
import { consequences } from '../../../../infra/cli/domains/remove-domain.ts';
import { startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { petstore, petstoreInTerminal } from '../run-petstore.ts';
import { LIVE, VERIFYING } from './domain-fixture.ts';

const other = (domain: string, more: Partial<DomainReport> = {}): DomainReport => ({
  ...LIVE,
  domain,
  primary: false,
  ...more,
});
const line = (words: string) => `petstore ${words}`;
const said = (report: DomainReport, ...others: DomainReport[]) =>
  consequences(report, [report, ...others], { line }).join('\n');

describe('what is said before a domain is removed', () => {
  test('the primary domain: who takes over, and how to keep its links', ({ expect }) => {
    const text = said(LIVE, other('example.com'), other('a.example.com', { status: 'verifying' }));
    expect(text).toContain('https://www.example.com stops being served at once.');
    expect(text).toContain('example.com becomes the primary domain.');
    expect(text).toContain('No redirect covers www.example.com: shared links stop working.');
    expect(text).toContain(
      '  petstore domains primary example.com\n  petstore domains redirect www.example.com example.com',
    );
  });

  test('several may take over, or none', ({ expect }) => {
    expect(said(LIVE, other('a.example.com'), other('b.example.com'))).toContain(
      'The one of a.example.com, b.example.com that has been live the longest becomes the primary domain.',
    );
    expect(said(LIVE)).toContain('no other live domain');
    expect(said(LIVE)).toContain('bring another domain live');
  });

  test('what redirects to it serves the project itself, and may take over', ({ expect }) => {
    const redirect = { to: 'www.example.com', status: 301 };
    const text = said(LIVE, other('example.com', { redirect }));
    expect(text).toContain('https://example.com no longer redirects to it');
    expect(text).toContain('example.com becomes the primary domain.');
  });

  test('another domain: its links can be kept by a redirect to the primary one', ({ expect }) => {
    expect(said(other('a.example.com'), other('b.example.com'), LIVE)).toContain(
      'To keep them, redirect it instead:\n  petstore domains redirect a.example.com www.example.com',
    );
  });

  test('a redirect', ({ expect }) => {
    const redirect = { to: 'www.example.com', status: 301 };
    expect(said(other('example.com', { redirect }), LIVE)).toBe(
      'https://example.com stops at once: it no longer redirects to https://www.example.com.',
    );
  });

  test('nothing was served yet', ({ expect }) =>
    expect(said(VERIFYING)).toBe('www.example.com is not served yet, so nothing stops; its claim ends.'));
});

const REMOVE = ['domains', 'remove', 'www.example.com'];
const ANSWERS = [LIVE, { domains: [LIVE] }, { ...LIVE, status: 'removing' }].map(succeeds);
const changes = (operator: Awaited<ReturnType<typeof startOperatorStandIn>>) =>
  operator.invocations.map(({ payload }) => payload.command);

describe.concurrent('domains remove', () => {
  test('2: nobody to ask and no --yes, in staging too: nothing is changed', async ({ expect }) => {
    const operator = await startOperatorStandIn(...ANSWERS);
    const { stdout, stderr, exitCode } = await petstore(REMOVE, operator.environment);
    expect(stderr).toContain('https://www.example.com stops being served at once.');
    expect(stderr).toContain('This removes www.example.com from staging.');
    expect(stderr).toContain('add --yes');
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(changes(operator)).toEqual(['domains.show', 'domains.list']);
  });

  test('0: --yes', async ({ expect }) => {
    const operator = await startOperatorStandIn(...ANSWERS);
    const words = [...REMOVE, '--yes', '--json', '--project', 'shop', '--stage', 'production'];
    const { stdout, stderr, exitCode } = await petstore(words, operator.environment);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'removing' });
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(operator.invocations[2]?.payload).toMatchObject({
      command: 'domains.remove',
      requestId: expect.any(String),
      project: 'shop',
      domain: 'www.example.com',
    });
  });

  // script(1) of other systems takes other flags.
  test.runIf(process.platform === 'linux')('1: asked once, and declined', async ({ expect }) => {
    const operator = await startOperatorStandIn(...ANSWERS);
    const words = [...REMOVE, '--stage', 'production'];
    const { screen, exitCode } = await petstoreInTerminal(words, operator.environment, 'n\r');
    expect(screen.split('Continue?')).toHaveLength(2);
    expect(screen).toContain('Nothing was changed.');
    expect(exitCode).toBe(1);
    expect(changes(operator)).toEqual(['domains.show', 'domains.list']);
  });
});
