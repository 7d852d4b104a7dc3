import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import type { Domain } from './domain.ts';

/** A name that can be a custom domain: lowercase, in A-labels, without a trailing dot. */
export interface DomainName {
  readonly domain: string;
  readonly kind: Domain['kind'];
  /** The registrable domain that it belongs to: `example.co.uk` for `www.example.co.uk`. */
  readonly registrable: string;
}

/** The text can't be a custom domain; the message says why. */
export class NotADomain extends Error {
  override readonly name = 'NotADomain';
}

const LONGEST_LABEL = 63;
const LABEL = /^(?!-)[a-z0-9-]+(?<!-)$/;
const LONGEST_NAME = 253;
/** ACM's limit for the common name of a certificate; alternative names may be longer. */
export const LONGEST_CERTIFICATE_NAME = 64;
/** DNS allows 253 characters, of which ACM's validation record puts 34 before the name. Older claims may be longer. */
export const LONGEST_VALIDATED_NAME = LONGEST_NAME - 34;

/** The characters of names in any script. Others are refused, since URL parsers drop or decode some of them. */
const NAME_CHARACTERS = /^(?:[\p{L}\p{M}\p{N}\p{So}._*\-。．｡]|\p{Join_Control})*$/u;

/** Reads what a person typed. Names in the zones `ours` can't be claimed. */
export function readDomainName(text: string, ours: readonly string[]): DomainName {
  const refuse = (reason: string): never => {
    throw new NotADomain(`${text} ${reason}`);
  };
  const typed = text.trim();
  if (/[/:?#@]/.test(typed)) refuse("isn't just a domain name; enter only the name, such as www.example.com");
  if (!NAME_CHARACTERS.test(typed)) refuse(NOT_A_HOST_NAME);
  if (typed.includes('*')) refuse('is a wildcard; add each name separately');
  const domain = domainToASCII(typed.replace(/\.$/, '')).toLowerCase();
  if (domain === '' || domain.length > LONGEST_NAME) refuse("isn't a domain name");
  const { isIp, publicSuffix, domain: registrable, isIcann, isPrivate } = parse(domain, PRIVATE_SUFFIXES);
  if (isIp) refuse('is an IP address, not a domain name');
  const labels = domain.split('.');
  if (labels.some(label => label.length > LONGEST_LABEL)) {
    refuse(`has a label of more than ${LONGEST_LABEL} characters, which DNS doesn't allow`);
  }
  if (!labels.every(label => LABEL.test(label))) refuse(NOT_A_HOST_NAME);
  if (!labels.every(isDecodable)) {
    refuse("has a label with -- as its third and fourth characters that isn't valid Punycode");
  }
  for (const zone of [...ours, ...AWS_NAMES]) {
    if (isWithin(domain, zone)) refuse(`is under ${zone}, which is reserved`);
  }
  for (const zone of SPECIAL_USE_NAMES) {
    if (isWithin(domain, zone)) refuse(`is under ${zone}, which isn't public`);
  }
  if (!domain.includes('.')) refuse('has no dot; use a public domain name, such as www.example.com');
  if (domain === publicSuffix) refuse('is a public suffix; add a name under it');
  if (registrable === null || (!isIcann && !isPrivate))
    return refuse("isn't under a public top-level domain");
  if (registrable.length > LONGEST_CERTIFICATE_NAME)
    refuse(`is too long: certificates allow ${LONGEST_CERTIFICATE_NAME} characters at most`);
  return { domain, kind: domain === registrable ? 'apex' : 'subdomain', registrable };
}

const NOT_A_HOST_NAME = "isn't a host name: use letters, digits and hyphens between the dots";
const PRIVATE_SUFFIXES = { allowPrivateDomains: true };

/** Hyphens in third and fourth place are reserved for A-labels, which certificate authorities decode (RFC 5890). */
function isDecodable(label: string): boolean {
  if (label.slice(2, 4) !== '--') return true;
  const unicode = domainToUnicode(label);
  return label.startsWith('xn--') && !unicode.startsWith('xn--') && domainToASCII(unicode) === label;
}

/** The name as people write it: `bücher.example` for `xn--bcher-kva.example`. */
export function displayName(domain: string): string {
  return domainToUnicode(domain) || domain;
}

/** The domain of the platform that hands out names such as this one: `vercel.app` for `shop.vercel.app`. */
export function platformOf(domain: string): string | undefined {
  const { isPrivate, publicSuffix } = parse(domain, PRIVATE_SUFFIXES);
  return isPrivate && publicSuffix !== null ? publicSuffix : undefined;
}

export function platformNote(domain: string, platform: string): string {
  return `${platform} belongs to a platform: you can create records for ${domain} only if that platform lets you.`;
}

/** Whether a registry delegates the name, rather than somebody who registered a name above it. */
export function isRegistered(domain: string): boolean {
  return domain === registeredDomainOf(domain);
}

/** The domain that a registry delegates: for www.shop.github.io it is github.io, whoever shop.github.io belongs to. */
export function registeredDomainOf(domain: string): string {
  return parse(domain, { allowPrivateDomains: false }).domain ?? domain;
}

export function isWithin(domain: string, zone: string): boolean {
  return domain === zone || domain.endsWith(`.${zone}`);
}

/** AWS's own names, under which its customers' endpoints and its validation records are. */
const AWS_NAMES = [
  'aws',
  'amazonaws.com',
  'amazonaws.com.cn',
  'amazonaws.eu',
  'amazoncognito.com',
  'amplifyapp.com',
  'awsapprunner.com',
  'awsapps.com',
  'awsglobalaccelerator.com',
  'cloudfront.net',
  'cloudfront.cn',
  'elasticbeanstalk.com',
] as const;

/** Top-level domains on the public suffix list in which nobody can have a public host (RFC 6761, 7686). */
const SPECIAL_USE_NAMES = ['onion', 'arpa'] as const;
