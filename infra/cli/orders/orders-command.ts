import type { OrderView } from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import { OrderStatus } from '../../../shared/orders/order.ts';
import { usageError, withAdvice } from '../../operator/connection/command-error.ts';
import { exactTime } from '../../operator/readable-times.ts';
import { limitOption } from '../framework/option-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { Session } from '../framework/session.ts';
import { prose } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';

const ORDER_ID_EXAMPLE = '482961476313088';

interface Action {
  readonly name: 'place' | 'approve' | 'deliver' | 'cancel';
  readonly summary: string;
  readonly description: string;
  readonly field: 'id' | 'petId';
  /** Such as "approve order", with an id for the question before production is changed. */
  readonly question: string;
  done(order: OrderView, environment: string): string;
}

const ACTIONS: readonly Action[] = [
  {
    name: 'place',
    summary: 'order a pet',
    description: 'Orders an available pet. The pet becomes pending.',
    field: 'petId',
    question: 'place an order for pet',
    done: ({ id, petId }, environment) =>
      `Placed order ${id} in ${environment}. Pet ${petId} is now pending.`,
  },
  {
    name: 'approve',
    summary: 'approve an order',
    description: 'Approves a placed order.',
    field: 'id',
    question: 'approve order',
    done: ({ id, petId }, environment) => `Approved order ${id} for pet ${petId} in ${environment}.`,
  },
  {
    name: 'deliver',
    summary: 'record the delivery of an order',
    description: 'Records the delivery of an approved order. Its pet becomes sold.',
    field: 'id',
    question: 'record the delivery of order',
    done: ({ id, petId }, environment) =>
      `Delivered order ${id} in ${environment}. Pet ${petId} is now sold.`,
  },
  {
    name: 'cancel',
    summary: "cancel an order that hasn't been delivered",
    description: "Cancels an order that hasn't been delivered. Its pet becomes available again.",
    field: 'id',
    question: 'cancel order',
    done: ({ id, petId }, environment) =>
      `Canceled order ${id} in ${environment}. Pet ${petId} is available again.`,
  },
];

export function declareGroup(orders: PetstoreCommand): void {
  orders
    .description('Manages orders for pets. An order and its pet change status together.')
    .examples(
      'orders list --status placed',
      'orders place 482957181345792',
      'orders approve 482961476313088 --stage production',
      'orders cancel 482961476313088',
    );
  addListOrders(orders);
  for (const action of ACTIONS) addAction(orders, action);
}

const PET_IDS = 'The API lists them: GET /pets?status=available';
const ORDER_IDS = 'List them: petstore orders list';

const ARGUMENTS = {
  petId: {
    description: 'the id of the pet, as the API returns it',
    example: '482957181345792',
    advice: { pet_unknown: PET_IDS, id_invalid: PET_IDS },
  },
  id: {
    description: 'the id of the order, from "orders list"',
    example: ORDER_ID_EXAMPLE,
    advice: { order_unknown: ORDER_IDS, id_invalid: ORDER_IDS },
  },
} as const;

function addAction(
  orders: PetstoreCommand,
  { name, summary, description, field, question, done }: Action,
): void {
  const argument = ARGUMENTS[field];
  orders
    .command(name)
    .summary(summary)
    .description(description)
    .argument(`<${field}>`, argument.description, readOrderId)
    .examples(
      `orders ${name} ${argument.example}`,
      `orders ${name} ${argument.example} --stage production --yes`,
      `orders ${name} ${argument.example} --json | jq .status`,
    )
    .action(async (id: number, _: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const input = field === 'id' ? { id } : { petId: id };
      const change = session.change(`orders.${name}`, input, `${question} ${id}`);
      const order = await withAdvice(argument.advice, change);
      session.show(order, done(order, session.environment));
    });
}

function addListOrders(orders: PetstoreCommand): void {
  orders
    .command('list')
    .alias('ls')
    .summary('list orders, newest first')
    .description("Lists the orders, newest first. Canceled orders are deleted, so they aren't listed.")
    .choiceOption(
      '--status <status>',
      `only orders with this status: ${OrderStatus.options.join(', ')}`,
      OrderStatus.options,
    )
    .option(...limitOption('orders'))
    .option('--before <id>', 'only orders older than this one, for the next page', readOrderId)
    .examples('orders list --status placed', "orders list --json | jq '.orders[].id'")
    .action(async (filter: InputOf<'orders.list'>, command: PetstoreCommand) => {
      const session = new Session(command);
      const result = await session.read('orders.list', filter);
      const oldest = result.orders.at(-1);
      const next = `orders list${filter.status ? ` --status ${filter.status}` : ''} --before ${oldest?.id}`;
      session.show(result, style => {
        if (!oldest) {
          const which = [filter.before && 'older', filter.status].filter(Boolean).join(' ');
          return prose(`No ${which && `${which} `}orders in ${session.environment}.`, style);
        }
        const listed = table(result.orders, COLUMNS, style);
        return result.hasMore ? `${listed}\n\nOlder ones: ${session.commandLine(next)}` : listed;
      });
    });
}

const COLUMNS: Column<OrderView>[] = [
  { title: 'ID', value: ({ id }) => String(id) },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'PET', value: ({ petId }) => String(petId) },
  { title: 'PLACED', value: ({ placedAt }) => exactTime(placedAt) },
];

/** Reads the id of an order or a pet. Ids stay below 2^53, so a number holds them exactly. */
function readOrderId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(id)) return id;
  throw usageError(`An id is a number such as ${ORDER_ID_EXAMPLE}, not "${text}".`);
}
