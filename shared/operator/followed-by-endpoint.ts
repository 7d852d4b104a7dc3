import type { DefaultEndpoint } from '../projects/default-endpoint.ts';
import type { Command } from './command.ts';

/**
 * Commands on domains after which the default endpoint may have to open, because no primary domain is live any more. It
 * opens before their own follow-up stops the traffic to the domain.
 */
export function followedByEndpoint<Table extends Readonly<Record<string, Command>>>(
  table: Table,
  endpoint: Pick<DefaultEndpoint, 'follow'>,
): Table {
  const followed = Object.entries(table).map(([name, command]) => {
    const { followUp } = command;
    if (followUp === undefined) return [name, command];
    const followBoth = async (input: never) => {
      const warnings = await endpoint.follow();
      return [...warnings, ...((await followUp(input)) ?? [])];
    };
    return [name, { ...command, followUp: followBoth }];
  });
  return Object.fromEntries(followed);
}
