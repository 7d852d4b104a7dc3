import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { isLost } from '../domains/aws/certificates.ts';
import type { OperatorParts } from '../domains/composition.ts';
import { type Domain, nextRevision } from '../domains/life/domain.ts';
import { LONGEST_VALIDATED_NAME } from '../domains/life/domain-name.ts';
import { isBeingRemoved, isServed, STATUSES } from '../domains/life/domain-status.ts';
import { AlreadyClaimed, TooManyUnverified } from '../domains/life/domain-store.ts';
import {
  type CertificateFate,
  certificatePrepared,
  claimed,
  removalStarted,
  verificationStarted,
} from '../domains/life/transitions.ts';
import { MAX_CERTIFICATE_REQUESTS } from '../domains/life/waits.ts';
import { type DomainReport, removalNotes, report } from '../domains/report.ts';
import { describeMappingFailure } from '../domains/steps/live-routing.ts';
import { foreignDomainName } from '../domains/steps/obstacles.ts';
import { REATTACHED } from '../domains/steps/recheck.ts';
import type { Project } from '../projects/project.ts';
import { DEFAULT_REDIRECT_STATUS } from '../projects/project-choices.ts';
import { PlanRequired, unmetRequirement } from '../projects/project-store.ts';
import {
  RedirectStatus,
  type Routing,
  withoutDomain,
  withoutLive,
  withoutRedirect,
  withPrimary,
  withRedirect,
} from '../projects/routing.ts';
import { type Change, CommandError, type CommandTable, command } from './command.ts';
import {
  type DomainInput,
  type DomainLookupParts,
  domainFields,
  domainLookup,
  projectFields,
  retryOnConflict,
} from './lookup.ts';
import { type PlatformDomainParts, requirePlatformDomain } from './platform-domain.ts';

type DomainCommandParts = DomainLookupParts &
  PlatformDomainParts &
  Pick<
    OperatorParts,
    'certificates' | 'gateway' | 'reconcile' | 'remap' | 'repair' | 'endpointOf' | 'zoneOf' | 'clock'
  >;

/**
 * What operators do with custom domains, from the claim to the removal. A command that changes something loads the
 * record, applies a transition, commits it with the audit entry, and then reconciles AWS with it. Commands that read
 * change nothing, neither the table nor AWS.
 */
export function domainCommands(parts: DomainCommandParts): CommandTable<'domains'> {
  const { projects, domains, certificates, gateway, reconcile, repair, clock } = parts;
  const { requireProject, readName, requireDomain, requireNotTaken, takenMessage, findDomain } =
    domainLookup(parts);
  const reportOf = (domain: Domain, routing: Routing, notes: string[] = []): DomainReport =>
    report(domain, routing, clock, notes);

  return {
    'domains.add': command(
      z.strictObject(domainFields),
      async (input, change) => {
        const name = readName(input.domain);
        requireValidatable(name.domain);
        const project = await requireProject(input.project);
        requirePaidPlan(project);
        await requireNotTaken(name.domain, project.id);
        const platformDomain = await requirePlatformDomain(parts);
        if (await gateway.isForeign(name.domain)) {
          throw new CommandError('conflict', foreignDomainName(name.domain), {
            reason: 'domain_name_foreign',
          });
        }
        const claim = claimed(
          { ...name, ...(await parts.zoneOf(name)) },
          {
            project: project.id,
            target: `${randomBytes(10).toString('hex')}.${platformDomain}`,
            challenge: `petstore-${randomBytes(16).toString('hex')}`,
            pointsAt: parts.endpointOf(project.apiId),
          },
          clock.now(),
        );
        try {
          await change.commit(
            [domains.claim(claim), domains.unverifiedCount(claim), projects.paidPlanCheck(project.id)],
            reportOf(claim, project),
          );
          return reportOf(await reconcile(claim), project);
        } catch (error) {
          if (error instanceof PlanRequired) {
            throw new CommandError('conflict', error.message, { reason: 'plan_required', cause: error });
          }
          if (error instanceof TooManyUnverified) {
            const reason = 'too_many_unverified_domains';
            throw new CommandError('conflict', error.message, { reason, cause: error });
          }
          if (!(error instanceof AlreadyClaimed)) throw error;
          return reportOf(await reconcile(requireNotRemoving(error.claim)), project);
        }
      },
      async input => {
        const domain = await findDomain(input);
        if (domain?.certificate.arn === null) await reconcile(domain);
      },
    ),

    'domains.verify': command(
      z.strictObject(domainFields),
      (input, change) =>
        retryOnConflict(async () => {
          const { project, domain: before } = await requireDomain(input);
          if (isBeingRemoved(before)) {
            const message = `${before.domain} is being removed.`;
            throw new CommandError('conflict', message, { reason: 'removal_in_progress' });
          }
          requirePaidPlan(project);
          await requireNotTaken(before.domain, project.id);
          const domain = isServed(before) ? await repair(before) : before;
          const fate = certificateFate(domain);
          const isReattached = fate === 'lost' || REATTACHED.includes(domain.reason ?? '');
          if (isServed(domain) && !isReattached) {
            const result = reportOf(domain, project);
            // The check and its repair are done; what remains to be recorded is who has asked for them.
            await change.commit([], result);
            return result;
          }

          const after = nextRevision(verificationStarted(domain, fate, clock.now()));
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
        if (domain?.status === 'verifying') await reconcile(domain);
        return remapProject(input.project);
      },
    ),

    'domains.show': command(z.strictObject(domainFields), async input => {
      const { project, domain } = await requireDomain(input);
      // The records of a claim that came too late would be created in vain.
      const taken = domain.provenAt === null ? await takenMessage(domain.domain, project.id) : undefined;
      return reportOf(await withValidationRecords(domain), project, taken ? [taken] : []);
    }),

    'domains.list': command(z.strictObject(projectFields), async input => {
      const project = await requireProject(input.project);
      const all = await domains.listOf(project.id);
      return { domains: all.map(domain => reportOf(domain, project)) };
    }),

    'domains.remove': command(
      z.strictObject(domainFields),
      (input, change) =>
        retryOnConflict(async () => {
          const { project, domain: before } = await requireDomain(input);
          if (before.status === 'removing') return reportOf(before, project);

          const after = nextRevision(removalStarted(before, clock.now()));
          const routing = withoutDomain(project, before.domain);
          const result = reportOf(after, routing, removalNotes(before, project));
          await change.commit([...domains.change(after), projects.routingChange(project, routing)], result);
          return result;
        }),
      async input => {
        const domain = await findDomain(input);
        if (domain?.status === 'removing') await reconcile(domain);
        return remapProject(input.project);
      },
    ),
    ...routingCommands(parts),
  };

  /** The domain with the validation records that ACM names some seconds after the request; they are not stored here. */
  async function withValidationRecords(domain: Domain): Promise<Domain> {
    const { arn, validations } = domain.certificate;
    if (domain.status !== 'pending_dns' || arn === null || validations.length > 0) return domain;
    return certificatePrepared(domain, arn, await certificates.view(arn));
  }

  /** Domains that redirected to one that is no longer live serve the project themselves again. */
  async function remapProject(project: string): Promise<string[]> {
    return (await parts.remap(project)).map(describeMappingFailure);
  }
}

/** What becomes of the certificate when the domain is verified again. One that is delayed is replaced a few times only. */
function certificateFate({ status, reason, certificate }: Domain): CertificateFate {
  if (certificate.arn !== null && isLost(certificate)) return 'lost';
  const isDelayed = status === 'issuing' && reason === 'certificate_delayed';
  return isDelayed && certificate.requests < MAX_CERTIFICATE_REQUESTS ? 'delayed' : 'kept';
}

/** The claim that the project has already; throws when it is being removed. */
function requireNotRemoving(claim: Domain): Domain {
  if (!isBeingRemoved(claim)) return claim;
  throw new CommandError(
    'conflict',
    `${claim.domain} is being removed. Add it again when that is done, which can take some minutes.`,
    { reason: 'removal_in_progress' },
  );
}

/** Refuses a name that is too long for the record by which ACM would validate it. */
function requireValidatable(domain: string): void {
  if (domain.length <= LONGEST_VALIDATED_NAME) return;
  throw new CommandError(
    'invalid_request',
    `${domain} is too long for a certificate: it has ${domain.length} characters. Use a name of at most ${LONGEST_VALIDATED_NAME}.`,
    { reason: 'domain_invalid' },
  );
}

function requirePaidPlan(project: Project): void {
  const unmet = unmetRequirement(project);
  if (unmet) throw new CommandError('conflict', unmet.message, { reason: unmet.reason });
}

/** What operators do with the live domains of a project: which is the primary one, and which redirect. */
function routingCommands(parts: DomainCommandParts) {
  const { projects, remap, clock } = parts;
  const { requireDomain, readName } = domainLookup(parts);

  const changeRouting = (
    input: DomainInput,
    change: Change,
    rule: (routing: Routing, domain: string) => Routing,
  ) =>
    retryOnConflict(async () => {
      const { project, domain } = await requireDomain(input);
      if (!isServed(domain)) {
        const message = `${domain.domain} is ${STATUSES[domain.status].reported}, not live.`;
        throw new CommandError('conflict', message, { reason: 'domain_not_live' });
      }
      const after = rule(project, domain.domain);
      const result = report(domain, after, clock);
      await change.commit([projects.routingChange(project, after)], result);
      return result;
    });

  /** The mapping of the domain is written again on every delivery: it is what the command is about. */
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
