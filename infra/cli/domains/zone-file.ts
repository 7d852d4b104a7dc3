import { quoted } from '../quoted-text.ts';
import type { DomainRecord, DomainReport } from './domain-report.ts';

/** The option of the commands that show records, as commander takes it. */
export const ZONE_FILE_OPTION = [
  '--zone-file',
  'print only the DNS records, in the form of a BIND zone file',
] as const;

/** The records in the form of a zone file (RFC 1035), which most DNS providers import. */
export function zoneFile({ domain, records }: DomainReport): string {
  return [`; The DNS records of ${domain}`, ...records.flatMap(recordLines)].join('\n');
}

function recordLines({ type, name, value, ttl }: DomainRecord): string[] {
  switch (type) {
    case 'CNAME':
      return [`${name}. ${ttl} IN CNAME ${value}.`];
    case 'TXT':
      return [`${name}. ${ttl} IN TXT ${quoted(value)}`];
    case 'ALIAS':
      return [
        `; ALIAS ${name}. ${ttl} ${value}.`,
        '; A zone file has no such type, and a CNAME is not allowed at the apex: create the record above by hand,',
        '; under the name that your DNS provider has for it: ALIAS, ANAME, or a CNAME that is flattened.',
      ];
  }
}
