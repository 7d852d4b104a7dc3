import type { OperatorParts } from '../../domains/composition.ts';
import type { Domain } from '../../domains/life/domain.ts';
import { type DomainName, LONGEST_VALIDATED_NAME } from '../../domains/life/domain-name.ts';
import { isBeingRemoved } from '../../domains/life/domain-status.ts';
import { DomainTaken, TooManyUnverified } from '../../domains/life/domain-store.ts';
import { foreignDomainName } from '../../domains/pass/troubles.ts';
import type { DomainReport } from '../../domains/report.ts';
import type { Project } from '../../projects/project.ts';
import { PlanRequired, unmetRequirement } from '../../projects/project-store.ts';
import { CommandError, conflict } from '../command.ts';
import type { AddedDomain } from '../contract.ts';
import { domainLookup, requirePlatformDomain } from '../lookup.ts';

/** Refuses a name that the project can't claim, because others have it or the environment can't serve it. */
export async function requireFree(parts: OperatorParts, { domain }: DomainName, project: Project) {
  requireValidatable(domain);
  const isContested = await domainLookup(parts).isContested(domain, project.id);
  const platformDomain = await requirePlatformDomain(parts);
  if (!(await parts.front.isForeign(domain))) return { isContested, platformDomain };
  throw new CommandError('conflict', foreignDomainName(domain), 'domain_name_foreign');
}

/** Refuses a name that is too long for ACM's validation record. */
export function requireValidatable(domain: string): void {
  if (domain.length <= LONGEST_VALIDATED_NAME) return;
  const message = `${domain} is too long for a certificate: it has ${domain.length} characters, and the limit is ${LONGEST_VALIDATED_NAME}.`;
  throw new CommandError('invalid_request', message, 'domain_invalid');
}

export function requirePaidPlan(project: Project): void {
  const unmet = unmetRequirement(project);
  if (unmet) throw new CommandError('conflict', unmet.message, unmet.reason);
}

/** The claim the project has already; throws if it's being removed. */
export function requireNotRemoving(claim: Domain): Domain {
  if (!isBeingRemoved(claim)) return claim;
  const message = `${claim.domain} is being removed. Add it again once that's done, usually within minutes.`;
  throw new CommandError('conflict', message, 'removal_in_progress');
}

/** The error of an addition that the tables refused, as operators see it. */
export function additionError(error: unknown): unknown {
  if (error instanceof PlanRequired) return conflict(error, 'plan_required');
  if (error instanceof TooManyUnverified) return conflict(error, 'too_many_unverified_domains');
  return error instanceof DomainTaken ? conflict(error, 'domain_taken') : error;
}

/** A domain that was added or moved, with its sibling if there is one. */
export function addedReport([report, sibling]: DomainReport[]): AddedDomain {
  if (!report) throw new Error('Nothing was added.');
  return sibling ? { ...report, sibling } : report;
}
