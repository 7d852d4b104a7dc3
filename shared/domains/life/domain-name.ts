import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import type { Domain } from './domain.ts';

/** A name that can be a custom domain: in lower case and A-labels, without a dot at its end. */
export interface DomainName {
  readonly domain: string;
  readonly kind: Domain['kind'];
  /** The registrable domain that it belongs to: `example.co.uk` for `www.example.co.uk`. */
  readonly registrable: string;
}

/** The text is no name that a custom domain can have; the message says why. */
export class NotADomain extends Error {
  override readonly name = 'NotADomain';
}

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const LONGEST_NAME = 253;
/** ACM's limit for the common name of a certificate; alternative names may be longer. */
export const LONGEST_CERTIFICATE_NAME = 64;

/** Reads what a person typed. Names in the zones `ours` cannot be claimed. */
export function readDomainName(text: string, ours: readonly string[]): DomainName {
  const domain = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
  const refuse = (reason: string): never => {
    throw new NotADomain(`${text} ${reason}`);
  };
  if (text.includes('*')) refuse('is a wildcard; add each name by itself');
  if (text.includes('/') || text.includes(':'))
    refuse('is an address; give only the name, such as www.example.com');
  if (domain === '' || domain.length > LONGEST_NAME) refuse('is not a domain name');
  const {
    isIp,
    publicSuffix,
    domain: registrable,
    isIcann,
    isPrivate,
  } = parse(domain, { allowPrivateDomains: true });
  if (isIp) refuse('is an IP address, not a domain name');
  if (!domain.split('.').every(label => LABEL.test(label))) {
    refuse('is not a host name: labels have letters, digits and hyphens');
  }
  for (const zone of [...ours, 'amazonaws.com']) {
    if (isWithin(domain, zone)) refuse(`belongs to ${zone}, which cannot be claimed`);
  }
  if (!domain.includes('.')) refuse('has no dot; a public domain name is needed, such as www.example.com');
  if (domain === publicSuffix) refuse('is a public suffix; nobody owns it alone');
  if (registrable === null || (!isIcann && !isPrivate))
    return refuse('is not under a public top-level domain');
  if (registrable.length > LONGEST_CERTIFICATE_NAME)
    refuse(
      `is too long: certificates are limited to domains of up to ${LONGEST_CERTIFICATE_NAME} characters`,
    );
  return { domain, kind: domain === registrable ? 'apex' : 'subdomain', registrable };
}

export function isWithin(domain: string, zone: string): boolean {
  return domain === zone || domain.endsWith(`.${zone}`);
}
