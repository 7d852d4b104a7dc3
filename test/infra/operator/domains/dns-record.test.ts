import { expect, test } from 'vitest';
import { readName, readTtl, readType, readValues } from '../../../../infra/operator/domains/dns-record.ts';

test.for([
  ['www.Example.COM.', 'www.example.com'],
  ['*.example.com', '*.example.com'],
  ['_petstore-challenge.example.com', '_petstore-challenge.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
] as const)('reads the name %s as %s', ([text, name]) => expect(readName(text)).toBe(name));

test.for(['', 'a b.com', 'https://example.com', '-.com', 'a..b', 'a.*.com'])('%j is not a DNS name', text =>
  expect(() => readName(text)).toThrow("isn't a DNS name"),
);

test('reads types in any case, and lists them if one is unknown', () => {
  expect(readType('cname')).toBe('CNAME');
  expect(() => readType('SRV')).toThrow('The types are A, AAAA, ALIAS, CAA, CNAME, MX, NS, TXT');
});

test.for(['-1', '1h', '', '2147483648'])('%j is not a TTL', text =>
  expect(() => readTtl(text)).toThrow('--ttl takes seconds'),
);

test.for([
  ['A', '192.0.2.1', '192.0.2.1'],
  ['AAAA', '2001:db8::1', '2001:db8::1'],
  ['CNAME', 'Host.example.com.', 'host.example.com'],
  ['ALIAS', 'host.example.com', 'host.example.com'],
  ['MX', '10 mail.example.com.', '10 mail.example.com'],
  ['CAA', '0 issue amazon.com', '0 issue "amazon.com"'],
  ['CAA', '0 issue ";"', '0 issue ";"'],
  ['TXT', 'v=spf1 -all', '"v=spf1 -all"'],
  ['TXT', '"v=spf1 -all"', '"v=spf1 -all"'],
  ['TXT', 'say "hi"', '"say \\"hi\\""'],
  ['TXT', 'x'.repeat(300), `"${'x'.repeat(255)}" "${'x'.repeat(45)}"`],
] as const)('reads the %s value %s', ([type, text, value]) =>
  expect(readValues(type, [text])).toEqual([value]),
);

test.for([
  ['A', '2001:db8::1'],
  ['AAAA', '192.0.2.1'],
  ['CNAME', '192.0.2.1'],
  ['CNAME', '*.example.com'],
  ['MX', 'mail.example.com'],
  ['CAA', 'amazon.com'],
] as const)('refuses the %s value %s', ([type, text]) =>
  expect(() => readValues(type, [text])).toThrow(
    `isn't a valid value for the type ${type}. Enter one such as`,
  ),
);

test('refuses two values of a CNAME', () =>
  expect(() => readValues('CNAME', ['a.example.com', 'b.example.com'])).toThrow(
    'Give one value for the type CNAME, not 2',
  ));
