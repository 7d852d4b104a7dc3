import * as z from 'zod/mini';
import type { DomainServices } from '../domains/domain-services.ts';
import { isServed, STATUSES } from '../domains/life/domain-status.ts';
import { report } from '../domains/report.ts';
import { describeMappingFailure } from '../domains/steps/live-routing.ts';
import { DEFAULT_REDIRECT_STATUS } from '../projects/project-choices.ts';
import {
  RedirectStatus,
  type Routing,
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
  retryOnConflict,
} from './domain-lookup.ts';

type DomainRoutingCommandParts = DomainLookupParts & Pick<DomainServices, 'remap' | 'waitScale' | 'now'>;

/** What operators do with the live domains of a project: which is the primary one, and which redirect. */
export function domainRoutingCommands(parts: DomainRoutingCommandParts) {
  const { projects, remap, now } = parts;
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
      const result = report(domain, after, now(), { waitScale: parts.waitScale });
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
