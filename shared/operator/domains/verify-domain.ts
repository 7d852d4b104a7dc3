import { isLost } from '../../domains/aws/certificates.ts';
import type { OperatorParts } from '../../domains/composition.ts';
import { type Domain, nextRevision } from '../../domains/life/domain.ts';
import { isAttached, isBeingRemoved, isServed, STATUSES } from '../../domains/life/domain-status.ts';
import { DomainChanged } from '../../domains/life/domain-store.ts';
import { LOST_AFTER_MS } from '../../domains/life/due.ts';
import { PATIENCE_MS } from '../../domains/life/lease.ts';
import { MAX_CERTIFICATE_REQUESTS } from '../../domains/life/waits.ts';
import { type CertificateFate, leftToWorker, verificationStarted } from '../../domains/life/wishes.ts';
import { report } from '../../domains/report.ts';
import { withoutLive } from '../../projects/routing.ts';
import { CommandError, type CommandOf } from '../command.ts';
import { domainLookup, retryOnConflict } from '../lookup.ts';
import { requirePaidPlan } from './requirements.ts';
import { remapProject } from './route-domain.ts';

export function verifyDomain(parts: OperatorParts): CommandOf<'domains.verify'> {
  const { projects, domains, reconcile, clock } = parts;
  const lookup = domainLookup(parts);

  return {
    run: (input, change) =>
      retryOnConflict(async () => {
        const { project, domain: before } = await lookup.requireDomain(input);
        refuseRemoved(before);
        requirePaidPlan(project);
        const isContested = await lookup.isContested(before.domain, project.id);
        const tended = isAttached(before) ? await parts.tend(before, PATIENCE_MS) : { claim: before };
        const domain = tended ? tended.claim : before;
        if (!domain) throw new DomainChanged(`${before.domain} is gone.`);
        refuseRemoved(domain);
        const fate = certificateFate(domain);
        if (isAttached(domain) && fate !== 'lost') {
          // Somebody else is working on it, perhaps for a rival: an execution continues as soon as they're done.
          const left = nextRevision(
            leftToWorker(domain, clock.now() + clock.scaled(LOST_AFTER_MS), clock.now()),
          );
          const result = report(tended ? domain : left, project, clock);
          // If nothing is left to change, the commit just records who asked.
          await change.commit(tended ? [] : domains.change(left), result);
          if (!tended) await parts.flows.start(left);
          return result;
        }

        const after = nextRevision(verificationStarted(domain, fate, clock.now(), { isContested }));
        const routing = withoutLive(project, domain.domain);
        const result = report(after, routing, clock);
        await change.commit(
          [...domains.change(after), ...(isServed(domain) ? [projects.routingChange(project, routing)] : [])],
          result,
        );
        return result;
      }),
    async followUp(input) {
      const domain = await lookup.findDomain(input);
      if (domain && STATUSES[domain.status].flow === 'verification') await reconcile(domain);
      return remapProject(parts, input.project);
    },
  };
}

/** What happens to the certificate when the domain is re-verified. A delayed one is replaced only a few times. */
export function certificateFate({ status, reason, certificate }: Domain): CertificateFate {
  if (certificate.arn !== null && isLost(certificate)) return 'lost';
  const isDelayed = status === 'issuing' && reason === 'certificate_delayed';
  return isDelayed && certificate.requests < MAX_CERTIFICATE_REQUESTS ? 'delayed' : 'kept';
}

function refuseRemoved(claim: Domain): void {
  if (!isBeingRemoved(claim)) return;
  throw new CommandError('conflict', `${claim.domain} is being removed.`, 'removal_in_progress');
}
