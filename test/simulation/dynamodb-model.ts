import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type {
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Call } from './call.ts';
import { holds, type Item, type Names, updated } from './dynamodb-expressions.ts';
import { type IndexBehaviour, LaggingItems } from './lagging-items.ts';
import { stored, TableItems } from './table-items.ts';
import type { Actor } from './virtual-time.ts';

type Condition = Names & {
  readonly ConditionExpression?: string | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
};
type WriteInput = Condition & { readonly TableName?: string | undefined; readonly Key?: Item | undefined };

/** A write whose condition was evaluated: the item that is there, and the one that will be. */
interface EvaluatedWrite {
  readonly tableName: string;
  readonly table: Map<string, Item>;
  readonly key: string;
  readonly present: Item | undefined;
  readonly next: Item | undefined;
  readonly isAllowed: boolean;
  readonly shown: Item | undefined;
}

/** What a run decides about reads. */
export interface ReadBehaviour extends IndexBehaviour {
  /** The number of items after which a page of a list ends, at least 1. */
  pageLength(): number;
}

/** An item before and after a write; undefined where there is none. */
export interface ItemWrite {
  readonly table: string;
  readonly key: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

interface Table {
  readonly keyNames: readonly string[];
  readonly items: TableItems;
  /** The items as the indexes of the table have them. */
  readonly indexed: LaggingItems;
}

/**
 * The tables, with the names of their key attributes, as the document client sees them: plain values in and out, but attribute
 * values in errors. Reads of a table are consistent, those of an index are not, and lists end after any number of items.
 */
export class DynamoDbModel {
  /** Called after every write. */
  onWrite: (write: ItemWrite, by: Actor) => void = () => {};
  readonly #tables: Readonly<Record<string, Table>>;
  readonly #reads: ReadBehaviour;
  /** Tokens of committed transactions: DynamoDB recognizes a repetition. */
  readonly #committed = new WeakSet<object>();

  constructor(keys: Readonly<Record<string, readonly string[]>>, reads: ReadBehaviour) {
    this.#tables = Object.fromEntries(
      Object.entries(keys).map(([table, keyNames]) => [
        table,
        { keyNames, items: new TableItems(), indexed: new LaggingItems(reads) },
      ]),
    );
    this.#reads = reads;
  }

  items(table: string): TableItems {
    return this.#table(table).items;
  }

  readonly service = ({ operation, input, token, actor }: Call): unknown => {
    switch (operation) {
      case 'GetItem': {
        const { TableName, Key } = input as GetCommandInput;
        return { Item: this.items(TableName ?? '').get(this.#keyOf(TableName, Key)) };
      }
      case 'Query':
        return this.#query(input as QueryCommandInput);
      case 'Scan':
        return this.#scan(input as ScanCommandInput);
      case 'PutItem':
        return this.#write(this.#put(input as PutCommandInput), actor);
      case 'UpdateItem':
        return this.#write(this.#update(input as UpdateCommandInput), actor);
      case 'DeleteItem':
        return this.#write(this.#deletion(input as DeleteCommandInput), actor);
      case 'TransactWriteItems':
        return this.#transact(input as TransactWriteCommandInput, token, actor);
      default:
        throw new Error(`The model does not support ${operation}.`);
    }
  };

  #table(name = '') {
    const table = this.#tables[name];
    if (!table) throw new Error(`There is no table ${name}.`);
    return table;
  }

  /** The key of an item in its table. */
  #keyOf(table: string | undefined, item: Item = {}): string {
    return this.#table(table)
      .keyNames.map(name => item[name])
      .join(' ');
  }

  /** A partition of a table or of an index whose sort key is the other key attribute, in the order of that. */
  #query(input: QueryCommandInput) {
    const [name = ''] = Object.values(input.ExpressionAttributeNames ?? {});
    const [value] = Object.values(input.ExpressionAttributeValues ?? {});
    const table = this.#table(input.TableName);
    const items = input.IndexName === undefined ? table.items : table.indexed.current();
    const sortName = table.keyNames.find(other => other !== name) ?? '';
    const found = [...items.values()].filter(item => item[name] === value);
    return this.#page(table, found, input, item => String(item[sortName]));
  }

  #scan(input: ScanCommandInput) {
    const table = this.#table(input.TableName);
    return this.#page(table, [...table.items.values()], input, item => this.#keyOf(input.TableName, item));
  }

  /** The items after the start key, in order, up to where the page ends. */
  #page(
    { keyNames }: Table,
    found: Item[],
    { ExclusiveStartKey, Limit = Number.POSITIVE_INFINITY }: ScanCommandInput,
    place: (item: Item) => string,
  ) {
    const sorted = found.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
    const rest = ExclusiveStartKey
      ? sorted.filter(item => place(item) > place(ExclusiveStartKey as Item))
      : sorted;
    const Items = rest.slice(0, Math.min(Limit, this.#reads.pageLength()));
    const last = Items.at(-1);
    if (!last || Items.length === rest.length) return { Items };
    return { Items, LastEvaluatedKey: Object.fromEntries(keyNames.map(name => [name, last[name]])) };
  }

  #put(input: WriteInput & { Item?: Item | undefined }): EvaluatedWrite {
    return this.#evaluate(input, this.#keyOf(input.TableName, input.Item), () => input.Item);
  }

  #update(input: WriteInput & { UpdateExpression?: string | undefined }): EvaluatedWrite {
    const { UpdateExpression = '', Key = {} } = input;
    const change = (present: Item | undefined) => updated(UpdateExpression, present ?? Key, input);
    return this.#evaluate(input, this.#keyOf(input.TableName, Key), change);
  }

  #deletion(input: WriteInput): EvaluatedWrite {
    return this.#evaluate(input, this.#keyOf(input.TableName, input.Key), () => undefined);
  }

  #check(input: WriteInput): EvaluatedWrite {
    return this.#evaluate(input, this.#keyOf(input.TableName, input.Key), present => present);
  }

  #evaluate(
    input: WriteInput,
    key: string,
    change: (present: Item | undefined) => Item | undefined,
  ): EvaluatedWrite {
    const { items: table } = this.#table(input.TableName);
    const present = table.get(key);
    const isAllowed = holds(input.ConditionExpression, present, input);
    const shown = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? present : undefined;
    const tableName = input.TableName ?? '';
    return {
      tableName,
      table,
      key,
      present,
      isAllowed,
      next: isAllowed ? change(present) : undefined,
      shown,
    };
  }

  #write(write: EvaluatedWrite, by: Actor) {
    if (!write.isAllowed) {
      throw new ConditionalCheckFailedException({
        message: 'The conditional request failed',
        $metadata: {},
        ...(write.shown && { Item: marshall(write.shown) }),
      });
    }
    this.#apply(write, by);
    return { Attributes: write.next };
  }

  #transact({ TransactItems = [] }: TransactWriteCommandInput, token: object, by: Actor) {
    if (this.#committed.has(token)) return {};
    const writes = TransactItems.map(({ Put, Update, Delete, ConditionCheck }) => {
      if (Put) return this.#put(Put);
      if (Update) return this.#update(Update);
      if (Delete) return this.#deletion(Delete);
      return this.#check(ConditionCheck ?? {});
    });
    if (writes.some(({ isAllowed }) => !isAllowed)) {
      throw new TransactionCanceledException({
        message: 'Transaction cancelled',
        $metadata: {},
        CancellationReasons: writes.map(({ isAllowed, shown }) =>
          isAllowed
            ? { Code: 'None' }
            : { Code: 'ConditionalCheckFailed', ...(shown && { Item: marshall(shown) }) },
        ),
      });
    }
    for (const write of writes) this.#apply(write, by);
    this.#committed.add(token);
    return {};
  }

  #apply({ tableName, table, key, present, next }: EvaluatedWrite, by: Actor): void {
    const after = next && stored(next);
    if (after) table.set(key, after);
    else table.delete(key);
    this.#table(tableName).indexed.write(key, after);
    this.onWrite({ table: tableName, key, before: present, after }, by);
  }
}
