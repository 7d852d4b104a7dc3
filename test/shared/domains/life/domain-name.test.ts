import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  displayName,
  isWithin,
  NotADomain,
  platformOf,
  readDomainName,
} from '../../../../shared/domains/life/domain-name.ts';

const OURS = ['apps.petstore.example'];

/** 253 characters. */
const LONGEST = `${'a.'.repeat(121)}example.com`;

describe('readDomainName', () => {
  test.each([
    ['WWW.Example.COM.', 'www.example.com', 'subdomain', 'example.com'],
    ['example.co.uk', 'example.co.uk', 'apex', 'example.co.uk'],
    ['shop.example.co.uk', 'shop.example.co.uk', 'subdomain', 'example.co.uk'],
    ['shop.vercel.app', 'shop.vercel.app', 'apex', 'shop.vercel.app'],
    ['ｅｘａｍｐｌｅ。com', 'example.com', 'apex', 'example.com'],
    [' example.com\n', 'example.com', 'apex', 'example.com'],
    [`${'a'.repeat(60)}.com`, `${'a'.repeat(60)}.com`, 'apex', `${'a'.repeat(60)}.com`],
    [LONGEST, LONGEST, 'subdomain', 'example.com'],
    ['a--b.example.com', 'a--b.example.com', 'subdomain', 'example.com'],
    ['bücher.example.com', 'xn--bcher-kva.example.com', 'subdomain', 'example.com'],
  ])('reads %s as %s, of the kind %s', (text, domain, kind, registrable) => {
    expect(readDomainName(text, OURS)).toEqual({ domain, kind, registrable });
  });

  test.each([
    ['*.example.com', 'wildcard'],
    ['https://www.example.com', 'just a domain name'],
    ['192.0.2.1', 'IP address'],
    ['localhost', 'no dot'],
    ['co.uk', 'public suffix'],
    ['_dmarc.example.com', "isn't a host name"],
    ['-a.example.com', "isn't a host name"],
    ['x.apps.petstore.example', 'which is reserved'],
    ['api.eu-west-1.amazonaws.com', 'which is reserved'],
    ['www.example.invalid', 'public top-level domain'],
    [`${'a'.repeat(64)}.com`, 'more than 63 characters'],
    ['example.com#x', 'just a domain name'],
    ['example.com?x', 'just a domain name'],
    ['user@example.com', 'just a domain name'],
    ['exa%6Dple.com', "isn't a host name"],
    ['example.com\\evil', "isn't a host name"],
    ['exam\u00adple.com', "isn't a host name"],
    ['cloudfront.net', 'which is reserved'],
    ['d1.cloudfront.net', 'which is reserved'],
    ['on.aws', 'which is reserved'],
    ['x.on.aws', 'which is reserved'],
    ['_x.acm-validations.aws', "isn't a host name"],
    ['acm-validations.aws', 'which is reserved'],
    ['x.acm-validations.aws', 'which is reserved'],
    ['amazonaws.com.cn', 'which is reserved'],
    ['x.s3.cn-north-1.amazonaws.com.cn', 'which is reserved'],
    ['shop.eu-west-1.elasticbeanstalk.com', 'which is reserved'],
    ['foo.onion', "isn't public"],
    ['1.0.0.127.in-addr.arpa', "isn't public"],
    ['8.b.d.0.1.0.0.2.ip6.arpa', "isn't public"],
    ['xn--.com', "isn't a host name"],
    ['xn--a.com', "isn't valid Punycode"],
    ['www.xn--0.com', "isn't valid Punycode"],
    ['ab--cd.com', "isn't valid Punycode"],
    ['vercel.app', 'public suffix'],
    ['pages.dev', 'public suffix'],
    ['', "isn't a domain name"],
    [`a${LONGEST}`, "isn't a domain name"],
    [`${'a'.repeat(61)}.com`, 'is too long: certificates allow 64 characters at most'],
    ['x.amazonaws.eu', 'is under amazonaws.eu, which is reserved'],
    ['x.amazoncognito.com', 'is under amazoncognito.com, which is reserved'],
    ['x.amplifyapp.com', 'is under amplifyapp.com, which is reserved'],
    ['x.awsapprunner.com', 'is under awsapprunner.com, which is reserved'],
    ['x.awsapps.com', 'is under awsapps.com, which is reserved'],
    ['x.awsglobalaccelerator.com', 'is under awsglobalaccelerator.com, which is reserved'],
    ['x.cloudfront.cn', 'is under cloudfront.cn, which is reserved'],
  ])('rejects "%s": %s', (text, reason) => {
    expect(() => readDomainName(text, OURS)).toThrow(NotADomain);
    expect(() => readDomainName(text, OURS)).toThrow(reason);
  });

  test('says what is wrong with the text that was typed, under a name of its own', () => {
    const rejected = expect.objectContaining({
      name: 'NotADomain',
      message: "Example.COM: isn't just a domain name; enter only the name, such as www.example.com",
    });
    expect(() => readDomainName('Example.COM:', OURS)).toThrow(rejected);
  });
});

/** Reads the text, or returns undefined when it is refused; any other error is a fault. */
function read(text: string) {
  try {
    return readDomainName(text, OURS);
  } catch (error) {
    if (!(error instanceof NotADomain)) throw error;
    return undefined;
  }
}

describe('the name that is read', () => {
  const nearlyAName = fc
    .array(fc.oneof(fc.string({ minLength: 1, maxLength: 4, unit: 'grapheme' }), fc.domain()), {
      minLength: 1,
      maxLength: 3,
    })
    .map(parts => parts.join('.'));

  test('is in lower case and A-labels, and is read as itself again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), nearlyAName), text => {
        const name = read(text);
        if (!name) return;
        expect(name.domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
        expect(name.domain === name.registrable || name.domain.endsWith(`.${name.registrable}`)).toBe(true);
        expect(read(name.domain)).toEqual(name);
        expect(domainToASCII(displayName(name.domain))).toBe(name.domain);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  test('is refused with any character of URLs in it, wherever that is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...'#?%\\/:@&= \t|<>^"\u00ad\u200b'),
        fc.nat({ max: 15 }),
        (character, position) => {
          const name = 'www.example.com';
          expect(read(`${name.slice(0, position)}${character}${name.slice(position)}x`)).toBeUndefined();
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  });
});

test('displayName writes international names as people do, and leaves others alone', () => {
  expect(displayName('xn--bcher-kva.example.com')).toBe('bücher.example.com');
  expect(displayName('www.example.com')).toBe('www.example.com');
});

test('platformOf names the platform below whose domain a name is', () => {
  expect(['shop.vercel.app', 'www.shop.pages.dev', 'www.example.co.uk'].map(platformOf)).toEqual([
    'vercel.app',
    'pages.dev',
    undefined,
  ]);
});

test('a zone contains its own name and the names below it', () => {
  expect(isWithin('example.com', 'example.com')).toBe(true);
  expect(isWithin('a.b.example.com', 'example.com')).toBe(true);
  expect(isWithin('notexample.com', 'example.com')).toBe(false);
});
