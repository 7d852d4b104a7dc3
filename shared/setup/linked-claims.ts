import type { Clock } from '../domains/clock.ts';
import type { Domain } from '../domains/life/domain.ts';
import { isBeingRemoved } from '../domains/life/domain-status.ts';
import type { DomainStore } from '../domains/life/domain-store.ts';
import type { Project } from '../projects/project.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { siblingsOf } from '../projects/routing.ts';
import { claimOfLink, isLinkLike } from './link.ts';

interface LinkedParts {
  readonly domains: Pick<DomainStore, 'claimsOf'>;
  readonly projects: Pick<ProjectStore, 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What a link leads to. */
export interface Linked {
  /** The claim that the link is for, and the apex or www that belongs to it. */
  readonly claims: readonly [Domain, ...Domain[]];
  readonly project: Project;
}

/** Finds what a link leads to; undefined for one that is forged or has ended, which can't be told apart from outside. */
export function linkedClaims({ domains, projects, clock }: LinkedParts) {
  const present = async (name: string) =>
    (await domains.claimsOf(name)).filter(claim => !isBeingRemoved(claim));

  return async (
    path: { readonly [part: string]: string | undefined } | null,
  ): Promise<Linked | undefined> => {
    const { domain = '', key = '' } = path ?? {};
    if (!isLinkLike(domain, key)) return undefined;
    const claim = claimOfLink(await present(domain), key, clock.now());
    const project = claim && (await projects.find(claim.project));
    if (!project) return undefined;
    const [sibling] = siblingsOf(domain, project.redirects);
    const others = sibling === undefined ? [] : await present(sibling);
    return { claims: [claim, ...others.filter(other => other.project === project.id)], project };
  };
}
