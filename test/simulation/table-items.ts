import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './dynamodb-expressions.ts';

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
export function stored(item: Item): Item {
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
