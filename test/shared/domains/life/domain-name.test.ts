import { describe, expect, test } from 'vitest';
import { NotADomain, readDomainName } from '../../../../shared/domains/life/domain-name.ts';

const OURS = ['apps.petstore.example'];

describe('readDomainName', () => {
  test.each([
    ['WWW.Example.COM.', 'www.example.com', 'subdomain', 'example.com'],
    ['example.co.uk', 'example.co.uk', 'apex', 'example.co.uk'],
    ['shop.example.co.uk', 'shop.example.co.uk', 'subdomain', 'example.co.uk'],
    ['bücher.example.com', 'xn--bcher-kva.example.com', 'subdomain', 'example.com'],
  ])('reads %s as %s, of the kind %s', (text, domain, kind, registrable) => {
    expect(readDomainName(text, OURS)).toEqual({ domain, kind, registrable });
  });

  test.each([
    ['*.example.com', 'wildcard'],
    ['https://www.example.com', 'address'],
    ['192.0.2.1', 'IP address'],
    ['localhost', 'no dot'],
    ['co.uk', 'public suffix'],
    ['_dmarc.example.com', 'not a host name'],
    ['-a.example.com', 'not a host name'],
    ['x.apps.petstore.example', 'cannot be claimed'],
    ['api.eu-west-1.amazonaws.com', 'cannot be claimed'],
    ['www.example.invalid', 'public top-level domain'],
    [`${'a'.repeat(64)}.com`, 'not a host name'],
    ['', 'not a domain name'],
  ])('rejects "%s": %s', (text, reason) => {
    expect(() => readDomainName(text, OURS)).toThrow(NotADomain);
    expect(() => readDomainName(text, OURS)).toThrow(reason);
  });
});
