import { setTimeout as delay } from 'node:timers/promises';
import { REDIRECT_STATUSES } from '../../../shared/projects/redirect-statuses.ts';
import type { Random } from '../../simulation/random.ts';
import type { SoakContext } from '../context.ts';
import type { OperatorClient } from '../operators/operator-client.ts';
import type { Stage } from '../service-process.ts';

/** What a change of the routing may be refused with: another domain is not live, or has a role that is in the way. */
const REFUSALS = [
  ...['domain_not_live', 'is_primary', 'redirects_elsewhere', 'redirects_here', 'redirect_to_itself'],
  ...['redirect_loop', 'domain_unknown', 'removal_in_progress', 'changed_meanwhile'],
];

/** Makes domains primary, lets them redirect and takes redirects back until the run is over. */
export async function routeDomains(
  context: SoakContext,
  stage: Stage,
  operator: OperatorClient,
  random: Random,
): Promise<void> {
  const { domains, tally, violations } = context;
  const own = () => domains.entries.filter(entry => entry.stage === stage && entry.goal === 'live');

  while (!context.isOver()) {
    await delay(random.between(500, 3000));
    const entry = random.pick(own());
    const target = random.pick(own().filter(({ project }) => project === entry?.project));
    if (!entry || !target) continue;
    const { domain, project } = entry;
    const command = random.pick([
      'domains.primary',
      'domains.redirect',
      'domains.redirect',
      'domains.unredirect',
    ] as const);
    const status = random.pick(REDIRECT_STATUSES);
    const before = entry.redirect;
    const reply =
      command === 'domains.redirect'
        ? await operator.insist(command, { domain, project, to: target.domain, status })
        : await operator.insist(command, { domain, project });
    tally.count('changes of the routing');
    if (!reply.ok) {
      const isExplained = REFUSALS.includes(reply.error.reason ?? '');
      if (!isExplained)
        violations.add('false conflict', `${command} ${domain} of ${stage}: ${reply.error.message}`);
      continue;
    }
    // A removal that was asked for in the meantime ends the redirect.
    if (entry.goal !== 'live' || entry.redirect !== before) continue;
    if (command === 'domains.unredirect') entry.redirect = undefined;
    if (command === 'domains.redirect' && target.goal === 'live')
      entry.redirect = { to: target.domain, status };
  }
}
