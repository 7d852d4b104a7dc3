import { describe, expect, test } from 'vitest';
import { ADDED } from '../../operator/domains/domain-fixture.ts';
import { startLocalMachine } from '../../operator/domains/local-machine.ts';
import { answered, petstoreHere } from '../petstore-here.ts';

/** The command with the DNS provider of one machine, whose operator function has this result. */
async function localDns(result?: object) {
  const { environment, records } = await startLocalMachine(result);
  return { records, dns: (line: string) => petstoreHere(`--local dns ${line}`, environment) };
}

const APPLIED = [
  'www.example.com. CNAME 1f0c.apps.petstore.example',
  '_acm.www.example.com. CNAME _acm.acm-validations.aws',
];

describe('dns', () => {
  test('2: is refused without --local, and sends nothing to AWS', async () => {
    const { stderr, exitCode, sent } = await answered('dns apply www.example.com');
    expect(stderr).toBe(
      'Error: petstore dns apply acts as the DNS provider on this machine and needs --local.\n  On AWS, create the records at your DNS provider. See them with: petstore domains show <domain>\n',
    );
    expect(exitCode).toBe(2);
    expect(sent).toEqual([]);
  });

  test('0: sets, lists and deletes a record', async () => {
    const { dns, records } = await localDns();
    expect(await dns('set www.example.com txt one two --ttl 5')).toEqual({
      stdout:
        'Created the zone example.com.\nSet TXT www.example.com to "one", "two" (TTL 5) in the zone example.com.\n',
      stderr: '',
      exitCode: 0,
    });
    const { stdout } = await dns('list www.example.com');
    expect(stdout).toMatch(/^Zone example\.com$/m);
    expect(stdout).toMatch(/^www\.example\.com +TXT +5 +"one", "two"$/m);
    expect(await dns('delete www.example.com TXT')).toMatchObject({
      stdout: 'Deleted TXT www.example.com from the zone example.com.\n',
      exitCode: 0,
    });
    expect(records()).toEqual([]);
    expect(await dns('delete www.example.com TXT')).toEqual({
      stdout: '',
      stderr:
        'Error: www.example.com has no TXT record.\n  See the records with: petstore dns list example.com --local\n',
      exitCode: 1,
    });
  });

  test('0: lists an ALIAS with the target that was set, until the record is changed', async () => {
    const { dns, records } = await localDns();
    const listed = async () => (await dns('list example.com')).stdout;
    await dns('set host.example.org A 192.0.2.1');
    await dns('set example.com ALIAS host.example.org');
    expect(await listed()).toMatch(/^example\.com +ALIAS +60 +host\.example\.org$/m);
    expect(await listed()).not.toMatch(/_alias|192\.0\.2/);
    await dns('set example.com A 192.0.2.2');
    expect(await listed()).toMatch(/^example\.com +A +60 +192\.0\.2\.2$/m);
    await dns('delete example.com ALIAS');
    expect(records()).toEqual(['host.example.org. A 192.0.2.1']);
  });

  test('0: apply sets the records of a domain, and says what to do next', async () => {
    const { dns, records } = await localDns(ADDED);
    const { stdout, stderr, exitCode } = await dns('apply www.example.com');
    expect(stdout).toContain('Set CNAME www.example.com to 1f0c.apps.petstore.example.\n');
    expect(stdout).toContain('Then: petstore domains verify www.example.com --wait --local\n');
    expect([stderr, exitCode]).toEqual(['Created the zone example.com.\n', 0]);
    expect(records()).toEqual(APPLIED);
  });

  test('2: apply says which record it would delete, and 0: deletes that with --yes', async () => {
    const { dns, records } = await localDns(ADDED);
    await dns('set www.example.com A 192.0.2.1');
    expect(await dns('apply www.example.com')).toEqual({
      stdout: '',
      stderr: "Error: This deletes A www.example.com 192.0.2.1. Can't ask here. Re-run with --yes.\n",
      exitCode: 2,
    });
    expect(records()).toEqual(['www.example.com. A 192.0.2.1']);
    const { stdout } = await dns('apply www.example.com --yes');
    expect(stdout).toMatch(/^Deleted A www\.example\.com 192\.0\.2\.1\.\nSet CNAME /);
    expect(records()).toEqual(APPLIED);
  });
});
