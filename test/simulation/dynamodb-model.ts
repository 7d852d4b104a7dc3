import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DeleteItemCommandInput,
  type GetItemCommandInput,
  type PutItemCommandInput,
  type QueryCommandInput,
  TransactionCanceledException,
  type TransactWriteItemsCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Call } from './calls.ts';
import { holds, type Item, type Names, updated } from './dynamodb-expressions.ts';

type Condition = Names & {
  readonly ConditionExpression?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
};
type WriteInput = Condition & { readonly TableName?: string | undefined; readonly Key?: Item | undefined };

/** A write whose condition was looked at: what is there, and what will be. */
interface Judged {
  readonly table: Map<string, Item>;
  readonly key: string;
  readonly present: Item | undefined;
  readonly next: Item | undefined;
  readonly isAllowed: boolean;
  readonly shown: Item | undefined;
}

/** The tables, by the name of their partition key. Reads are consistent, but for those of an index. */
export class DynamoDbModel {
  readonly #tables: Readonly<Record<string, { keyName: string; items: Map<string, Item> }>>;
  /** Tokens of transactions that were made: DynamoDB knows a repetition. */
  readonly #made = new WeakSet<object>();

  constructor(keyNames: Readonly<Record<string, string>>) {
    this.#tables = Object.fromEntries(
      Object.entries(keyNames).map(([table, keyName]) => [table, { keyName, items: new Map() }]),
    );
  }

  items(table: string): Map<string, Item> {
    return this.#table(table).items;
  }

  readonly service = ({ operation, input, token }: Call): unknown => {
    switch (operation) {
      case 'GetItem': {
        const { TableName, Key } = input as GetItemCommandInput;
        return { Item: this.items(TableName ?? '').get(firstText(Key)) };
      }
      case 'Query':
        return this.#query(input as QueryCommandInput);
      case 'PutItem':
        return this.#write(this.#put(input as PutItemCommandInput));
      case 'UpdateItem':
        return this.#write(this.#update(input as UpdateItemCommandInput));
      case 'DeleteItem':
        return this.#write(this.#deletion(input as DeleteItemCommandInput));
      case 'TransactWriteItems':
        return this.#transact(input as TransactWriteItemsCommandInput, token);
      default:
        throw new Error(`DynamoDB has no ${operation} here.`);
    }
  };

  #table(name = '') {
    const table = this.#tables[name];
    if (!table) throw new Error(`There is no table ${name}.`);
    return table;
  }

  #query({ TableName, ExpressionAttributeNames, ExpressionAttributeValues }: QueryCommandInput) {
    const [name = ''] = Object.values(ExpressionAttributeNames ?? {});
    const [value] = Object.values(ExpressionAttributeValues ?? {});
    return { Items: [...this.items(TableName ?? '').values()].filter(item => item[name]?.S === value?.S) };
  }

  #put(input: PutItemCommandInput | (WriteInput & { Item?: Item | undefined })): Judged {
    const { keyName } = this.#table(input.TableName);
    return this.#judged(input, input.Item?.[keyName]?.S ?? '', () => input.Item);
  }

  #update(input: WriteInput & { UpdateExpression?: string | undefined }): Judged {
    const { UpdateExpression = '', Key = {} } = input;
    const change = (present: Item | undefined) => updated(UpdateExpression, present ?? Key, input);
    return this.#judged(input, firstText(Key), change);
  }

  #deletion(input: WriteInput): Judged {
    return this.#judged(input, firstText(input.Key), () => undefined);
  }

  #judged(input: WriteInput, key: string, change: (present: Item | undefined) => Item | undefined): Judged {
    const { items: table } = this.#table(input.TableName);
    const present = table.get(key);
    const isAllowed = holds(input.ConditionExpression, present, input);
    const shown = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? present : undefined;
    return { table, key, present, isAllowed, next: isAllowed ? change(present) : undefined, shown };
  }

  #write(judged: Judged) {
    if (!judged.isAllowed) {
      throw new ConditionalCheckFailedException({
        message: 'The conditional request failed',
        $metadata: {},
        ...(judged.shown && { Item: judged.shown }),
      });
    }
    make(judged);
    return { Attributes: judged.next };
  }

  #transact({ TransactItems = [] }: TransactWriteItemsCommandInput, token: object) {
    if (this.#made.has(token)) return {};
    const judged = TransactItems.map(({ Put, Update }) => {
      if (Put) return this.#put(Put);
      if (Update) return this.#update(Update);
      throw new Error('Only puts and updates are part of transactions here.');
    });
    if (judged.some(({ isAllowed }) => !isAllowed)) {
      throw new TransactionCanceledException({
        message: 'Transaction cancelled',
        $metadata: {},
        CancellationReasons: judged.map(({ isAllowed, shown }) =>
          isAllowed ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...(shown && { Item: shown }) },
        ),
      });
    }
    for (const write of judged) make(write);
    this.#made.add(token);
    return {};
  }
}

function make({ table, key, next }: Judged): void {
  if (next) table.set(key, next);
  else table.delete(key);
}

function firstText(key: Record<string, AttributeValue> | undefined): string {
  return Object.values(key ?? {})[0]?.S ?? '';
}
