import type { DomainReport } from '../../../../shared/operator/contract.ts';

/** The domains that this one can redirect to: live ones that serve the project themselves, the primary one first. */
export function redirectTargets({ domain }: DomainReport, all: readonly DomainReport[]): string[] {
  return all
    .filter(other => other.domain !== domain && other.status === 'live' && other.redirect === null)
    .toSorted((left, right) => Number(right.primary) - Number(left.primary))
    .map(other => other.domain);
}

/** What stops when a domain is removed, in sentences. */
export function consequencesOfRemoval(report: DomainReport, all: readonly DomainReport[]): string[] {
  const { domain, status, redirect, primary } = report;
  if (status !== 'live')
    return ['It is not served yet, so nothing stops. The project gives up its claim to it.'];
  const incoming = all.filter(other => other.redirect?.to === domain).map(other => other.domain);
  const servers = all
    .filter(other => other.domain !== domain && other.status === 'live')
    .filter(other => other.redirect === null || other.redirect.to === domain)
    .map(other => other.domain);
  return [
    redirect
      ? `https://${domain} stops at once: it no longer redirects to https://${redirect.to}.`
      : `https://${domain} stops being served at once.`,
    ...incoming.map(from => `https://${from} no longer redirects to it, and serves the project instead.`),
    ...(primary ? [succession(servers)] : []),
  ];
}

/** The service chooses the domain that has been live the longest. */
function succession(servers: readonly string[]): string {
  const [only, ...more] = servers;
  if (only === undefined)
    return 'It is the primary domain, and there is no other live one to take its place.';
  return more.length === 0
    ? `It is the primary domain: ${only} takes its place.`
    : 'It is the primary domain: the one that has been live the longest takes its place.';
}
