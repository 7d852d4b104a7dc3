import type { OrderView } from '../../../shared/operator/contract.ts';
import { usageError, withAdvice } from '../../operator/connection/command-error.ts';
import { exactTime } from '../../operator/readable-times.ts';
import { addRow, type SubcommandRow } from '../framework/command-row.ts';
import { limitOption } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';

const ORDER_ID_EXAMPLE = '482961476313088';

export function declareGroup(orders: PetstoreCommand): void {
  orders
    .description('Manages orders for pets. An order and its pet change status together.')
    .examples(
      'orders list --status placed',
      'orders place 482957181345792',
      'orders approve 482961476313088 --stage production',
      'orders cancel 482961476313088',
    );
  addRow(orders, LIST);
  addRow(orders, PLACE);
  addRow(orders, APPROVE);
  addRow(orders, DELIVER);
  addRow(orders, CANCEL);
}

const COLUMNS: Column<OrderView>[] = [
  { title: 'ID', value: ({ id }) => String(id) },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'PET', value: ({ petId }) => String(petId) },
  { title: 'PLACED', value: ({ placedAt }) => exactTime(placedAt) },
];

const LIST: SubcommandRow<'orders.list'> = {
  command: 'orders.list',
  aliases: ['ls'],
  summary: 'list orders, newest first',
  description: "Lists the orders, newest first. Canceled orders are deleted, so they aren't listed.",
  fields: {
    status: ['--status <status>', 'only orders with this status: {choices}'],
    limit: limitOption('orders'),
    before: ['--before <id>', 'only orders older than this one, for the next page', readOrderId],
  },
  examples: ['orders list --status placed', "orders list --json | jq '.orders[].id'"],
  done:
    ({ orders, hasMore }, session, { status, before }) =>
    style => {
      const oldest = orders.at(-1);
      if (!oldest) {
        const which = [before && 'older', status].filter(Boolean).join(' ');
        return prose(`No ${which && `${which} `}orders in ${session.environment}.`, style);
      }
      const listed = table(orders, COLUMNS, style);
      const next = `orders list${status ? ` --status ${status}` : ''} --before ${oldest.id}`;
      return hasMore ? `${listed}\n\nOlder ones: ${session.commandLine(next)}` : listed;
    },
};

const PET_IDS = 'The API lists them: GET /pets?status=available';
const ORDER_IDS = 'List them: petstore orders list';

const PLACE: SubcommandRow<'orders.place'> = {
  command: 'orders.place',
  summary: 'order a pet',
  description: 'Orders an available pet. The pet becomes pending.',
  fields: { petId: ['<petId>', 'the ID of the pet, as the API returns it', readOrderId] },
  examples: examplesOf('orders place 482957181345792'),
  question: ({ petId }) => `place an order for pet ${petId}`,
  response: sent => withAdvice({ pet_unknown: PET_IDS, id_invalid: PET_IDS }, sent),
  done: ({ id, petId }, { environment }) =>
    `Placed order ${id} in ${environment}. Pet ${petId} is now pending.`,
};

/** What the commands on an order have in common. */
const OF_ORDER = {
  fields: { id: ['<id>', 'the ID of the order, from "orders list"', readOrderId] },
  response: (sent: Promise<OrderView>) =>
    withAdvice({ order_unknown: ORDER_IDS, id_invalid: ORDER_IDS }, sent),
} as const;

const APPROVE: SubcommandRow<'orders.approve'> = {
  ...OF_ORDER,
  command: 'orders.approve',
  summary: 'approve an order',
  description: 'Approves a placed order.',
  examples: examplesOf(`orders approve ${ORDER_ID_EXAMPLE}`),
  question: ({ id }) => `approve order ${id}`,
  done: ({ id, petId }, { environment }) => `Approved order ${id} for pet ${petId} in ${environment}.`,
};

const DELIVER: SubcommandRow<'orders.deliver'> = {
  ...OF_ORDER,
  command: 'orders.deliver',
  summary: 'record the delivery of an order',
  description: 'Records the delivery of an approved order. Its pet becomes sold.',
  examples: examplesOf(`orders deliver ${ORDER_ID_EXAMPLE}`),
  question: ({ id }) => `record the delivery of order ${id}`,
  done: ({ id, petId }, { environment }) =>
    `Delivered order ${id} in ${environment}. Pet ${petId} is now sold.`,
};

const CANCEL: SubcommandRow<'orders.cancel'> = {
  ...OF_ORDER,
  command: 'orders.cancel',
  summary: "cancel an order that hasn't been delivered",
  description: "Cancels an order that hasn't been delivered. Its pet becomes available again.",
  examples: examplesOf(`orders cancel ${ORDER_ID_EXAMPLE}`),
  question: ({ id }) => `cancel order ${id}`,
  done: ({ id, petId }, { environment }) =>
    `Canceled order ${id} in ${environment}. Pet ${petId} is available again.`,
};

function examplesOf(line: string): readonly string[] {
  return [line, `${line} --stage production --yes`, `${line} --json | jq .status`];
}

/** Reads the id of an order or a pet. Ids stay below 2^53, so a number holds them exactly. */
function readOrderId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(id)) return id;
  throw usageError(`An ID is a number, such as ${ORDER_ID_EXAMPLE}, not "${text}".`);
}
