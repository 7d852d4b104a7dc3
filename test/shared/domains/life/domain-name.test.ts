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
    ['wildcard', '*.example.com'],
    ['just a domain name', 'https://www.example.com', 'example.com#x', 'example.com?x', 'user@example.com'],
    ['IP address', '192.0.2.1'],
    ['no dot', 'localhost'],
    ['public suffix', 'co.uk', 'vercel.app', 'pages.dev'],
    ["isn't a host name", '_dmarc.example.com', '-a.example.com', '_x.acm-validations.aws', 'xn--.com'],
    ["isn't a host name", 'exa%6Dple.com', 'example.com\\evil', 'exam\u00adple.com'],
    ['public top-level domain', 'www.example.invalid'],
    ['more than 63 characters', `${'a'.repeat(64)}.com`],
    ["isn't public", 'foo.onion', '1.0.0.127.in-addr.arpa', '8.b.d.0.1.0.0.2.ip6.arpa'],
    ["isn't valid Punycode", 'xn--a.com', 'www.xn--0.com', 'ab--cd.com'],
    ["isn't a domain name", '', `a${LONGEST}`],
    ['is too long: certificates allow 64 characters at most', `${'a'.repeat(61)}.com`],
    ['is under amazonaws.eu, which is reserved', 'x.amazonaws.eu'],
    [
      'which is reserved',
      'x.apps.petstore.example',
      'cloudfront.net',
      'd1.cloudfront.net',
      'x.cloudfront.cn',
    ],
    ['which is reserved', 'on.aws', 'x.on.aws', 'acm-validations.aws', 'x.acm-validations.aws'],
    [
      'which is reserved',
      'amazonaws.com.cn',
      'x.s3.cn-north-1.amazonaws.com.cn',
      'api.eu-west-1.amazonaws.com',
    ],
    ['which is reserved', 'x.amazoncognito.com', 'x.amplifyapp.com', 'x.awsapprunner.com', 'x.awsapps.com'],
    ['which is reserved', 'x.awsglobalaccelerator.com', 'shop.eu-west-1.elasticbeanstalk.com'],
  ])('rejects by "%s": %j', (reason, ...texts) => {
    for (const text of texts) {
      expect(() => readDomainName(text, OURS), text).toThrow(NotADomain);
      expect(() => readDomainName(text, OURS), text).toThrow(reason);
    }
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
