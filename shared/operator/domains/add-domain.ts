import { randomBytes } from 'node:crypto';
import type { Write } from '../../aws/transaction.ts';
import type { OperatorParts } from '../../domains/composition.ts';
import { type Domain, nextRevision } from '../../domains/life/domain.ts';
import type { DomainName } from '../../domains/life/domain-name.ts';
import { isAttached } from '../../domains/life/domain-status.ts';
import type { FormerRecords } from '../../domains/life/domain-store.ts';
import { claimed, NOT_PROVEN, switchPostponed } from '../../domains/life/wishes.ts';
import { isStuck } from '../../domains/pass/troubles.ts';
import { report } from '../../domains/report.ts';
import type { Project } from '../../projects/project.ts';
import { DEFAULT_REDIRECT_STATUS } from '../../projects/project-choices.ts';
import { type Routing, redirectOf, siblingOf, withRedirect } from '../../projects/routing.ts';
import type { CommandOf } from '../command.ts';
import { domainLookup, retryOnConflict } from '../lookup.ts';
import {
  addedReport,
  additionError,
  requireFree,
  requireNotRemoving,
  requirePaidPlan,
  requireValidatable,
} from './requirements.ts';

export function addDomain(parts: OperatorParts): CommandOf<'domains.add'> {
  const { projects, domains, reconcile, clock } = parts;
  const { requireProject, readName, findDomain, isContested } = domainLookup(parts);

  return {
    run: (input, change) =>
      retryOnConflict(async () => {
        const name = readName(input.domain);
        const sibling = input.withWww ? readName(siblingOf(name.domain)) : undefined;
        const project = await requireProject(input.project);
        requirePaidPlan(project);
        const claims: Claimed[] = [];
        for (const wanted of [name, ...(sibling ? [sibling] : [])]) {
          claims.push(await claimOf(wanted, project, input.switchLater));
        }
        const routing = sibling ? withSibling(project, claims) : project;
        const reports = (all: readonly Domain[]) => addedReport(all.map(one => report(one, routing, clock)));
        const result = reports(claims.map(({ domain }) => domain));
        const writes = additionWrites(project, routing, claims);
        try {
          await change.commit(writes, result);
        } catch (error) {
          throw additionError(error);
        }
        const reconciled: Domain[] = [];
        for (const { domain } of claims) reconciled.push(await reconcile(domain));
        return reports(reconciled);
      }),
    async followUp(input) {
      const names = [input.domain, ...(input.withWww ? [siblingOf(readName(input.domain).domain)] : [])];
      for (const domain of names) {
        const claim = await findDomain({ ...input, domain });
        if (claim?.certificate.arn === null) await reconcile(claim);
      }
    },
  };

  /** A project's claim of a name: the one it has, or a new one, with the records of a former one if there was one. */
  async function claimOf(name: DomainName, project: Project, switchLater: boolean): Promise<Claimed> {
    requireValidatable(name.domain);
    const present = await domains.find(name.domain, project.id);
    if (present) {
      if (!present.provenAt) await isContested(name.domain, project.id);
      const existing = requireNotRemoving(present);
      const isPostponed = switchLater && !existing.switchLater && !isAttached(existing);
      return isPostponed
        ? { kind: 'changed', domain: nextRevision(switchPostponed(existing, clock.now())) }
        : { kind: 'kept', domain: existing };
    }
    const { isContested: hasRival, platformDomain } = await requireFree(parts, name, project);
    const former = await domains.formerRecords(name.domain, project.id, clock.now());
    const records = former?.target.endsWith(`.${platformDomain}`) ? former : newRecords(platformDomain);
    const domain = claimed(
      { ...name, ...(await parts.zoneOf(name)) },
      {
        project: project.id,
        ...records,
        pointsAt: parts.endpointOf(project.apiId),
        ...(switchLater && { switchLater }),
        ...(hasRival && { contest: NOT_PROVEN }),
      },
      clock.now(),
    );
    return { kind: 'new', domain, hasFormerRecords: records === former };
  }

  /** The writes that add claims to a project and change its routing accordingly. */
  function additionWrites(project: Project, routing: Routing, claims: readonly Claimed[]): Write[] {
    const added = claims.filter(({ kind }) => kind === 'new').map(({ domain }) => domain);
    const changed = claims.filter(({ kind }) => kind === 'changed').map(({ domain }) => domain);
    const kept = claims.filter(({ kind }) => kind === 'kept').map(({ domain }) => domain);
    const isRouted = routing !== project;
    return [
      ...added.map(domains.claim),
      ...claims
        .filter(({ hasFormerRecords }) => hasFormerRecords)
        .map(({ domain }) => domains.formerRecordsUse(domain)),
      ...(added.length > 0 ? [domains.unverifiedCount(added)] : []),
      ...changed.flatMap(domains.change),
      ...(isRouted ? kept.map(({ domain }) => domains.claimCheck(domain, project.id)) : []),
      isRouted
        ? projects.routingChange(project, routing, { isPaid: true })
        : projects.paidPlanCheck(project.id),
    ];
  }
}

/** A claim to add, and what happens to it. */
interface Claimed {
  readonly kind: 'new' | 'changed' | 'kept';
  readonly domain: Domain;
  /** Whether a new claim reuses the records that the project had for the name before. */
  readonly hasFormerRecords?: boolean;
}

/** An unguessable host and text. */
function newRecords(platformDomain: string): FormerRecords {
  return {
    target: `${randomBytes(10).toString('hex')}.${platformDomain}`,
    challenge: `petstore-${randomBytes(16).toString('hex')}`,
  };
}

/**
 * The routing with a redirect from a name's sibling to the name, or the other way round if the sibling is the primary domain or
 * the name can't point here.
 */
function withSibling(routing: Routing, [named, sibling]: readonly Claimed[]): Routing {
  if (!named || !sibling) return routing;
  const names = [sibling.domain.domain, named.domain.domain] as const;
  const isReversed = routing.primary === names[0] || isStuck(named.domain);
  const [from, to] = isReversed ? [names[1], names[0]] : names;
  // An existing redirect stays.
  if (redirectOf(routing, from)) return routing;
  return withRedirect(routing, { from, to, status: DEFAULT_REDIRECT_STATUS });
}
