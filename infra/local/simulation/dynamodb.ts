import type {
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { page } from '../aws-api/operation.ts';
import type { Call } from './calls.ts';
import { holds, type Item, type Names, updated } from './dynamodb-expressions.ts';
import { type Actor, HOUR_MS } from './virtual-time.ts';

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

/** How long DynamoDB keeps an item that has expired, at most. */
const KEPT_MS = 48 * HOUR_MS;

/** What a run decides about reads. */
interface ReadBehavior extends IndexBehavior {
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
  readonly #reads: ReadBehavior;
  /** The attribute that says when an item expires, in seconds. */
  readonly #timeToLive: string;
  #expiresAtMs = 0;
  /** Tokens of committed transactions: DynamoDB recognizes a repetition. */
  readonly #committed = new WeakSet<object>();

  constructor(keys: Readonly<Record<string, readonly string[]>>, timeToLive: string, reads: ReadBehavior) {
    this.#timeToLive = timeToLive;
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
    this.#expire();
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

  /** Deletes what expired as long ago as DynamoDB may keep it at most. */
  #expire(): void {
    const { nowMs } = this.#reads;
    if (nowMs() < this.#expiresAtMs) return;
    this.#expiresAtMs = nowMs() + HOUR_MS;
    for (const { items, indexed } of Object.values(this.#tables)) {
      for (const [key, { [this.#timeToLive]: expiresAt }] of items) {
        if (typeof expiresAt !== 'number' || expiresAt * 1000 + KEPT_MS > nowMs()) continue;
        items.delete(key);
        indexed.write(key, undefined);
      }
    }
  }

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
    const table = this.#table(input.TableName);
    const items = input.IndexName === undefined ? table.items : table.indexed.current();
    const sortName = table.keyNames.find(other => other !== name) ?? '';
    const found = [...items.values()].filter(item => holds(input.KeyConditionExpression, item, input));
    const place = (item: Item) => String(item[sortName]);
    return this.#page(
      table,
      found.map(item => [place(item), item]),
      input,
      place,
    );
  }

  #scan(input: ScanCommandInput) {
    const table = this.#table(input.TableName);
    const { Segment = 0, TotalSegments = 1 } = input;
    const scanned = [...table.items].filter(([key]) => segmentOf(key, TotalSegments) === Segment);
    return this.#page(table, scanned, input, item => this.#keyOf(input.TableName, item));
  }

  /** The items after the start key, in the order of their places, up to where the page ends. */
  #page(
    { keyNames }: Table,
    found: readonly (readonly [place: string, item: Item])[],
    { ExclusiveStartKey, Limit = Number.POSITIVE_INFINITY }: ScanCommandInput,
    placeOf: (item: Item) => string,
  ) {
    const sorted = found.toSorted(([one], [other]) => (one < other ? -1 : 1));
    const start = ExclusiveStartKey && placeOf(ExclusiveStartKey as Item);
    const isBefore = ([place]: readonly [string, Item]) => start !== undefined && place <= start;
    const { shown, last } = page(sorted, Math.min(Limit, this.#reads.pageLength()), isBefore);
    const Items = shown.map(([, item]) => item);
    if (!last) return { Items };
    return { Items, LastEvaluatedKey: Object.fromEntries(keyNames.map(name => [name, last[1][name]])) };
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
      const error = new AwsApiError('ConditionalCheckFailedException', 'The conditional request failed');
      throw Object.assign(error, write.shown && { Item: marshall(write.shown) });
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
      const CancellationReasons = writes.map(({ isAllowed, shown }) =>
        isAllowed
          ? { Code: 'None' }
          : { Code: 'ConditionalCheckFailed', ...(shown && { Item: marshall(shown) }) },
      );
      const error = new AwsApiError('TransactionCanceledException', 'Transaction cancelled');
      throw Object.assign(error, { CancellationReasons });
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

/** The items of a table by their keys. They are replaced, never changed. */
export class TableItems extends Map<string, Item> {
  /** Increases with every write. */
  version = 0;

  override set(key: string, item: Item): this {
    this.version += 1;
    return super.set(key, item);
  }

  override delete(key: string): boolean {
    this.version += 1;
    return super.delete(key);
  }

  override clear(): void {
    this.version += 1;
    super.clear();
  }
}

/** What follows from the items of a table, computed anew only when they have changed: the invariants ask after every event. */
export function derived<Value>(items: TableItems, compute: (items: TableItems) => Value): () => Value {
  let known: { readonly version: number; readonly value: Value } | undefined;
  return () => {
    if (known?.version !== items.version) known = { version: items.version, value: compute(items) };
    return known.value;
  };
}

/**
 * An item as DynamoDB returns it after it was written: what is undefined does not arrive, and what has no attribute value
 * is an error. The SDK's own conversion does the same more slowly, so only unusual values take it.
 */
function stored(item: Item): Item {
  return storedValue(item) as Item;
}

function storedValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isSafeInteger(value) ? value : converted(value);
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return value.filter(isStored).map(storedValue);
      return Object.getPrototypeOf(value) === Object.prototype ? storedMap(value as Item) : converted(value);
    default:
      return converted(value);
  }
}

function storedMap(map: Item): Item {
  const result = { ...map };
  for (const key of Object.keys(result)) {
    const value = result[key];
    if (!isStored(value)) delete result[key];
    else if (typeof value !== 'string') result[key] = storedValue(value);
  }
  return result;
}

function isStored(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function';
}

function converted(value: unknown): unknown {
  return unmarshall(marshall({ value }, { removeUndefinedValues: true })).value;
}

/** What a run decides about indexes. */
interface IndexBehavior {
  nowMs(): number;
  /** How much later than the table an index has a write. */
  indexLagMs(): number;
}

/** A write that an index does not have yet. */
interface LaggingWrite {
  readonly visibleAtMs: number;
  readonly key: string;
  readonly item: Item | undefined;
}

/** The items of a table as its indexes have them: behind the table, but in the order of the writes. */
class LaggingItems {
  readonly #items = new Map<string, Item>();
  readonly #lagging: LaggingWrite[] = [];
  readonly #behavior: IndexBehavior;

  constructor(behavior: IndexBehavior) {
    this.#behavior = behavior;
  }

  /** Takes a write of the table; undefined is a deletion. */
  write(key: string, item: Item | undefined): void {
    const visibleAtMs = Math.max(
      this.#lagging.at(-1)?.visibleAtMs ?? 0,
      this.#behavior.nowMs() + this.#behavior.indexLagMs(),
    );
    this.#lagging.push({ visibleAtMs, key, item });
  }

  current(): ReadonlyMap<string, Item> {
    const nowMs = this.#behavior.nowMs();
    while (this.#lagging[0] && this.#lagging[0].visibleAtMs <= nowMs) {
      const { key, item } = this.#lagging.shift() as LaggingWrite;
      if (item) this.#items.set(key, item);
      else this.#items.delete(key);
    }
    return this.#items;
  }
}

/** The segment of a parallel scan that has an item, by its key. */
function segmentOf(key: string, segments: number): number {
  return [...key].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 65_537, 7) % segments;
}
