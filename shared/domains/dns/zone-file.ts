import type { RequiredRecord } from './required-record.ts';

type ZoneRecord = Pick<RequiredRecord, 'type' | 'name' | 'value' | 'ttl'>;

/** The records of a domain as a zone file (RFC 1035), which most DNS providers can import. */
export function zoneFile({
  domain,
  records,
}: {
  readonly domain: string;
  readonly records: readonly ZoneRecord[];
}): string {
  return [`; The DNS records of ${domain}`, ...records.flatMap(recordLines)].join('\n');
}

function recordLines({ type, name, value, ttl }: ZoneRecord): string[] {
  switch (type) {
    case 'CNAME':
      return [`${name}. ${ttl} IN CNAME ${value}.`];
    case 'TXT':
      return [`${name}. ${ttl} IN TXT ${quoted(value)}`];
    case 'ALIAS':
      return [
        `; ALIAS ${name}. ${ttl} ${value}.`,
        "; Zone files have no ALIAS type, and a CNAME isn't allowed at the apex: create the record above by hand,",
        '; with the type your DNS provider has for it: ALIAS, ANAME, or a flattened CNAME.',
      ];
  }
}

/** A string of a TXT record has up to 255 octets; a longer text is split into several strings. */
const LONGEST_STRING = 255;

/** Text as the value of a TXT record: "in quotes", with quotes and backslashes in it escaped. */
export function quoted(text: string): string {
  const strings = text.match(new RegExp(`.{1,${LONGEST_STRING}}`, 'gs')) ?? [''];
  return strings.map(string => `"${string.replace(/["\\]/g, '\\$&')}"`).join(' ');
}
