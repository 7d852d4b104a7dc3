import { petReader } from '../clients/pet-reader.ts';
import type { SoakContext } from '../context.ts';
import type { Engine } from '../engine.ts';
import type { Stage } from '../service-process.ts';
import { tableItems } from './table-items.ts';

const EVERY_PAGE = Number.POSITIVE_INFINITY;

/**
 * Checks the animals of an environment when nothing fails any more: by the list, with each filter and without, and in the
 * table itself, which must hold nothing that the lists do not show.
 */
export async function checkPets(
  context: SoakContext,
  stage: Stage,
  apiKey: () => string,
  engine: Engine,
): Promise<void> {
  const ledger = context.pets[stage];
  const reader = petReader(context, stage, apiKey);
  for (const status of [undefined, 'available', 'pending', 'sold']) {
    await reader.walk({ limit: 100, status, mostPages: EVERY_PAGE });
  }
  reader.close();
  const atMs = context.now();
  const stored = new Set<string>();
  const table = `the pets table of ${stage}`;
  for (const { id, name, categoryId, status } of await tableItems(engine, stage, 'PetsTable')) {
    const pet = {
      id: id?.N ?? '',
      name: name?.S ?? '',
      categoryId: categoryId?.N ?? '',
      status: status?.S ?? '',
    };
    ledger.seen(pet, { fromMs: atMs, toMs: atMs }, table);
    stored.add(pet.id);
  }
  for (const entry of ledger.acknowledged) {
    if (!stored.has(entry.id ?? '')) ledger.notFound(entry, table);
  }
}
