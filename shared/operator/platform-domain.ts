import { getDomain } from 'tldts';
import type { OperatorParts } from '../domains/composition.ts';
import { CommandError } from './command.ts';

export type PlatformDomainParts = Pick<OperatorParts, 'platformDomain' | 'platformDelegation'>;

/** The platform's domain, which is delegated to its zone; otherwise throws what has to be done first. */
export async function requirePlatformDomain(parts: PlatformDomainParts): Promise<string> {
  const { platformDomain } = parts;
  if (platformDomain === undefined) {
    const message =
      'Custom domains need a platform domain, and this environment has none. Set platformDomain in its settings (infra/settings/README.md), deploy, and delegate that name to the name servers of the output PlatformNameServers.';
    throw new CommandError('conflict', message, { reason: 'platform_domain_required' });
  }
  const delegation = await parts.platformDelegation();
  if (delegation.isInPlace) return platformDomain;
  const { nameServers, observed } = delegation;
  const message = `The platform domain ${platformDomain} isn't delegated to this environment: public resolvers see ${observed.join('; ')}. ${delegationRemedy(platformDomain, nameServers)} Then add the domain again; resolvers may cache the old answer for some time.`;
  throw new CommandError('conflict', message, { reason: 'platform_domain_not_delegated' });
}

/** What has to be created at the parent of the platform domain. */
export function delegationRemedy(platformDomain: string, nameServers: readonly string[]): string {
  const registrable = getDomain(platformDomain);
  const values = nameServers.join(', ');
  return registrable === platformDomain
    ? `At the registrar of ${platformDomain}, set the name servers ${values}.`
    : `In the zone of ${registrable}, create an NS record at ${platformDomain} with the values ${values}.`;
}
