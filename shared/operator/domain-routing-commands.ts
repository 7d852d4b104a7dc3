import * as z from 'zod/mini';
import type { Domain } from '../domains/life/domain.ts';
import { report } from '../domains/life/report.ts';
import {
  RedirectStatus,
  type Routing,
  withoutRedirect,
  withPrimary,
  withRedirect,
} from '../projects/routing.ts';
import { type Change, CommandError, type CommandTable, command } from './command.ts';
import {
  type DomainLookupParts,
  type DomainOfProject,
  domainFields,
  domainLookup,
  retryOnConflict,
} from './domain-lookup.ts';

export interface DomainRoutingCommandParts extends DomainLookupParts {
  /** Brings AWS in line with what is noted of a domain. */
  readonly reconcile: (domain: Domain) => Promise<Domain>;
}

type RoutingCommandName = 'domains.primary' | 'domains.redirect' | 'domains.unredirect';

/** What operators do with the live domains of a project: which is the primary one, and which redirect. */
export function domainRoutingCommands(parts: DomainRoutingCommandParts): CommandTable<RoutingCommandName> {
  const { projects, reconcile } = parts;
  const { requireDomain, nameOf, findDomain } = domainLookup(parts);

  const changeRouting = (
    input: DomainOfProject,
    change: Change,
    rule: (routing: Routing, domain: string) => Routing,
  ) =>
    retryOnConflict(async () => {
      const { project, domain } = await requireDomain(input);
      if (domain.status !== 'live') {
        throw new CommandError('conflict', `${domain.domain} is ${domain.status}, not live.`);
      }
      const after = rule(project, domain.domain);
      const result = report(domain, after);
      await change.commit([projects.routingChange(project, after)], result);
      return result;
    });

  const follow = async (input: DomainOfProject) => {
    const domain = await findDomain(input);
    if (domain?.status === 'live') await reconcile(domain);
  };

  return {
    'domains.primary': command(z.strictObject(domainFields), (input, change) =>
      changeRouting(input, change, withPrimary),
    ),

    'domains.redirect': command(
      z.strictObject({ ...domainFields, to: domainFields.domain, status: z._default(RedirectStatus, 301) }),
      (input, change) => {
        const { domain: to } = nameOf(input.to);
        const { status } = input;
        return changeRouting(input, change, (routing, from) => withRedirect(routing, { from, to, status }));
      },
      follow,
    ),

    'domains.unredirect': command(
      z.strictObject(domainFields),
      (input, change) => changeRouting(input, change, withoutRedirect),
      follow,
    ),
  };
}
