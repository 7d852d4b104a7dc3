import { describe, expect, test } from 'vitest';
import { letter } from '../../../../infra/operator/domains/letter.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { petstoreHere } from '../../cli/petstore-here.ts';
import { LINK, startOperatorStandIn, succeeds } from '../operator-stand-in.ts';
import { ADDED, inUse, LIVE, READY, TRAFFIC, VERIFYING } from './domain-fixture.ts';

const HETZNER: NonNullable<DomainReport['provider']> = {
  name: 'Hetzner',
  link: 'https://docs.hetzner.com/',
  alias: null,
  apexName: '@',
  appendsToValues: true,
  instructions: ['Enter names without example.com: Hetzner adds it.'],
};

describe('the email to whoever runs the DNS', () => {
  test('begins with the link to the page, and has the records as text in the words of the provider', async () => {
    const operator = await startOperatorStandIn(succeeds({ ...ADDED, provider: HETZNER }));
    const { stdout } = await petstoreHere(
      ['domains', 'show', 'www.example.com', '--letter'],
      operator.environment,
    );
    expect(stdout).toBe(`Subject: DNS records for www.example.com

Hello,

Please set up the DNS of www.example.com. This page says how, and what was found. It needs no account, and works until 1 Apr 2026:

${LINK.url}

The records to create at Hetzner:

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

Please keep them for good: the certificate can't renew without them. All other records, such as those for mail, stay as they are.

When this is done, press "Check now" on the page.

Thank you
`);
  });

  test('names the apex and its ALIAS as the provider does, for both names of a pair', () => {
    const alias = { ...TRAFFIC, type: 'ALIAS' as const, name: 'example.com', label: '@' };
    const { appendsToValues: _, ...plain } = HETZNER;
    const fields = ['Host', 'Answer'] as const;
    const provider = { ...plain, alias: 'ANAME', apexName: '', fields } as const;
    const apex = { ...ADDED, domain: 'example.com', records: [alias], provider };
    const text = letter([apex, ADDED], LINK);
    expect(text).toContain('Subject: DNS records for example.com and www.example.com');
    expect(text).toContain(
      '  Type: ANAME\n  Host: (leave empty)\n  Answer: 1f0c.apps.petstore.example\n  TTL',
    );
    const atRoute53 = { ...provider, alias: 'A and AAAA alias' } as const;
    expect(letter([{ ...apex, provider: atRoute53 }], LINK)).not.toContain('TTL');
  });

  test('leaves the traffic record alone until the domain is ready', () => {
    const prepared = inUse(ADDED);
    expect(letter([prepared], LINK)).not.toContain(TRAFFIC.value);
    expect(letter([READY], LINK)).toContain(
      `${TRAFFIC.value}\n  TTL: 3600\n  It takes the place of: old.example.net\n`,
    );
    const later = { ...ADDED, records: [{ ...TRAFFIC, todo: { kind: 'later' as const } }] };
    expect(letter([later], LINK)).not.toContain(TRAFFIC.value);
    expect(letter([READY], LINK)).toContain('Please keep them for good. All other records');
  });

  test('asks for a CAA record that is missing, and for nothing once everything is right', () => {
    const fix = { type: 'CAA' as const, name: 'example.com', label: '@', value: '0 issue "amazon.com"' };
    const troubles = VERIFYING.troubles.map(each => ({ ...each, reason: 'caa_blocked' as const, fix }));
    expect(letter([{ ...VERIFYING, records: [], troubles }], LINK)).toContain(
      '  Type: CAA\n  Name: @\n  Value: 0 issue "amazon.com"',
    );
    expect(letter([LIVE], null)).toContain('All DNS records for www.example.com are right.');
  });

  test('asks to delete the records of a domain that is being removed', () => {
    const text = letter([{ ...LIVE, status: 'removing' }], null);
    expect(text).toContain('Please delete these DNS records for www.example.com');
    expect(text).toContain(TRAFFIC.value);
    expect(text).not.toContain('keep them');
  });

  test('has no records for an apex that cannot point here: the page says what to do instead', () => {
    const detour = { provider: 'GoDaddy', www: 'www.example.com', isAdded: true };
    const stuck = letter([{ ...ADDED, domain: 'example.com', detour }], LINK);
    expect(stuck).toContain(LINK.url);
    expect(stuck).not.toContain('Record 1');
  });
});
