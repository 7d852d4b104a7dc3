import { Option } from 'commander';
import type { InputOf, OrderStatus, OrderView } from '../../../shared/operator/contract.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/prose.ts';
import { limitOption } from '../framework/read-limit.ts';
import { exactTime } from '../framework/readable-times.ts';
import { Session } from '../framework/session.ts';
import { type Column, table } from '../framework/table.ts';
import { readOrderId } from './order-id.ts';

/** The compiler rejects this table when the contract has another status. */
const STATUSES: Readonly<Record<OrderStatus, true>> = { placed: true, approved: true, delivered: true };

/** petstore orders list: the newest orders first. */
export function addListOrders(orders: PetstoreCommand): void {
  orders
    .command('list')
    .alias('ls')
    .summary('list orders, the newest first')
    .description(
      'Lists the orders of animals, the newest first. A cancelled order is deleted and not listed.',
    )
    .addOption(new Option('--status <status>', 'only orders of this status').choices(Object.keys(STATUSES)))
    .option(...limitOption('orders'))
    .option('--before <id>', 'only orders older than this one: the next page', readOrderId)
    .examples('orders list --status placed', "orders list --json | jq '.orders[].id'")
    .action(async (filter: InputOf<'orders.list'>, command: PetstoreCommand) => {
      const session = new Session(command);
      const result = await session.read('orders.list', filter);
      const oldest = result.orders.at(-1);
      const next = `orders list${filter.status ? ` --status ${filter.status}` : ''} --before ${oldest?.id}`;
      session.show(result, style => {
        if (!oldest) {
          const which = [filter.before && 'older', filter.status].filter(Boolean).join(' ');
          return prose(`There is no ${which && `${which} `}order in ${session.environment}.`, style);
        }
        const listed = table(result.orders, COLUMNS, { width: style.width, paintTitle: style.dim });
        return result.hasMore ? `${listed}\n\nOlder ones: ${session.commandLine(next)}` : listed;
      });
    });
}

const COLUMNS: Column<OrderView>[] = [
  { title: 'ID', value: ({ id }) => String(id) },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'ANIMAL', value: ({ petId }) => String(petId) },
  { title: 'PLACED', value: ({ placedAt }) => exactTime(placedAt) },
];
