import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Write } from '../aws/transaction.ts';
import { isLost } from '../domains/aws/certificates.ts';
import type { OperatorParts } from '../domains/composition.ts';
import { firstLook } from '../domains/first-look.ts';
import { viewed } from '../domains/life/change.ts';
import { type Domain, nextRevision } from '../domains/life/domain.ts';
import { type DomainName, LONGEST_VALIDATED_NAME } from '../domains/life/domain-name.ts';
import { hasVisitors } from '../domains/life/domain-reason.ts';
import { isAttached, isBeingRemoved, isInFlow, isServed, STATUSES } from '../domains/life/domain-status.ts';
import {
  AlreadyClaimed,
  DomainChanged,
  DomainTaken,
  type FormerRecords,
  TooManyUnverified,
} from '../domains/life/domain-store.ts';
import { LOST_AFTER_MS } from '../domains/life/due.ts';
import { PATIENCE_MS } from '../domains/life/lease.ts';
import { MAX_CERTIFICATE_REQUESTS } from '../domains/life/waits.ts';
import {
  type CertificateFate,
  claimed,
  leftToWorker,
  moved,
  NOT_PROVEN,
  removalStarted,
  switchPostponed,
  verificationStarted,
} from '../domains/life/wishes.ts';
import { describeMappingFailure } from '../domains/pass/live-routing.ts';
import { isLookOverdue } from '../domains/pass/look.ts';
import { foreignDomainName, isStuck } from '../domains/pass/troubles.ts';
import { type DomainReport, removalNotes, report } from '../domains/report.ts';
import { type Project, RedirectStatus } from '../projects/project.ts';
import { DEFAULT_REDIRECT_STATUS } from '../projects/project-choices.ts';
import { PlanRequired, unmetRequirement } from '../projects/project-store.ts';
import {
  type Routing,
  redirectOf,
  rolesMoved,
  siblingOf,
  withArrival,
  withMoved,
  withoutDomain,
  withoutLive,
  withoutRedirect,
  withPrimary,
  withRedirect,
} from '../projects/routing.ts';
import {
  type Change,
  CommandError,
  type CommandTable,
  command,
  conflict,
  PageLimit,
  pageFields,
  pageOf,
} from './command.ts';
import type { AddedDomain, DomainSummary } from './contract.ts';
import {
  type DomainInput,
  type DomainLookupParts,
  domainFields,
  domainLookup,
  type PlatformDomainParts,
  projectFields,
  requirePlatformDomain,
  retryOnConflict,
} from './lookup.ts';

type DomainCommandParts = DomainLookupParts &
  PlatformDomainParts &
  Pick<
    OperatorParts,
    'certificates' | 'flows' | 'front' | 'reconcile' | 'remap' | 'tend' | 'endpointOf' | 'zoneOf' | 'clock'
  >;

/**
 * What operators do with custom domains, from the claim to the removal. A command that changes something loads the
 * record, changes what is wanted of it, commits that with the audit entry, and then reconciles AWS with it. Commands that read
 * change nothing, neither the table nor AWS, but for a look, which is that of the sweeps.
 */
export function domainCommands(parts: DomainCommandParts): CommandTable<'domains'> {
  const { projects, domains, certificates, front, reconcile, clock } = parts;
  const lookup = domainLookup(parts);
  const { requireProject, readName, requireDomain, takenMessage, findDomain } = lookup;
  const reportOf = (domain: Domain, routing: Routing, notes: string[] = []): DomainReport =>
    report(domain, routing, clock, notes);

  return {
    'domains.add': command(
      z.strictObject({
        ...domainFields,
        switchLater: z._default(Flag, false),
        withWww: z._default(Flag, false),
      }),
      (input, change) =>
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
          const reports = (all: readonly Domain[]) => addedReport(all.map(one => reportOf(one, routing)));
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
      async input => {
        const names = [input.domain, ...(input.withWww ? [siblingOf(readName(input.domain).domain)] : [])];
        for (const domain of names) {
          const claim = await findDomain({ ...input, domain });
          if (claim?.certificate.arn === null) await reconcile(claim);
        }
      },
    ),

    'domains.verify': command(
      z.strictObject(domainFields),
      (input, change) =>
        retryOnConflict(async () => {
          const { project, domain: before } = await requireDomain(input);
          refuseRemoved(before);
          requirePaidPlan(project);
          const isContested = await lookup.isContested(before.domain, project.id);
          const tended = isAttached(before) ? await parts.tend(before, PATIENCE_MS) : { claim: before };
          const domain = tended ? tended.claim : before;
          if (!domain) throw new DomainChanged(`${before.domain} is gone.`);
          refuseRemoved(domain);
          const fate = certificateFate(domain);
          if (isAttached(domain) && fate !== 'lost') {
            // Somebody else is at work on it, perhaps for a rival: an execution goes on as soon as they are done.
            const left = nextRevision(
              leftToWorker(domain, clock.now() + clock.scaled(LOST_AFTER_MS), clock.now()),
            );
            const result = reportOf(tended ? domain : left, project);
            // Where nothing is left to change, the commit records who has asked.
            await change.commit(tended ? [] : domains.change(left), result);
            if (!tended) await parts.flows.start(left);
            return result;
          }

          const after = nextRevision(verificationStarted(domain, fate, clock.now(), { isContested }));
          const routing = withoutLive(project, domain.domain);
          const result = reportOf(after, routing);
          await change.commit(
            [
              ...domains.change(after),
              ...(isServed(domain) ? [projects.routingChange(project, routing)] : []),
            ],
            result,
          );
          return result;
        }),
      async input => {
        const domain = await findDomain(input);
        if (domain && STATUSES[domain.status].flow === 'verification') await reconcile(domain);
        return remapProject(input.project);
      },
    ),

    'domains.show': command(z.strictObject(domainFields), show),

    'domains.look': command(z.strictObject(domainFields), async input => {
      const { domain } = await requireDomain(input);
      const [looked = domain] = await domains.withLooks([domain]);
      if (isLookOverdue(looked, clock)) await parts.tend(domain);
      return show(input);
    }),

    'domains.check': command(z.strictObject(domainFields), async input => {
      const name = readName(input.domain);
      const project = await requireProject(input.project);
      const present = await domains.find(name.domain, project.id);
      const standing = { project: project.id, isPresent: present !== undefined };
      const points = await parts.vantagePoints(name.domain);
      try {
        requirePaidPlan(project);
        const { isContested } = present ? { isContested: false } : await requireFree(name, project);
        return await firstLook(name, points, { ...standing, isContested, refusal: null });
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        const { reason, message } = error;
        return firstLook(name, points, { ...standing, isContested: false, refusal: { reason, message } });
      }
    }),

    'domains.list': command(
      z.strictObject({
        ...projectFields,
        after: z.optional(domainFields.domain),
        limit: PageLimit,
      }),
      async ({ project: id, ...page }) => {
        const project = await requireProject(id);
        const { domains: listed, next } = await domains.pageOf(project.id, page);
        const looked = await domains.withLooks(listed);
        return { domains: looked.map(domain => reportOf(domain, project)), next };
      },
    ),

    'domains.summary': command(z.strictObject(pageFields), async page => {
      const [listed, all] = await Promise.all([projects.list(), domains.all()]);
      const projectsById = new Map(listed.map(project => [project.id, project]));
      const summaries = all.flatMap(domain => {
        const project = projectsById.get(domain.project);
        return project ? summaryOf(reportOf(domain, project)) : [];
      });
      // Several projects may claim a name.
      const keyOf = ({ domain, project }: DomainSummary) => `${domain} ${project}`;
      const { entries, next } = pageOf(summaries, keyOf, page);
      return { domains: entries, next };
    }),

    'domains.remove': command(
      z.strictObject(domainFields),
      (input, change) =>
        retryOnConflict(async () => {
          const { project, domain: before } = await requireDomain(input);
          if (STATUSES[before.status].flow === 'removal') return reportOf(before, project);

          const after = nextRevision(removalStarted(before, clock.now()));
          const routing = withoutDomain(project, before.domain);
          const result = reportOf(after, routing, removalNotes(before, project));
          await change.commit([...domains.change(after), projects.routingChange(project, routing)], result);
          return result;
        }),
      async input => {
        const domain = await findDomain(input);
        if (domain && STATUSES[domain.status].flow === 'removal') await reconcile(domain);
        return remapProject(input.project);
      },
    ),

    'domains.move': command(
      z.strictObject({ ...domainFields, to: domainFields.domain, alone: z._default(Flag, false) }),
      (input, change) =>
        retryOnConflict(async () => {
          const { project: from, domain: named } = await requireDomain(input);
          const to = await requireProject(input.to);
          if (to.id === from.id) {
            const message = `${named.domain} is already in project ${to.id}.`;
            throw new CommandError('conflict', message, 'domain_exists');
          }
          requireNotRemoving(named);
          const sibling = input.alone ? undefined : await domains.find(siblingOf(named.domain), from.id);
          const moving = [named, ...(sibling && !isBeingRemoved(sibling) ? [sibling] : [])];
          requireNotInFlow(moving);
          requirePaidPlan(to);
          const at = clock.now();
          const moves = moving.map(before => ({ before, next: nextRevision(moved(before, to.id, at)) }));
          const names = moving.map(({ domain }) => domain);
          const after = withMoved(names, from, to);
          const routing = moves
            .filter(({ next }) => isServed(next))
            .reduce((all, { next }) => withArrival(all, next.domain, hasVisitors(next)), after.to);
          const reports = moves.map(({ next }) => reportOf(next, routing, rolesMoved(names, from, to)));
          const result = addedReport(reports);
          try {
            await change.commit(
              [
                ...(await domains.move(moves, at)),
                projects.routingChange(from, after.from),
                projects.routingChange(to, routing, { isPaid: true }),
              ],
              result,
            );
          } catch (error) {
            if (!(error instanceof AlreadyClaimed)) throw additionError(error);
            const message = `Project ${to.id} has added ${error.claim.domain}, too. Remove it there first.`;
            throw new CommandError('conflict', message, 'domain_exists', { cause: error });
          }
          return result;
        }),
      async input => {
        const names = [input.domain, siblingOf(readName(input.domain).domain)];
        return [...(await remapProject(input.to, ...names)), ...(await remapProject(input.project))];
      },
    ),
    ...routingCommands(parts),
  };

  async function show(input: DomainInput): Promise<DomainReport> {
    const { project, domain } = await requireDomain(input);
    // If another project owns the name, records would be created in vain. Once the claim was checked, its reason says so.
    const isUnchecked = domain.provenAt === null && domain.reason === null;
    const taken = isUnchecked ? await takenMessage(domain.domain, project.id) : undefined;
    const [looked = domain] = await domains.withLooks([await withValidationRecords(domain)]);
    return reportOf(looked, project, taken ? [taken] : []);
  }

  /** Refuses a name that the project cannot claim, because others have it or the environment cannot serve it. */
  async function requireFree({ domain }: DomainName, project: Project) {
    requireValidatable(domain);
    const isContested = await lookup.isContested(domain, project.id);
    const platformDomain = await requirePlatformDomain(parts);
    if (!(await front.isForeign(domain))) return { isContested, platformDomain };
    throw new CommandError('conflict', foreignDomainName(domain), 'domain_name_foreign');
  }

  /** The claim of a name by a project: the one that it has, or a new one, with the records of one that it had. */
  async function claimOf(name: DomainName, project: Project, switchLater: boolean): Promise<Claimed> {
    requireValidatable(name.domain);
    const present = await domains.find(name.domain, project.id);
    if (present) {
      if (!present.provenAt) await lookup.isContested(name.domain, project.id);
      const existing = requireNotRemoving(present);
      const isPostponed = switchLater && !existing.switchLater && !isAttached(existing);
      return isPostponed
        ? { kind: 'changed', domain: nextRevision(switchPostponed(existing, clock.now())) }
        : { kind: 'kept', domain: existing };
    }
    const { isContested, platformDomain } = await requireFree(name, project);
    const former = await domains.formerRecords(name.domain, project.id, clock.now());
    const records = former?.target.endsWith(`.${platformDomain}`) ? former : newRecords(platformDomain);
    const domain = claimed(
      { ...name, ...(await parts.zoneOf(name)) },
      {
        project: project.id,
        ...records,
        pointsAt: parts.endpointOf(project.apiId),
        ...(switchLater && { switchLater }),
        ...(isContested && { contest: NOT_PROVEN }),
      },
      clock.now(),
    );
    return { kind: 'new', domain, hasFormerRecords: records === former };
  }

  /** The writes that add claims to a project, and change its routing for them. */
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

  /** The domain with the validation records that ACM names some seconds after the request; they are not stored here. */
  async function withValidationRecords(domain: Domain): Promise<Domain> {
    const { arn, validations } = domain.certificate;
    if (STATUSES[domain.status].awaits !== 'verification' || arn === null || validations.length > 0)
      return domain;
    const view = await certificates.view(arn);
    return { ...domain, certificate: { ...viewed(domain, view), arn } };
  }

  /** Domains that redirected to one that is no longer live serve the project themselves again. */
  async function remapProject(project: string, ...named: readonly string[]): Promise<string[]> {
    return (await parts.remap(project, ...named)).map(describeMappingFailure);
  }
}

/** What becomes of the certificate when the domain is verified again. One that is delayed is replaced a few times only. */
export function certificateFate({ status, reason, certificate }: Domain): CertificateFate {
  if (certificate.arn !== null && isLost(certificate)) return 'lost';
  const isDelayed = status === 'issuing' && reason === 'certificate_delayed';
  return isDelayed && certificate.requests < MAX_CERTIFICATE_REQUESTS ? 'delayed' : 'kept';
}

/** A claim that an addition is about, and what becomes of it. */
interface Claimed {
  readonly kind: 'new' | 'changed' | 'kept';
  readonly domain: Domain;
  /** Whether a new one has the records that the project had for the name before. */
  readonly hasFormerRecords?: boolean;
}

const Flag = z.boolean('must be true or false');

/** A host and a text that nobody can guess. */
function newRecords(platformDomain: string): FormerRecords {
  return {
    target: `${randomBytes(10).toString('hex')}.${platformDomain}`,
    challenge: `petstore-${randomBytes(16).toString('hex')}`,
  };
}

/**
 * The routing with a redirect from the sibling of a name to it, or to the sibling if that is the primary domain or the name
 * can't point here.
 */
function withSibling(routing: Routing, [named, sibling]: readonly Claimed[]): Routing {
  if (!named || !sibling) return routing;
  const names = [sibling.domain.domain, named.domain.domain] as const;
  const isReversed = routing.primary === names[0] || isStuck(named.domain);
  const [from, to] = isReversed ? [names[1], names[0]] : names;
  // A redirect that it has already stays.
  if (redirectOf(routing, from)) return routing;
  return withRedirect(routing, { from, to, status: DEFAULT_REDIRECT_STATUS });
}

function addedReport([report, sibling]: DomainReport[]): AddedDomain {
  if (!report) throw new Error('Nothing was added.');
  return sibling ? { ...report, sibling } : report;
}

/** The error of an addition that the tables refuse, as operators see it. */
function additionError(error: unknown): unknown {
  if (error instanceof PlanRequired) return conflict(error, 'plan_required');
  if (error instanceof TooManyUnverified) return conflict(error, 'too_many_unverified_domains');
  return error instanceof DomainTaken ? conflict(error, 'domain_taken') : error;
}

function summaryOf(report: DomainReport): DomainSummary {
  const { project, domain, unicode, status, reason, role, primary, redirect, switchLater } = report;
  return {
    project,
    domain,
    unicode,
    status,
    reason,
    role,
    primary,
    redirect,
    switchLater,
    checkedAt: report.checkedAt,
    nextCheckAt: report.nextCheckAt,
    dueAt: report.dueAt,
    certificate: { status: report.certificate.status },
    records: report.records.map(({ purpose, state, action, todo }) => ({ purpose, state, action, todo })),
  };
}

function refuseRemoved(claim: Domain): void {
  if (!isBeingRemoved(claim)) return;
  throw new CommandError('conflict', `${claim.domain} is being removed.`, 'removal_in_progress');
}

/** The claim that the project has already; throws when it is being removed. */
function requireNotRemoving(claim: Domain): Domain {
  if (!isBeingRemoved(claim)) return claim;
  const message = `${claim.domain} is being removed. Add it again once that's done, usually within minutes.`;
  throw new CommandError('conflict', message, 'removal_in_progress');
}

/** Refuses to move domains of which one is being verified; the first is the one that was named. */
function requireNotInFlow(moving: readonly Domain[]): void {
  const busy = moving.find(isInFlow);
  if (!busy) return;
  const alone = busy === moving[0] ? '' : ` Or move ${moving[0]?.domain} alone.`;
  const message = `${busy.domain} is being verified. Move it when that's done.${alone}`;
  throw new CommandError('conflict', message, 'verification_in_progress');
}

/** Refuses a name that is too long for the record by which ACM would validate it. */
function requireValidatable(domain: string): void {
  if (domain.length <= LONGEST_VALIDATED_NAME) return;
  const message = `${domain} is too long for a certificate: it has ${domain.length} characters, and the limit is ${LONGEST_VALIDATED_NAME}.`;
  throw new CommandError('invalid_request', message, 'domain_invalid');
}

function requirePaidPlan(project: Project): void {
  const unmet = unmetRequirement(project);
  if (unmet) throw new CommandError('conflict', unmet.message, unmet.reason);
}

/** What operators do with the live domains of a project: which is the primary one, and which redirect. */
function routingCommands(parts: DomainCommandParts) {
  const { projects, domains, remap, clock } = parts;
  const { requireDomain, readName } = domainLookup(parts);

  /** Changes the routing of the project that has the domain, and the one that it redirects to. */
  const changeRouting = (
    input: DomainInput & { readonly to?: string },
    change: Change,
    rule: (routing: Routing, domain: string) => Routing,
  ) =>
    retryOnConflict(async () => {
      const { project, domain } = await requireDomain(input);
      const target = input.to === undefined ? [] : [await requireDomain({ ...input, domain: input.to })];
      const claims = [domain, ...target.map(({ domain: to }) => to)].map(requireNotRemoving);
      const after = rule(project, domain.domain);
      const result = report(domain, after, clock);
      const checks = claims.map(({ domain: name }) => domains.claimCheck(name, project.id));
      await change.commit([...checks, projects.routingChange(project, after)], result);
      return result;
    });

  const mapLive = async (input: DomainInput) => {
    const failures = await remap(input.project, readName(input.domain).domain);
    return failures.map(describeMappingFailure);
  };

  return {
    'domains.primary': command(z.strictObject(domainFields), (input, change) =>
      changeRouting(input, change, withPrimary),
    ),

    'domains.redirect': command(
      z.strictObject({
        ...domainFields,
        to: domainFields.domain,
        status: z._default(RedirectStatus, DEFAULT_REDIRECT_STATUS),
      }),
      (input, change) => {
        const { domain: to } = readName(input.to);
        const { status } = input;
        return changeRouting(input, change, (routing, from) => withRedirect(routing, { from, to, status }));
      },
      mapLive,
    ),

    'domains.unredirect': command(
      z.strictObject(domainFields),
      (input, change) => changeRouting(input, change, withoutRedirect),
      mapLive,
    ),
  } satisfies Partial<CommandTable>;
}
