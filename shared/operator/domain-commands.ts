import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { isLost } from '../domains/aws/certificates.ts';
import { type Domain, nextRevision, withHistory } from '../domains/life/domain.ts';
import type { DomainName } from '../domains/life/domain-name.ts';
import { DomainTaken } from '../domains/life/domain-store.ts';
import { report } from '../domains/life/report.ts';
import type { Project } from '../projects/project.ts';
import { redirectOf, withoutLive } from '../projects/routing.ts';
import { CommandError, type CommandTable, command } from './command.ts';
import {
  type DomainLookupParts,
  domainFields,
  domainLookup,
  projectFields,
  retryOnConflict,
} from './domain-lookup.ts';

export interface DomainCommandParts extends DomainLookupParts {
  /** Brings AWS in line with what is noted of a domain; the domain as it is then. */
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  /** Looks at a live domain again. */
  readonly recheck: (domain: Domain) => Promise<Domain>;
  /** Where an API answers on AWS: what a claimed host leads to until the domain is attached. */
  readonly endpointOf: (apiId: string) => string;
  readonly now?: () => number;
}

const NO_CERTIFICATE: Domain['certificate'] = {
  arn: null,
  status: null,
  failure: null,
  requests: 0,
  renewal: null,
  validations: [],
};

type DomainCommandName =
  | 'domains.add'
  | 'domains.verify'
  | 'domains.show'
  | 'domains.list'
  | 'domains.remove';

/** What operators do with custom domains, from the claim to the removal. */
export function domainCommands(parts: DomainCommandParts): CommandTable<DomainCommandName> {
  const { projects, domains, reconcile, recheck, now = Date.now } = parts;
  const { projectOf, nameOf, requireDomain, findDomain } = domainLookup(parts);
  const time = () => new Date(now()).toISOString();

  const claimFor = (project: Project, name: DomainName): Domain => ({
    ...name,
    project: project.id,
    status: 'pending_dns',
    reason: null,
    message: 'Create the records at your DNS provider, then verify.',
    phase: 'dns',
    // Both are counted from the moment of the claim, so that whoever still works for an earlier claim of the same name,
    // of which there may have been more or fewer, is told by them too.
    attempt: Math.floor(now() / 1000),
    revision: now(),
    target: `${randomBytes(10).toString('hex')}.${parts.platformDomain}`,
    challenge: `petstore-${randomBytes(16).toString('hex')}`,
    pointsAt: parts.endpointOf(project.apiId),
    gateway: null,
    slotAt: null,
    certificate: NO_CERTIFICATE,
    records: [],
    managed: [],
    rounds: 0,
    checkedAt: null,
    nextCheckAt: null,
    createdAt: time(),
    phaseStartedAt: time(),
    verifyStartedAt: null,
    verifiedAt: null,
    liveAt: null,
    history: [{ at: time(), what: 'pending_dns: added' }],
  });

  return {
    'domains.add': command(
      z.strictObject(domainFields),
      async (input, change) => {
        const name = nameOf(input.domain);
        const project = await projectOf(input.project);
        requirePaidPlan(project);
        const claim = claimFor(project, name);
        try {
          await change.commit([domains.claim(claim)], report(claim, project));
          return report(await reconcile(claim), project);
        } catch (error) {
          if (!(error instanceof DomainTaken)) throw error;
          return report(await reconcile(ownedBy(project, error)), project);
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
          if (before.status === 'removing') {
            throw new CommandError('conflict', `${before.domain} is being removed.`);
          }
          const domain = before.status === 'live' ? await recheck(before) : before;
          const isCertificateLost = domain.certificate.arn !== null && isLost(domain.certificate);
          if (domain.status === 'live' && !isCertificateLost) return report(domain, project);

          const message = 'Looking for the records.';
          const started = nextRevision(domain, {
            attempt: domain.attempt + 1,
            status: 'verifying',
            phase: 'dns',
            reason: null,
            message,
            rounds: 0,
            slotAt: null,
            nextCheckAt: null,
            phaseStartedAt: time(),
            verifyStartedAt: time(),
            verifiedAt: null,
            liveAt: null,
            certificate: isCertificateLost
              ? { ...NO_CERTIFICATE, validations: domain.certificate.validations }
              : { ...domain.certificate, requests: 0 },
          });
          const after = withHistory(started, time(), `verifying: ${message}`);
          const routing = withoutLive(project, domain.domain);
          const writes = [
            domains.change(after),
            ...(domain.status === 'live' ? [projects.routingChange(project, routing)] : []),
          ];
          const roles = { ...project, ...routing };
          await change.commit(writes, report(after, roles));
          return report(after, roles);
        }),
      async input => {
        const domain = await findDomain(input);
        if (domain?.status === 'verifying') await reconcile(domain);
        // Nothing redirected to what was never attached, and what is live is redirected to as before.
        if (domain?.gateway && domain.status !== 'live') await serveAgain(input.project);
      },
    ),

    'domains.show': command(z.strictObject(domainFields), async input => {
      const { project, domain } = await requireDomain(input);
      return report(isUnreconciled(domain) ? await reconcile(domain) : domain, project);
    }),

    'domains.list': command(z.strictObject(projectFields), async input => {
      const project = await projectOf(input.project);
      const all = await domains.listOf(project.id);
      return { domains: all.map(domain => report(domain, project)) };
    }),

    'domains.remove': command(
      z.strictObject(domainFields),
      (input, change) =>
        retryOnConflict(async () => {
          const { project, domain: before } = await requireDomain(input);
          // One that goes on is left to itself; one that could not go on is begun anew.
          if (before.status === 'removing' && before.reason === null) {
            return report(before, project);
          }
          const removed = nextRevision(before, {
            attempt: before.attempt + 1,
            status: 'removing',
            phase: 'live',
            reason: null,
            message: 'No longer served.',
            takenDownAt: undefined,
            rounds: 0,
            slotAt: null,
            nextCheckAt: null,
            phaseStartedAt: time(),
          });
          const after = withHistory(removed, time(), 'removing: no longer served');
          const routing = withoutLive(project, before.domain);
          const writes = [domains.change(after), projects.routingChange(project, routing)];
          await change.commit(writes, report(after, routing));
          return report(after, routing);
        }),
      async input => {
        const domain = await findDomain(input);
        if (domain?.status === 'removing') await reconcile(domain);
        await serveAgain(input.project);
      },
    ),
  };

  /**
   * Those that redirected to a domain which is no longer live serve the project themselves. Which they were is not noted any
   * more when the request comes again, so this makes sure of all that serve it.
   */
  async function serveAgain(id: string): Promise<void> {
    const project = await projectOf(id);
    for (const name of project.liveDomains) {
      const domain = redirectOf(project, name) ? undefined : await domains.find(name);
      if (domain?.status === 'live') await reconcile(domain);
    }
  }
}

/** The claim that the project has already, unless it is going or another project's. */
function ownedBy({ id }: Project, { owner, message }: DomainTaken): Domain {
  if (owner.project !== id) throw new CommandError('conflict', message);
  if (owner.status !== 'removing') return owner;
  throw new CommandError(
    'conflict',
    `${owner.domain} is being removed. Add it again when that is done, which can take some minutes.`,
  );
}

function requirePaidPlan({ id, plan, deploy }: Project): void {
  if (plan === 'free') {
    throw new CommandError(
      'conflict',
      `The project ${id} is on the plan free. Custom domains need pro or above.`,
    );
  }
  if (deploy.state !== 'succeeded') {
    throw new CommandError('conflict', `The project ${id} has no successful deploy yet. Deploy it first.`);
  }
}

/**
 * ACM names the validation records only some seconds after the request. And whoever asked for a flow may have ended before
 * it began: until its first step has looked at the domain, whoever looks makes sure of it.
 */
function isUnreconciled({ status, certificate, rounds, nextCheckAt }: Domain): boolean {
  if (status === 'verifying' || status === 'removing') return rounds === 0 && nextCheckAt === null;
  return certificate.validations.length === 0;
}
