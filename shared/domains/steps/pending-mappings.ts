import { describeError, log } from '../../log.ts';
import type { PendingMapping } from '../../projects/pending-mapping.ts';
import type { ProjectStore } from '../../projects/project-store.ts';
import { isDomainNameMissing } from '../aws/gateway-domains.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';

interface PendingMappingsParts {
  readonly domains: DomainStore;
  readonly projects: ProjectStore;
  /** Maps a live domain as the routing of its project asks for. */
  readonly route: (domain: Domain) => Promise<void>;
  readonly now: () => number;
}

/** By then a function that began to write a mapping has timed out: STEP_TIMEOUT of infra/stack, and a margin. */
const WRITER_LIFETIME_MS = 90_000;

/** A domain that could not be mapped, and why. */
export interface MappingFailure {
  readonly domain: string;
  readonly error: Error;
  /** Whether the scheduled reconcile tries again. */
  readonly isRetried: boolean;
}

/**
 * Maps the domains whose mapping a change of the routing has changed, of one project or of all. The change lists them in
 * the same transaction, and they are taken off the list once they are mapped. Functions that write mappings list them, too;
 * what one has listed is taken off only when it cannot write any more. A failure does not stop the rest; all failures are
 * returned. `also` is a domain that is mapped in any case.
 */
export function pendingMappings({ domains, projects, route, now }: PendingMappingsParts) {
  const attempt = async (name: string, project: string): Promise<MappingFailure | undefined> => {
    const domain = await domains.find(name, project);
    if (domain?.status !== 'live') return undefined;
    try {
      await route(domain);
      return undefined;
    } catch (error) {
      log.error('A domain could not be mapped.', { domain: name, error: describeError(error) });
      // Only a verification of the domain can bring its domain name back; the daily check says so.
      const isRetried = !isDomainNameMissing(error);
      return { domain: name, error: error as Error, isRetried };
    }
  };

  return async (project?: string, also?: string): Promise<MappingFailure[]> => {
    // The list is read before the mapping is written, so an entry that a later change adds stays on it.
    const pending = await projects.pendingMappings(project);
    const endedBeforeMs = now() - WRITER_LIFETIME_MS;
    const isOver = ({ writtenSinceMs = 0 }: PendingMapping) => writtenSinceMs < endedBeforeMs;
    const failures: MappingFailure[] = [];
    const others = also === undefined || project === undefined ? [] : [{ project, domain: also }];
    const claims = new Map([...pending, ...others].map(claim => [`${claim.domain} ${claim.project}`, claim]));
    for (const { domain, project: owner } of claims.values()) {
      const failure = await attempt(domain, owner);
      if (failure) failures.push(failure);
      const isDone = (entry: PendingMapping) =>
        entry.domain === domain && entry.project === owner && isOver(entry);
      if (!failure?.isRetried) await projects.mapped(pending.filter(isDone));
    }
    return failures;
  };
}

/** What the operator is told of a domain that could not be mapped. */
export function describeMappingFailure({ domain, error, isRetried }: MappingFailure): string {
  return isRetried
    ? `The mapping of ${domain} could not be changed yet. It is tried again within minutes.`
    : `The mapping of ${domain} could not be changed: ${error.message} Verify ${domain}.`;
}
