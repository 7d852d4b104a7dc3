import { describe, expect, test } from 'vitest';
import { needsTool } from '../../../machine.ts';
import { ADDED, inUse, LIVE, nextSteps, TRAFFIC, VERIFYING } from '../../operator/domains/domain-fixture.ts';
import {
  fails,
  LINK,
  startAnsweringOperator,
  startOperatorStandIn,
  succeeds,
} from '../../operator/operator-stand-in.ts';
import { answered, petstoreHere } from '../petstore-here.ts';
import { interruptedInTerminal } from '../run-petstore.ts';

const ADD = 'domains add www.example.com';
const unnamed = { ...ADDED, records: [TRAFFIC] };

describe('domains add', () => {
  test('0: waits for the record of the certificate, then prints all records and the next command', async () => {
    const { stdout, stderr, exitCode, sent } = await answered(
      `${ADD} --project shop`,
      succeeds(unnamed),
      succeeds(ADDED),
    );
    expect(stderr).toBe("Waiting for AWS to provide the certificate's DNS record …\n");
    expect(stdout).toContain(
      `\n\nSend this to whoever runs the DNS of www.example.com. It works until 1 Apr 2026:\n\n  ${LINK.url}\n\nDNS records`,
    );
    expect(stdout).toMatch(/^PURPOSE +TYPE +NAME +FULL NAME +VALUE +TTL +STATE$/m);
    expect(stdout).toMatch(
      /^traffic +CNAME +www +www\.example\.com +1f0c\.apps\.petstore\.example +3600 +not checked$/m,
    );
    expect(stdout).toMatch(
      /^certificate +CNAME +_acm\.www +_acm\.www\.example\.com +_acm\.acm-validations\.aws /m,
    );
    expect(stdout).toMatch(
      /\nNext:\n {2}1\. Create the records above at your DNS provider\.\n {2}2\. Verify:\n {5}petstore domains verify www\.example\.com --wait --project shop\n$/,
    );
    expect(exitCode).toBe(0);
    expect(sent).toMatchObject([
      { command: 'domains.add', requestId: expect.any(String), project: 'shop', domain: 'www.example.com' },
      { command: 'domains.show', project: 'shop', domain: 'www.example.com' },
      { command: 'domains.link', project: 'petstore', domain: 'www.example.com' },
    ]);
  });

  test('0: has added the domain even if the record of the certificate cannot be read', async () => {
    const denied = fails(403, 'AccessDeniedException', 'Not you');
    const { stdout, exitCode } = await answered(ADD, succeeds(unnamed), fails(503, 'X', 'Down'), denied);
    expect(stdout).toContain('Added www.example.com to project petstore in staging.');
    expect(stdout).toContain('In a minute, run:\n\n  petstore domains show www.example.com\n');
    expect(exitCode).toBe(0);
  });

  test('130: Ctrl-C shows what was added', needsTool('a terminal by script(1)'), async () => {
    const { environment } = await startOperatorStandIn(succeeds(unnamed));
    const { screen, exitCode } = await interruptedInTerminal(ADD, environment, 'Waiting for AWS');
    expect(screen).toContain('Added www.example.com');
    expect(exitCode).toBe(130);
  });

  describe('--wait', () => {
    const LOOKED = { ...ADDED, lookedAt: '2026-01-01T12:00:30.000Z' };
    const found = (count: number) => ({
      ...LOOKED,
      records: ADDED.records.map((record, index) =>
        index < count ? { ...record, state: 'ok', isChecked: true, todo: null } : record,
      ),
    });
    const answers = [ADDED, LOOKED, found(1), found(2), VERIFYING, LIVE].map(succeeds);

    test('0: prints the records, says which appear, verifies once all are there, and waits until it is live', async () => {
      const { stdout, stderr, exitCode, sent } = await answered(`${ADD} --wait`, ...answers);
      expect(sent.map(({ command }) => command)).toEqual([
        'domains.add',
        'domains.link',
        'domains.look',
        'domains.look',
        'domains.look',
        'domains.verify',
        'domains.show',
      ]);
      expect(stdout).toMatch(
        /^Added .*\n {2}2\. Wait: once the records are there, this command verifies them\.\n/s,
      );
      expect(stdout.match(/is live/g)).toHaveLength(1);
      expect(stdout).toMatch(/\n\nwww\.example\.com {2}live\n/);
      const lines = stderr
        .trimEnd()
        .split('\n')
        .map(line => line.replace(/^\S+Z {2}/, ''));
      const record = (state: string) => [
        `traffic record, CNAME www.example.com: ${state}`,
        `certificate record, CNAME _acm.www.example.com: ${state}`,
      ];
      expect(lines.filter(line => line.includes(' record, '))).toEqual([
        ...record('not found yet'),
        ...record('ok'),
        ...record('missing'),
        ...record('ok'),
      ]);
      expect(lines).toContain('www.example.com: live');
      expect(exitCode).toBe(0);
    });

    test('0: with --json prints one report, the last', async () => {
      const { stdout, exitCode } = await answered(`${ADD} --wait --json`, ...answers);
      expect([JSON.parse(stdout), exitCode]).toEqual([LIVE, 0]);
    });

    test('3: says at the timeout how to go on', async () => {
      const { stdout, exitCode, sent } = await answered(`${ADD} --timeout 0s`, ...answers);
      expect(stdout).toContain(
        '\n\nNot verified yet. Create the records, then run: petstore domains verify www.example.com --wait\n',
      );
      expect(sent.map(({ command }) => command)).toEqual(['domains.add', 'domains.link', 'domains.look']);
      expect(exitCode).toBe(3);
    });

    test('0: verifies each of a pair once its own records are there', async () => {
      const apex = (report: object) => ({ ...report, domain: 'example.com' });
      const { environment, invocations } = await startAnsweringOperator(({ command, domain }) => {
        const shown = (report: object) => succeeds(domain === 'example.com' ? apex(report) : report);
        if (command === 'domains.add') return succeeds({ ...ADDED, sibling: apex(ADDED) });
        if (command === 'domains.look') return shown(found(2));
        if (command === 'domains.verify') return shown(VERIFYING);
        return succeeds({ domains: [LIVE, apex(LIVE)], next: null });
      });
      const { stdout, exitCode } = await petstoreHere(`${ADD} --with-www --wait`, environment);
      const verified = invocations.filter(({ payload }) => payload.command === 'domains.verify');
      expect(verified.map(({ payload }) => payload.domain).toSorted()).toEqual([
        'example.com',
        'www.example.com',
      ]);
      expect(stdout).toMatch(/^example\.com +live$/m);
      expect(exitCode).toBe(0);
    });
  });

  test('0: --json waits too, and prints the report', async () => {
    const run = await answered(`${ADD} --json`, succeeds(unnamed), succeeds(ADDED));
    expect(JSON.parse(run.stdout)).toEqual({ ...ADDED, link: LINK });
    expect(run).toMatchObject({ stderr: '', exitCode: 0 });
    expect(run.sent[0]).toMatchObject({ project: 'petstore' });
  });

  test('0: says that a domain that is not new was in the project before', async () => {
    const sibling = { ...LIVE, domain: 'example.com', next: ['Retry in a fresh window.'] };
    const { stdout } = await answered(`${ADD} --with-www`, succeeds({ ...ADDED, sibling }));
    expect(stdout).toMatch(
      /^Added www\.example\.com to project petstore in staging\. example\.com was already there\.\n/,
    );
    expect(stdout.match(/^(Next:|traffic .*)$/gm)).toHaveLength(2);
    expect(stdout).toContain('petstore domains verify www.example.com --wait\n');
    const again = await answered(ADD, succeeds(LIVE));
    expect(again.stdout).toMatch(/^www\.example\.com is already in project petstore in staging\.\n/);
  });

  test('0: --zone-file prints only the records', async () => {
    const { stdout } = await answered(`${ADD} --zone-file`, succeeds(ADDED));
    expect(stdout).toBe(
      '; The DNS records of www.example.com\nwww.example.com. 3600 IN CNAME 1f0c.apps.petstore.example.\n_acm.www.example.com. 3600 IN CNAME _acm.acm-validations.aws.\n',
    );
  });

  test('0: --with-www adds both names, lists all records at once and says which one redirects', async () => {
    const apex = {
      ...ADDED,
      domain: 'example.com',
      records: ADDED.records.map(record => ({
        ...record,
        name: record.name.replace('www.', ''),
        label: '@',
      })),
    };
    const redirect = { to: 'example.com', status: 301, isPending: true };
    const sibling = { ...ADDED, redirect };
    const { stdout, sent } = await answered(
      'domains add example.com --with-www',
      succeeds({ ...apex, sibling: { ...unnamed, redirect } }),
      succeeds(apex),
      succeeds(sibling),
    );
    expect(stdout).toMatch(
      /^Added example\.com and www\.example\.com to project petstore in staging\.\nwww\.example\.com will redirect to example\.com \(301\) once both are live\.\n\nSend this to whoever runs the DNS of example\.com and www\.example\.com\. /,
    );
    expect(stdout.match(/^(traffic|certificate) .*$/gm)).toHaveLength(4);
    expect(stdout.split('DNS records in the zone')).toHaveLength(2);
    expect(stdout).toContain('\n     petstore domains verify example.com www.example.com --wait\n');
    expect(sent).toMatchObject([
      { command: 'domains.add', domain: 'example.com', withWww: true },
      { command: 'domains.show', domain: 'example.com' },
      { command: 'domains.show', domain: 'www.example.com' },
      { command: 'domains.link', domain: 'example.com' },
    ]);
  });

  test('0: an apex that cannot point here has no records to create, only what to do instead', async () => {
    const WAY = 'Forward example.com at GoDaddy.';
    const detour = { provider: 'GoDaddy', www: 'www.example.com', isAdded: true };
    const redirect = { to: 'www.example.com', status: 301, isPending: true };
    const message = "GoDaddy has no ALIAS records, so example.com itself can't point here.";
    const apex = {
      ...ADDED,
      domain: 'example.com',
      redirect,
      detour,
      message,
      ...nextSteps(['detour', WAY]),
    };
    const { stdout } = await answered(
      'domains add example.com --with-www',
      succeeds({ ...apex, sibling: ADDED }),
    );
    expect(stdout).toMatch(
      /^Added example\.com and www\.example\.com to project petstore in staging\.\n\nGoDaddy has no ALIAS records, so example\.com itself can't point here\.\n\nSend this /,
    );
    expect(stdout.match(/^(traffic|certificate) .*$/gm)).toHaveLength(2);
    expect(stdout).toContain(
      `     petstore domains verify www.example.com --wait\n  3. ${WAY}\n     petstore domains remove example.com\n`,
    );
    const alone = {
      ...apex,
      detour: { ...detour, isAdded: false },
      ...nextSteps(['detour', WAY], ['detour', 'Move.']),
    };
    const run = await answered('domains add example.com', succeeds(alone));
    expect(run.stdout).toMatch(
      /a-key\n\nNext:\n {2}- Forward example\.com at GoDaddy\.\n {5}petstore domains add www\.example\.com\n {5}petstore domains remove example\.com\n {2}- Move\.\n$/,
    );
  });

  test('0: --switch-later says what to create first, and what to change last', async () => {
    const { stdout, sent } = await answered(`${ADD} --switch-later`, succeeds(inUse(ADDED)));
    expect(stdout).toMatch(/^traffic .* switch last$/m);
    expect(stdout).toMatch(
      /\n {2}1\. Leave the traffic record as it is.* Create the ownership and certificate records .*\n {2}2\. Verify, .*\n {5}petstore domains verify www\.example\.com --wait\n {2}3\. Within 30 days, change the traffic record\./,
    );
    expect(sent[0]).toMatchObject({ switchLater: true });
  });
});
