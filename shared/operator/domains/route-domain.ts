import type { OperatorParts } from '../../domains/composition.ts';
import { describeMappingFailure } from '../../domains/pass/live-routing.ts';
import { report } from '../../domains/report.ts';
import { type Routing, withoutRedirect, withPrimary, withRedirect } from '../../projects/routing.ts';
import type { Change, CommandTable } from '../command.ts';
import { type DomainInput, domainLookup, retryOnConflict } from '../lookup.ts';
import { requireNotRemoving } from './requirements.ts';

type RoutingCommands = Pick<
  CommandTable<'domains'>,
  'domains.primary' | 'domains.redirect' | 'domains.unredirect'
>;

/** What operators do with the live domains of a project: which is the primary one, and which redirect. */
export function routingCommands(parts: OperatorParts): RoutingCommands {
  const { projects, domains, clock } = parts;
  const { requireDomain, readName } = domainLookup(parts);

  /** Changes the routing of the project that has the domain and its redirect's target. */
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

  const mapLive = (input: DomainInput) => remapProject(parts, input.project, readName(input.domain).domain);

  return {
    'domains.primary': {
      run: (input, change) => changeRouting(input, change, withPrimary),
    },
    'domains.redirect': {
      run({ status, ...input }, change) {
        const { domain: to } = readName(input.to);
        return changeRouting(input, change, (routing, from) => withRedirect(routing, { from, to, status }));
      },
      followUp: mapLive,
    },
    'domains.unredirect': {
      run: (input, change) => changeRouting(input, change, withoutRedirect),
      followUp: mapLive,
    },
  };
}

/** Domains that redirected to one that is no longer live serve the project themselves again. */
export async function remapProject(
  { remap }: Pick<OperatorParts, 'remap'>,
  project: string,
  ...named: readonly string[]
): Promise<string[]> {
  return (await remap(project, ...named)).map(describeMappingFailure);
}
