import { activeRedirect, type Routing } from '../../projects/routing.ts';
import type { Domain } from '../life/domain.ts';
import { platformOf } from '../life/domain-name.ts';
import { UNVERIFIED_CLAIM_DAYS } from '../life/unverified-claims.ts';

/** What the owner of a domain should know before its records are created. */
export function claimNotes({ domain, kind, status, provenAt, gateway }: Domain): string[] {
  const isOpen = status !== 'live' && status !== 'removing';
  if (!isOpen) return [];
  const platform = platformOf(domain);
  return [
    ...(platform
      ? [
          `${domain} is below ${platform}, the domain of a platform: its records can be created only if that platform allows it.`,
        ]
      : []),
    ...(kind === 'apex' && gateway === null ? apexNotes(domain) : []),
    ...(provenAt === null && (status === 'pending_dns' || status === 'failed')
      ? [`The claim ends by itself if it is not verified within ${UNVERIFIED_CLAIM_DAYS} days.`]
      : []),
  ];
}

/** An apex cannot have a CNAME, and its substitutes are not in every DNS provider's offer. */
function apexNotes(domain: string): string[] {
  return [
    `Not every DNS provider has ALIAS or ANAME records. If yours has neither, add www.${domain} instead, with a CNAME record, and have your provider redirect ${domain} to it.`,
    `In a Route 53 zone, create the TXT record and the CNAME record of the certificate now, and an alias record of type A at ${domain} later: its target is the domain name at API Gateway, which is shown here once the certificate is issued.`,
  ];
}

/** What a removal has ended, for callers that were not asked before. */
export function removalNotes({ domain, status }: Domain, before: Routing): string[] {
  if (status !== 'live') return [];
  const own = activeRedirect(before, domain);
  const ended = before.liveDomains.filter(from => activeRedirect(before, from)?.to === domain);
  return [
    own
      ? `https://${domain} no longer redirects to https://${own.to}: links to it stop working.`
      : `Links to https://${domain} stop working. Where a URL was shared, redirect the domain to another one of the project instead of removing it.`,
    ...ended.map(
      from => `https://${from} no longer redirects to https://${domain}, and serves the project itself.`,
    ),
    `Delete the DNS records of ${domain}, unless another project or environment uses the name: a record that points at nothing can be abused by others.`,
  ];
}
