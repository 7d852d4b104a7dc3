import { randomUUID } from 'node:crypto';
import { auditLog } from '../../../shared/audit/audit-log.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { type Domain, nextRevision } from '../../../shared/domains/life/domain.ts';
import { domainsOfProjects } from '../../../shared/domains/steps/project-domains.ts';
import { recheck } from '../../../shared/domains/steps/recheck.ts';
import { reconciler } from '../../../shared/domains/steps/reconciler.ts';
import { domainCommands } from '../../../shared/operator/domain-commands.ts';
import { domainRoutingCommands } from '../../../shared/operator/domain-routing-commands.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { projectCommands } from '../../../shared/operator/project-commands.ts';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { AT, live } from '../domains/claimed-domain.ts';
import { flowWorld } from '../domains/steps/flow-world.ts';
import { asking } from './asking.ts';

export const PUBLISHED = { apiId: 'abcdefghij', stage: 'test' };
export const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };

/** The operator of projects and domains on tables of its own, with AWS and DNS as the test sets them. */
export async function operatingDomains() {
  const [world, projectsTable, auditTable] = await Promise.all([
    flowWorld(),
    tableLike('ProjectsTable'),
    tableLike('OperatorAudit'),
  ]);
  const { parts, store: domains } = world;
  const { now } = parts;
  const projects = projectStore(projectsTable);
  const audit = auditLog(auditTable);
  const noted = (word: string) => async (domain: Domain) => {
    world.calls.push(`${word} ${domain.domain} ${domain.attempt}`);
  };
  const { apiStageOf, goLive } = domainsOfProjects({
    projects,
    domains,
    redirects: REDIRECTS,
    commit: transact,
  });
  const reconcile = reconciler({
    ...parts,
    domains,
    apiStageOf,
    flows: {
      startVerification: noted('verify'),
      stopEarlierVerification: noted('stop before'),
      startRemoval: noted('take down'),
    },
  });
  const common = { projects, domains, reconcile, platformDomain: 'apps.petstore.example' };
  const operate = operator(
    {
      ...domainCommands({
        ...common,
        recheck: recheck(parts),
        endpointOf: id => `${id}.execute-api.us-east-1.amazonaws.com`,
        now,
      }),
      ...domainRoutingCommands(common),
      ...projectCommands({ projects, published: PUBLISHED, now }),
    },
    audit,
    now,
  );

  const { ask, done } = asking(operate);

  return Object.assign(world, {
    ask,
    done,
    audit,
    projects,
    domains,
    /** A project that may have domains, with these live ones, the first of them the primary. */
    async project(id: string, ...names: string[]): Promise<void> {
      await projects.recordDeploy({ id, plan: 'pro', ...PUBLISHED }, AT);
      for (const domain of names) {
        const attached = live({ domain, project: id, target: `${randomUUID()}.apps.petstore.example` });
        await transact([domains.claim(attached)]);
        await goLive(nextRevision(attached, {}));
        world.mapped.set(domain, PUBLISHED.apiId);
      }
    },
    async routingOf(id: string) {
      const { liveDomains, primary, redirects } = (await projects.find(id)) ?? {};
      return { liveDomains, primary, redirects: redirects?.map(({ from, to }) => `${from} → ${to}`) };
    },
  });
}

export type OperatingDomains = Awaited<ReturnType<typeof operatingDomains>>;
