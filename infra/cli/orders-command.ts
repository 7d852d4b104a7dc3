import { withAdvice } from './advice.ts';
import { usageError } from './command-error.ts';
import type { PetstoreCommand } from './petstore-command.ts';
import { Session } from './session.ts';

/** An order as the operator function tells it. */
interface Order {
  readonly id: number;
  readonly petId: number;
  readonly status: string;
  readonly placedAt: string;
}

/** One thing that is done with an order: how it is called, what it is for, and what is said when it is done. */
interface Action {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** What the operator function wants to know. */
  readonly field: 'id' | 'petId';
  /** Words for the question before production is changed, such as "approve the order 1". */
  words(id: number): string;
  done(order: Order, place: string): string;
}

const ACTIONS: readonly Action[] = [
  {
    name: 'place',
    summary: 'record an order of an animal',
    description: 'Records an order of an animal that is available. The animal is pending from then on.',
    field: 'petId',
    words: petId => `place an order of the animal ${petId}`,
    done: ({ id, petId }, place) => `Placed the order ${id} in ${place}. The animal ${petId} is now pending.`,
  },
  {
    name: 'approve',
    summary: 'approve an order',
    description: 'Approves an order that is placed.',
    field: 'id',
    words: id => `approve the order ${id}`,
    done: ({ id, petId }, place) => `Approved the order ${id} of the animal ${petId} in ${place}.`,
  },
  {
    name: 'deliver',
    summary: 'record that an order is delivered',
    description: 'Records that an approved order is delivered. Its animal is sold.',
    field: 'id',
    words: id => `deliver the order ${id}`,
    done: ({ id, petId }, place) => `Delivered the order ${id} in ${place}. The animal ${petId} is now sold.`,
  },
  {
    name: 'cancel',
    summary: 'take back an order that is not delivered',
    description: 'Takes back an order that is not delivered yet. Its animal is available again.',
    field: 'id',
    words: id => `cancel the order ${id}`,
    done: ({ id, petId }, place) =>
      `Cancelled the order ${id} in ${place}. The animal ${petId} is available again.`,
  },
];

/** petstore orders …: what operators do with orders. An order and its animal move together. */
export function addOrdersCommand(program: PetstoreCommand): void {
  const orders = program
    .command('orders')
    .summary('place, approve, deliver and cancel orders')
    .description('The orders of animals. An order and its animal move together.')
    .examples(
      'orders place 482957181345792',
      'orders approve 482961476313088 --stage production',
      'orders cancel 482961476313088',
    );
  for (const action of ACTIONS) addAction(orders, action);
}

const ARGUMENTS = {
  petId: { description: 'the id of the animal, as the HTTP interface gives it', example: '482957181345792' },
  id: {
    description: 'the id of the order, as "orders place" and GET /store/orders give it',
    example: '482961476313088',
  },
} as const;

function addAction(
  orders: PetstoreCommand,
  { name, summary, description, field, words, done }: Action,
): void {
  const argument = ARGUMENTS[field];
  orders
    .command(name)
    .summary(summary)
    .description(description)
    .argument(`<${field}>`, argument.description, readId)
    .examples(
      `orders ${name} ${argument.example}`,
      `orders ${name} ${argument.example} --stage production --yes`,
      `orders ${name} ${argument.example} --json | jq .status`,
    )
    .action(async (id: number, _: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const order = await withAdvice(
        WAYS_TO_IDS[field],
        session.change<Order>(`orders.${name}`, { [field]: id }, words(id)),
      );
      session.show(order, () => done(order, session.place));
    });
}

const WAYS_TO_IDS = {
  petId: 'The HTTP interface lists the ids: GET /pets?status=available',
  id: 'The HTTP interface lists the ids: GET /store/orders',
} as const;

/** Ids stay below 2^53, so a number holds them exactly. */
function readId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(id)) return id;
  throw usageError(`An id is a whole number such as ${ARGUMENTS.id.example}, not "${text}".`);
}
