import { describe, expect, test } from 'vitest';
import { letter } from '../../../../infra/operator/domains/letter.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { petstoreHere } from '../../cli/petstore-here.ts';
import { startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { ADDED, inUse, LIVE, nextSteps, READY, TRAFFIC, VERIFYING } from './domain-fixture.ts';

const HETZNER: NonNullable<DomainReport['provider']> = {
  name: 'Hetzner',
  link: 'https://docs.hetzner.com/',
  alias: null,
  apexName: '@',
  appendsToValues: true,
  instructions: ['Enter names without example.com: Hetzner adds it.'],
};

describe('the email to whoever runs the DNS', () => {
  test('has the records in the words of the provider, and what else to do', async () => {
    const operator = await startOperatorStandIn(succeeds({ ...ADDED, provider: HETZNER }));
    const { stdout } = await petstoreHere(
      ['domains', 'show', 'www.example.com', '--letter'],
      operator.environment,
    );
    expect(stdout).toBe(`Subject: DNS records for www.example.com

Hello,

Please create these DNS records for www.example.com at Hetzner:

Record 1
  Type: CNAME
  Name: www
  Value: 1f0c.apps.petstore.example.
  TTL: 3600

Record 2
  Type: CNAME
  Name: _acm.www
  Value: _acm.acm-validations.aws.
  TTL: 3600

Enter names without example.com: Hetzner adds it.
How to create records at Hetzner: https://docs.hetzner.com/

Please keep them for good: the certificate can't renew without them. All other records, such as those for mail, stay as they are. Please reply when this is done.

Thank you
`);
  });

  test('names the apex and its ALIAS as the provider does, for both names of a pair', () => {
    const alias = { ...TRAFFIC, type: 'ALIAS' as const, name: 'example.com', label: '@' };
    const { appendsToValues: _, ...plain } = HETZNER;
    const fields = ['Host', 'Answer'] as const;
    const provider = { ...plain, alias: 'ANAME', apexName: '', fields } as const;
    const apex = { ...ADDED, domain: 'example.com', records: [alias], provider };
    const text = letter([apex, ADDED]);
    expect(text).toContain('Subject: DNS records for example.com and www.example.com');
    expect(text).toContain(
      '  Type: ANAME\n  Host: (leave empty)\n  Answer: 1f0c.apps.petstore.example\n  TTL',
    );
    const atRoute53 = { ...provider, alias: 'A and AAAA alias' } as const;
    expect(letter([{ ...apex, provider: atRoute53 }])).not.toContain('TTL');
  });

  test('leaves the traffic record alone until the domain is ready', () => {
    const prepared = inUse(ADDED);
    expect(letter([prepared])).not.toContain(TRAFFIC.value);
    expect(letter([prepared])).toContain('Please leave the current record of www.example.com as it is.');
    expect(letter([READY])).toContain(
      `${TRAFFIC.value}\n  TTL: 3600\n  It takes the place of: old.example.net\n`,
    );
    const later = { ...ADDED, records: [{ ...TRAFFIC, todo: { kind: 'later' as const } }] };
    expect(letter([later])).not.toContain(TRAFFIC.value);
    expect(letter([READY])).toContain('Please keep them for good. All other records');
  });

  test('asks for a CAA record that is missing, and for nothing once everything is right', () => {
    const fix = { type: 'CAA' as const, name: 'example.com', label: '@', value: '0 issue "amazon.com"' };
    const troubles = VERIFYING.troubles.map(each => ({ ...each, reason: 'caa_blocked' as const, fix }));
    expect(letter([{ ...VERIFYING, records: [], troubles }])).toContain(
      '  Type: CAA\n  Name: @\n  Value: 0 issue "amazon.com"',
    );
    expect(letter([LIVE])).toContain('All DNS records for www.example.com are right.');
  });

  test('asks to delete the records of a domain that is being removed', () => {
    const text = letter([{ ...LIVE, status: 'removing' }]);
    expect(text).toContain('Please delete these DNS records for www.example.com');
    expect(text).toContain(TRAFFIC.value);
    expect(text).not.toContain('keep them');
  });

  test('asks to forward an apex that cannot point here, and to register a domain', () => {
    const detour = { provider: 'GoDaddy', www: 'www.example.com', isAdded: true };
    const stuck = letter([{ ...ADDED, domain: 'example.com', detour }]);
    expect(stuck).toContain('Please forward example.com to https://www.example.com at GoDaddy.');
    expect(stuck).not.toContain('Record 1');
    expect(letter([{ ...ADDED, ...nextSteps(['delegation', 'Register it.']) }])).toContain('Register it.');
  });
});
