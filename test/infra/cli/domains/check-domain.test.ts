import { describe, expect, test } from 'vitest';
import type { FirstLook } from '../../../../shared/operator/contract.ts';
import { succeeds } from '../../operator/operator-stand-in.ts';
import { answered } from '../petstore-here.ts';

const CHECK = 'domains check example.com';
const LOOK: Partial<FirstLook> = {
  domain: 'example.com',
  kind: 'apex',
  zone: 'example.com',
  provider: { name: 'Cloudflare', link: '', alias: 'CNAME', apexName: '@', instructions: [] },
  findings: [
    { kind: 'registration', isTrouble: false, text: 'example.com is registered.' },
    {
      kind: 'caa',
      isTrouble: true,
      text: 'A CAA record is in the way.',
      fix: { type: 'CAA', name: 'example.com', label: '@', value: '0 issue "amazon.com"' },
    },
  ],
  records: [{ purpose: 'traffic', type: 'ALIAS', name: 'example.com', label: '@' }],
  refusal: null,
  suggestion: { domain: 'example.com', withWww: true, switchLater: true },
  next: ['Add it.', 'Verify it.'],
};

describe('domains check', () => {
  test('0: prints what was found, the records by the words of the provider, and the command to add it', async () => {
    const { stdout, exitCode, sent } = await answered(`${CHECK} --project shop`, succeeds(LOOK));
    expect(stdout).toMatch(
      /^example\.com {2}an apex\n\n- example\.com is registered\.\n! A CAA record is in the way\.\nADD +NAME +FULL NAME +VALUE\nCAA +@ +example\.com +0 issue "amazon\.com"\n\nIt will need these records:\n\nPURPOSE +TYPE +NAME +FULL NAME\ntraffic +CNAME +@ +example\.com\n\nNext:\n {2}1\. Add it\.\n {2}2\. Verify it\.\n\n {2}petstore domains add example\.com --with-www --switch-later --project shop\n$/,
    );
    expect(exitCode).toBe(0);
    expect(sent).toMatchObject([{ command: 'domains.check', project: 'shop', domain: 'example.com' }]);
  });

  test('3: a name that is refused has neither records nor a command; --json prints the look', async () => {
    const refusal = { reason: 'domain_taken', message: 'Taken.' };
    const findings = [{ kind: 'refusal', isTrouble: true, text: 'Taken.' }];
    const refused = { ...LOOK, refusal, findings, suggestion: null, next: [] };
    expect(await answered(CHECK, succeeds(refused))).toMatchObject({
      stdout: 'example.com  an apex\n\n! Taken.\n',
      exitCode: 3,
    });
    const { stdout } = await answered(`${CHECK} --json`, succeeds(refused));
    expect(JSON.parse(stdout)).toEqual(refused);
  });
});
