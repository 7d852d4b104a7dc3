import { describe, expect, test } from 'vitest';
import { needsTool } from '../../../machine.ts';
import { ADDED, inUse, LIVE, nextSteps, TRAFFIC } from '../../operator/domains/domain-fixture.ts';
import { fails, LINK, startOperatorStandIn, succeeds } from '../../operator/operator-stand-in.ts';
import { answered } from '../petstore-here.ts';
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
