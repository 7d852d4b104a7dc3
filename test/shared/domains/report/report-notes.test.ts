import { describe, expect, test } from 'vitest';
import { claimNotes, removalNotes } from '../../../../shared/domains/report.ts';
import { NO_ROUTING } from '../../../../shared/projects/routing.ts';
import { AT, claimed, live } from '../claimed-domain.ts';

const CLAIM_ENDS = 'The claim ends by itself if it is not verified within 7 days.';

describe('the notes of a claim', () => {
  test.each([
    ['pending_dns', null, [CLAIM_ENDS]],
    ['failed', null, [CLAIM_ENDS]],
    ['pending_dns', AT, []],
    ['verifying', null, []],
    ['issuing', null, []],
    ['live', null, []],
    ['removing', null, []],
  ] as const)('say of one that is %s, proven at %s: %j', (status, provenAt, notes) => {
    expect(claimNotes(claimed({ status, provenAt }))).toEqual(notes);
  });

  test('are none for a live or removed name below the domain of a platform', () => {
    const domain = 'www.zoo.vercel.app';
    expect(claimNotes(claimed({ domain, status: 'verifying' }))).toHaveLength(1);
    expect(claimNotes(live({ domain }))).toEqual([]);
    expect(claimNotes(claimed({ domain, status: 'removing' }))).toEqual([]);
  });

  test('say how an apex points here, until API Gateway has its host', () => {
    const apex = claimed({ domain: 'zoo.example', kind: 'apex', status: 'issuing' });
    expect(claimNotes(apex)).toEqual([
      'Not every DNS provider has ALIAS or ANAME records. If yours has neither, add www.zoo.example instead, with a CNAME record, and have your provider redirect zoo.example to it.',
      'In a Route 53 zone, create the TXT record and the CNAME record of the certificate now, and an alias record of type A at zoo.example later: its target is the domain name at API Gateway, which is shown here once the certificate is issued.',
    ]);
    expect(claimNotes({ ...apex, gateway: live().gateway })).toEqual([]);
  });
});

describe('the notes of a removal', () => {
  const [WWW, APEX, SHOP] = ['www.zoo.example', 'zoo.example', 'shop.zoo.example'];
  const DELETE_RECORDS =
    'Delete the DNS records of www.zoo.example, unless another project or environment uses the name: a record that points at nothing can be abused by others.';

  test('are none for a domain that is not live', () => {
    expect(removalNotes(claimed(), NO_ROUTING)).toEqual([]);
  });

  test('say that links stop working, and that a redirect would keep them', () => {
    expect(removalNotes(live(), { ...NO_ROUTING, liveDomains: [WWW] })).toEqual([
      'Links to https://www.zoo.example stop working. Where a URL was shared, redirect the domain to another one of the project instead of removing it.',
      DELETE_RECORDS,
    ]);
  });

  test('name the redirect that ends with the domain', () => {
    const redirects = [{ from: WWW, to: APEX, status: 308 } as const];
    expect(removalNotes(live(), { liveDomains: [WWW, APEX], primary: APEX, redirects })).toEqual([
      'https://www.zoo.example no longer redirects to https://zoo.example: links to it stop working.',
      DELETE_RECORDS,
    ]);
  });

  test('name the domains that redirected to it, and no others', () => {
    const redirects = [{ from: APEX, to: WWW, status: 308 } as const];
    expect(
      removalNotes(live(), { liveDomains: [WWW, APEX, SHOP], primary: WWW, redirects }).slice(1),
    ).toEqual([
      'https://zoo.example no longer redirects to https://www.zoo.example, and serves the project itself.',
      DELETE_RECORDS,
    ]);
  });
});
