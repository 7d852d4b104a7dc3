import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type Certificates, FAILED_CERTIFICATES } from '../domains/certificates.ts';
import type { Domain } from '../domains/domain.ts';
import { NotADomain, readDomainName } from '../domains/domain-name.ts';
import { type DomainStore, DomainTaken, Superseded } from '../domains/domain-store.ts';
import type { Flows } from '../domains/flows.ts';
import type { GatewayDomains } from '../domains/gateway-domains.ts';
import type { PlatformZone } from '../domains/platform-zone.ts';
import { type DomainReport, report } from '../domains/report.ts';
import type { Project } from '../projects/project.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { type Command, CommandError, command } from './command.ts';

export interface DomainCommandParts {
  readonly projects: ProjectStore;
  readonly domains: DomainStore;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly flows: Flows;
  /** The platform's own zone, such as apps.petstore.example. */
  readonly platformDomain: string;
  /** Where an API answers on AWS: what a claimed host leads to until the domain is attached. */
  readonly endpointOf: (apiId: string) => string;
  readonly now?: () => number;
}

const text = z.string('must be text').check(z.regex(/^\S{1,255}$/, 'must have 1 to 255 characters'));
const OfProject = { project: z._default(text, 'petstore'), domain: text };

/** What operators do with custom domains. */
export function domainCommands(parts: DomainCommandParts): Record<string, Command> {
  const { projects, domains, certificates, gateway, zone, flows, now = Date.now } = parts;
  const time = () => new Date(now()).toISOString();

  const projectOf = async (id: string): Promise<Project> => {
    const project = await projects.find(id);
    if (!project) throw new CommandError('not_found', `There is no project ${id}.`);
    return project;
  };

  const nameOf = (given: string) => {
    try {
      return readDomainName(given, [parts.platformDomain]);
    } catch (error) {
      if (error instanceof NotADomain)
        throw new CommandError('invalid_request', error.message, { cause: error });
      throw error;
    }
  };

  const existing = async (project: Project, given: string): Promise<Domain> => {
    const { domain: name } = nameOf(given);
    const domain = await domains.find(name);
    if (domain?.project !== project.id) {
      throw new CommandError('not_found', `${name} is no domain of the project ${project.id}. Add it first.`);
    }
    return domain;
  };

  /** Makes sure of what a claim needs: the host that leads somewhere, and the certificate with its record. */
  const prepare = async (domain: Domain): Promise<Domain> => {
    await zone.pointAt(domain.target, domain.pointsAt);
    const arn = domain.certificate.arn ?? (await certificates.request(domain.domain, domain.attempt));
    const prepared = {
      ...domain,
      certificate: { ...domain.certificate, arn, ...(await certificates.view(arn)) },
    };
    await domains.save(prepared);
    return prepared;
  };

  return {
    'domains.add': command(z.strictObject(OfProject), async (input, change) => {
      const name = nameOf(input.domain);
      const project = await projectOf(input.project);
      requirePaidPlan(project);
      const earlier = await domains.find(name.domain);
      if (earlier?.project === project.id && earlier.status !== 'removing') {
        return report(await prepare(earlier), project.primary);
      }
      const domain: Domain = {
        ...name,
        project: project.id,
        status: 'pending_dns',
        reason: null,
        message: 'Create the records at your DNS provider, then verify.',
        attempt: 1,
        target: `${randomBytes(10).toString('hex')}.${parts.platformDomain}`,
        challenge: `petstore-${randomBytes(16).toString('hex')}`,
        pointsAt: parts.endpointOf(project.apiId),
        certificate: { arn: null, status: null, failure: null, validation: null },
        records: [],
        rounds: 0,
        nextCheckAt: null,
        createdAt: time(),
        verifyStartedAt: null,
        verifiedAt: null,
        liveAt: null,
        redirect: null,
        history: [{ at: time(), what: 'pending_dns: added' }],
      };
      await change.commit([domains.claim(domain)], report(domain, project.primary)).catch(asConflict);
      return report(await prepare(domain), project.primary);
    }),

    'domains.verify': command(z.strictObject(OfProject), async (input, change) => {
      const project = await projectOf(input.project);
      const before = await existing(project, input.domain);
      if (before.status === 'removing')
        throw new CommandError('conflict', `${before.domain} is being removed.`);
      if (before.status === 'live') return report(before, project.primary);
      const isNewRequest = FAILED_CERTIFICATES.includes(before.certificate.status ?? '');
      const after: Domain = {
        ...before,
        attempt: before.attempt + 1,
        status: 'verifying',
        reason: null,
        message: 'Looking for the records.',
        rounds: 0,
        verifyStartedAt: time(),
        verifiedAt: null,
        certificate: isNewRequest
          ? { ...before.certificate, arn: null, status: null, failure: null }
          : before.certificate,
      };
      await change.commit([domains.change(before, after)], report(after, project.primary)).catch(asConflict);
      if (isNewRequest && before.certificate.arn) await certificates.remove(before.certificate.arn);
      const prepared = await prepare(after);
      await flows.startVerification(claimOf(after), { domain: after.domain, attempt: after.attempt });
      return report(prepared, project.primary);
    }),

    'domains.show': command(z.strictObject(OfProject), async input => {
      const project = await projectOf(input.project);
      const domain = await existing(project, input.domain);
      // ACM names the validation record only some seconds after the request.
      const isRecordUnknown = domain.certificate.arn !== null && domain.certificate.validation === null;
      return report(isRecordUnknown ? await prepare(domain) : domain, project.primary);
    }),

    'domains.list': command(z.strictObject({ project: OfProject.project }), async input => {
      const project = await projectOf(input.project);
      const all = await domains.listOf(project.id);
      return { domains: all.map(domain => report(domain, project.primary)) };
    }),

    'domains.primary': command(z.strictObject(OfProject), async (input, change) => {
      const project = await projectOf(input.project);
      const domain = await existing(project, input.domain);
      requireLive(domain);
      if (domain.redirect)
        throw new CommandError('conflict', `${domain.domain} redirects to ${domain.redirect.to}.`);
      const result = report(domain, domain.domain);
      await change
        .commit([projects.primaryChange(project.id, domain.domain), domains.change(domain, domain)], result)
        .catch(asConflict);
      return result;
    }),

    'domains.remove': command(z.strictObject(OfProject), async (input, change): Promise<DomainReport> => {
      const project = await projectOf(input.project);
      const before = await existing(project, input.domain);
      const after: Domain =
        before.status === 'removing'
          ? before
          : {
              ...before,
              status: 'removing',
              attempt: before.attempt + 1,
              reason: null,
              message: 'No longer served.',
              nextCheckAt: null,
            };
      if (after !== before) {
        const isPrimary = project.primary === before.domain;
        const writes = [
          domains.change(before, after),
          ...(isPrimary ? [projects.primaryChange(project.id, await nextPrimary(domains, before))] : []),
        ];
        await change.commit(writes, report(after, null)).catch(asConflict);
      }
      // Traffic stops first. What was being set up is fenced off by the attempt, stopped or not.
      await gateway.unmap(after.domain);
      await flows.stopVerification(claimOf(after), after.attempt - 1);
      await flows.startRemoval(claimOf(after), { domain: after.domain, attempt: after.attempt });
      return report(after, null);
    }),
  };
}

/** The part of the target that no one can guess, which names the executions of its claim. */
function claimOf({ target }: Domain): string {
  return target.slice(0, target.indexOf('.'));
}

/** A project with live domains has exactly one primary: the next one takes over, the longest live first. */
async function nextPrimary(domains: DomainStore, removed: Domain): Promise<string | null> {
  const others = (await domains.listOf(removed.project))
    .filter(
      ({ domain, status, redirect }) => domain !== removed.domain && status === 'live' && redirect === null,
    )
    .toSorted((left, right) => ((left.liveAt ?? '') < (right.liveAt ?? '') ? -1 : 1));
  return others[0]?.domain ?? null;
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

function requireLive({ domain, status }: Domain): void {
  if (status !== 'live') throw new CommandError('conflict', `${domain} is ${status}, not live.`);
}

function asConflict(error: unknown): never {
  if (error instanceof DomainTaken || error instanceof Superseded) {
    throw new CommandError('conflict', error.message, { cause: error });
  }
  throw error;
}
