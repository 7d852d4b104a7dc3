import { parse } from 'tldts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** A name has 253 characters, of which a host's label and the dot behind it take 21. */
const LONGEST_PLATFORM_DOMAIN = 253 - 21;

/** Names that RFC 2606, 6761 and 6762 reserve: no parent zone can delegate them. Route 53 refuses example.com, too. */
const RESERVED = [
  ...['example', 'test', 'local', 'invalid', 'localhost'],
  ...['example.com', 'example.net', 'example.org'],
];

/** Why a name cannot be the platform's domain, as the end of a sentence; undefined if it can. */
export function platformDomainFault(name: string): string | undefined {
  const isHostName = name.includes('.') && name.split('.').every(label => LABEL.test(label));
  if (!isHostName || name.length > LONGEST_PLATFORM_DOMAIN) {
    return 'must be a domain name in lower case without a dot at its end, such as "apps.your-company.com"';
  }
  if (RESERVED.some(reserved => name === reserved || name.endsWith(`.${reserved}`))) {
    return 'must be a name that can be delegated to AWS, which reserved names cannot';
  }
  const { domain, isIcann } = parse(name);
  if (!isIcann) return 'must be under a public top-level domain';
  if (domain === null) return 'must be a domain that somebody can own, and not a public suffix';
  return undefined;
}
