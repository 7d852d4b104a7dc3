import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { auditLog } from '../../../../shared/audit/audit-log.ts';
import { type DefaultUrlView, NO_DEFAULT_URLS } from '../../../../shared/domains/default-urls.ts';
import type { Delegation } from '../../../../shared/domains/dns/platform-delegation.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { operator } from '../../../../shared/operator/operator.ts';
import { publishingCommands } from '../../../../shared/operator/publishing-commands.ts';
import type { Project } from '../../../../shared/projects/project.ts';
import { projectStore } from '../../../../shared/projects/project-store.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT, live, PUBLISHED } from '../../domains/claimed-domain.ts';
import { flowWorld } from '../../domains/pass/flow-world.ts';
import { storeClaim } from '../../domains/stored-claims.ts';
import { asking } from '../asking.ts';

/** The operator of projects and domains over tables of its own, with AWS and DNS as the test sets them. */
export async function operatingDomains() {
  const [projectsTable, auditTable] = await Promise.all([
    tableLike('ProjectsTable'),
    tableLike('OperatorAudit'),
  ]);
  const projects = projectStore(projectsTable);
  const platform: { delegation: Delegation } = { delegation: { isInPlace: true } };
  /** The default URLs, all of which are in one state, and what they return after a change. */
  const defaultUrls = {
    ...NO_DEFAULT_URLS,
    state: 'serving' as DefaultUrlView['state'],
    async views() {
      const { state } = this;
      return ({ id }: Project) => ({ url: `https://${id}.apps.petstore.example`, state, reason: null });
    },
    follow: vi.fn(async (): Promise<string[]> => []),
    servesPages: vi.fn(async () => false),
  };
  const world = await flowWorld({
    defaultUrls,
    projects,
    platformDomain: 'apps.petstore.example',
    platformDelegation: async () => platform.delegation,
  });
  const { parts, store: domains } = world;
  const audit = auditLog(auditTable);
  /** How often the default endpoint was asked to follow a change, and what it returns. */
  const endpoint = { follow: vi.fn(async (_options?: { isAlways?: boolean }): Promise<string[]> => []) };
  const operate = operator(
    publishingCommands(parts, { published: PUBLISHED, endpoint }),
    audit,
    parts.clock.now,
  );

  const { ask, done } = asking(operate);

  return Object.assign(world, {
    ask,
    done,
    endpoint,
    defaultUrls,
    /** Whether the platform's domain is delegated to its zone. */
    platform,
    audit,
    projects,
    domains,
    /** A project that may have domains, with these live ones, the first of them the primary. */
    async project(id: string, ...names: string[]): Promise<void> {
      await projects.recordDeploy({ id, plan: 'pro', ...PUBLISHED }, AT);
      for (const domain of names) {
        const attached = live({ domain, project: id, target: `${randomUUID()}.apps.petstore.example` });
        await storeClaim(domains, attached);
        await domains.holding(domain, holder => parts.commitLive(nextRevision(attached), holder));
        world.attach(domain);
      }
    },
    /** A domain that was added to a project of its own, and that something else has changed since. */
    async added(id: string, changes: Partial<Domain> = {}) {
      await this.project(id);
      const fields = { project: id, domain: `www.${id}.example.com` };
      await done('domains.add', fields);
      const before = (await domains.find(fields.domain, id)) as Domain;
      await world.save(nextRevision({ ...before, ...changes }));
      world.calls.length = 0;
      return fields;
    },
    /** The only claim of a name. */
    async claimOf(name: string): Promise<Domain> {
      const [claim, ...others] = (await domains.all()).filter(({ domain }) => domain === name);
      if (!claim || others.length > 0) throw new Error(`There is not exactly one claim of ${name}.`);
      return claim;
    },
    async routingOf(id: string) {
      const { liveDomains, primary, redirects } = (await projects.find(id)) ?? {};
      return { liveDomains, primary, redirects: redirects?.map(({ from, to }) => `${from} → ${to}`) };
    },
  });
}

export type OperatingDomains = Awaited<ReturnType<typeof operatingDomains>>;
