import type { OperatorParts } from '../../domains/composition.ts';
import type { CommandTable } from '../command.ts';
import { addDomain } from './add-domain.ts';
import { checkDomain } from './check-domain.ts';
import { linkDomain, unlinkDomain } from './link-domain.ts';
import { listDomains, summarizeDomains } from './list-domains.ts';
import { moveDomain } from './move-domain.ts';
import { removeDomain } from './remove-domain.ts';
import { routingCommands } from './route-domain.ts';
import { lookAtDomain, showDomain } from './show-domain.ts';
import { verifyDomain } from './verify-domain.ts';

/**
 * What operators do with custom domains, from the claim to the removal. A command that changes something loads the
 * record, changes what is wanted of it, commits that with the audit entry, and then reconciles AWS with it. Commands that read
 * change nothing, neither the table nor AWS, but for a look, which is that of the sweeps, and the secret of a claim's first link.
 */
export function domainCommands(parts: OperatorParts): CommandTable<'domains'> {
  return {
    'domains.add': addDomain(parts),
    'domains.verify': verifyDomain(parts),
    'domains.show': showDomain(parts),
    'domains.look': lookAtDomain(parts),
    'domains.check': checkDomain(parts),
    'domains.link': linkDomain(parts),
    'domains.unlink': unlinkDomain(parts),
    'domains.list': listDomains(parts),
    'domains.summary': summarizeDomains(parts),
    'domains.remove': removeDomain(parts),
    'domains.move': moveDomain(parts),
    ...routingCommands(parts),
  };
}
