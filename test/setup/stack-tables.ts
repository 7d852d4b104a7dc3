import { randomUUID } from 'node:crypto';
import { expect, inject, onTestFinished, TestRunner } from 'vitest';
import { type DeclaredTable, deployTables } from '../../infra/local/dynamodb/tables.ts';
import { removeItems } from './table-items.ts';

/** A table that was created for a test, and the file whose tests use it; undefined once a test has given it back. */
interface LentTable {
  readonly kind: string;
  readonly name: string;
  user: string | undefined;
}

/**
 * The tables that this process has created. Creating one costs the engine more than most tests do, and every table that
 * exists costs it a little all the time: so one that no test uses any more is emptied and used again.
 */
const lent: LentTable[] = tablesOfProcess();

/**
 * Returns the name of an empty table as the staging stack declares the one whose logical id starts like this. Nobody else
 * uses it: until the end of the test that asks for it, or of the file if no test does.
 */
export async function tableLike(logicalIdPrefix: string): Promise<string> {
  const declared = Object.entries(inject('tables')).find(([id]) => id.startsWith(logicalIdPrefix))?.[1];
  if (!declared) throw new Error(`Petstore-Staging has no table ${logicalIdPrefix}….`);
  const file = expect.getState().testPath ?? '';
  const table = takeUnused(logicalIdPrefix, file);
  const name =
    (table && (await emptied(table, declared))) ?? (await created(logicalIdPrefix, declared, file));
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => giveBack(name));
  return name;
}

/**
 * The table that has been unused for the longest, if there are two: what a test has given back rests during the next one,
 * so that a request that nobody waited for has long been answered.
 */
function takeUnused(kind: string, file: string): LentTable | undefined {
  const [table, next] = lent.filter(other => other.kind === kind && other.user !== file);
  if (!table || !next) return undefined;
  lent.splice(lent.indexOf(table), 1);
  lent.push(table);
  table.user = file;
  return table;
}

function giveBack(name: string): void {
  const table = lent.find(other => other.name === name);
  if (!table) return;
  lent.splice(lent.indexOf(table), 1);
  lent.push(table);
  table.user = undefined;
}

/** Empties a table. One that has many items is deleted instead, and undefined returned. */
async function emptied(table: LentTable, declared: DeclaredTable): Promise<string | undefined> {
  const keyNames = declared.KeySchema.map(({ AttributeName }) => AttributeName);
  if (await removeItems(inject('dynamoDbEndpoint'), table.name, keyNames)) return table.name;
  lent.splice(lent.indexOf(table), 1);
  return undefined;
}

async function created(kind: string, declared: DeclaredTable, file: string): Promise<string> {
  const name = `${kind}-${randomUUID()}`;
  await deployTables(inject('dynamoDbEndpoint'), [{ ...declared, name }]);
  lent.push({ kind, name, user: file });
  return name;
}

/** Modules are evaluated anew for some files (fresh-modules.ts), but the process stays. */
function tablesOfProcess(): LentTable[] {
  const key = Symbol.for('petstore.test-tables');
  const process = globalThis as { [key]?: LentTable[] };
  process[key] ??= [];
  return process[key];
}
