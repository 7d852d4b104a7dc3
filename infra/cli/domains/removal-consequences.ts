import type { DomainReport } from '../../../shared/operator/contract.ts';

/** What stops when a domain is removed, and which domain becomes the primary: sentences for command and dashboard. */
export function removalConsequences(report: DomainReport, all: readonly DomainReport[]): string[] {
  const { domain, status, redirect, primary } = report;
  if (status === 'removing') return [`${domain} is being removed already.`];
  if (status !== 'live')
    return [`${domain} is not served yet, so nothing stops. The project gives up its claim to it.`];
  const incoming = all.filter(other => other.redirect?.to === domain).map(other => other.domain);
  return [
    redirect
      ? `https://${domain} stops at once: it no longer redirects to https://${redirect.to}.`
      : `https://${domain} stops being served at once.`,
    ...incoming.map(from => `https://${from} no longer redirects to it, and serves the project instead.`),
    ...(primary ? [`It is the primary domain of the project. ${successionText(report, all)}`] : []),
  ];
}

/** The other live domains that serve the project once this one is removed. */
export function remainingServers({ domain }: DomainReport, all: readonly DomainReport[]): string[] {
  return all
    .filter(other => other.domain !== domain && other.status === 'live')
    .filter(other => other.redirect === null || other.redirect.to === domain)
    .map(other => other.domain);
}

/** The service chooses the domain that has been live the longest. */
function successionText(report: DomainReport, all: readonly DomainReport[]): string {
  const servers = remainingServers(report, all);
  if (servers.length === 0) return 'There is no other live domain: the project will have no primary domain.';
  return servers.length === 1
    ? `${servers[0]} becomes the primary domain.`
    : `The one of ${servers.join(', ')} that has been live the longest becomes the primary domain.`;
}
