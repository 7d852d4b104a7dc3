import { setTimeout as sleepFor } from 'node:timers/promises';
import { explicitStatus } from '../../../../shared/domains/life/domain-status.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { CommandError } from '../../framework/command-error.ts';
import type { Session } from '../../framework/session.ts';

/** A removal takes minutes on AWS; on this machine the waits may be scaled down. */
const AWS_INTERVAL_MS = 10_000;
const LOCAL_INTERVAL_MS = 1_000;

interface Removal {
  readonly removed: readonly string[];
  readonly remaining: readonly DomainReport[];
}

/** The domains of all projects. */
export async function listDomains(session: Session): Promise<DomainReport[]> {
  const { projects } = await session.read('projects.list');
  const all: DomainReport[] = [];
  for (const { id: project } of projects) {
    const { domains } = await session.read('domains.list', { project });
    all.push(...domains);
  }
  return all;
}

/**
 * Removes all domains and waits until they are gone, or nothing more can be done, or the time is over. A removal that has
 * stalled is asked for once more.
 */
export async function removeDomains(
  session: Session,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Removal> {
  const endMs = Date.now() + timeoutMs;
  const asked = new Set<string>();
  const removed: string[] = [];
  let remaining = await listDomains(session);
  for (;;) {
    for (const report of inOrder(remaining)) {
      if (!canBeAsked(report) || asked.has(keyOf(report))) continue;
      asked.add(keyOf(report));
      await remove(session, report);
      signal.throwIfAborted();
    }
    const present = await listDomains(session);
    const left = new Set(present.map(keyOf));
    for (const [index, report] of remaining.filter(each => !left.has(keyOf(each))).entries()) {
      removed.push(report.domain);
      session.progress(`${report.domain} is removed; ${remaining.length - 1 - index} to go.`);
    }
    remaining = present;
    const isWaiting = remaining.some(report => !canBeAsked(report) || !asked.has(keyOf(report)));
    if (!isWaiting || Date.now() >= endMs) return { removed, remaining };
    await sleepFor(session.target.isLocal ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS, undefined, { signal });
  }
}

/** A domain that is not being removed, or whose removal has stalled. */
function canBeAsked(report: DomainReport): boolean {
  return explicitStatus(report) !== 'removing';
}

function keyOf({ project, domain }: DomainReport): string {
  return `${project} ${domain}`;
}

/**
 * Redirecting domains first, primary ones last: the removal of a domain makes those that redirect to it serve the project
 * themselves, and that of a primary domain makes another one primary, which would be work for nothing.
 */
function inOrder(reports: readonly DomainReport[]): DomainReport[] {
  const rankOf = ({ redirect, primary }: DomainReport) => (redirect ? 0 : primary ? 2 : 1);
  return reports.toSorted((left, right) => rankOf(left) - rankOf(right));
}

async function remove(session: Session, { project, domain }: DomainReport): Promise<void> {
  try {
    await session.change('domains.remove', { project, domain }, '', { isConfirmed: true });
    session.progress(`${domain} is no longer served; what was created for it is being deleted.`);
  } catch (error) {
    // Another removal, or an earlier run of this command, has finished meanwhile.
    const isGone = error instanceof CommandError && error.reason === 'domain_unknown';
    if (!isGone) throw error;
  }
}
