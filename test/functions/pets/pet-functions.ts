import { onTestFinished, vi } from 'vitest';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from '../../shared/aws/faulty-engine.ts';
import type { ClientRequest, ReadAnswer } from '../proxy-event.ts';
import { invoke, proxyEvent } from '../proxy-event.ts';

/** The functions of the animals on their own tables, configured by the environment variables that the stack sets. */
export interface PetFunctions {
  list(request?: ClientRequest): Promise<ReadAnswer>;
  create(request: ClientRequest): Promise<ReadAnswer>;
  get(petId: string, request?: ClientRequest): Promise<ReadAnswer>;
  readonly handlers: Readonly<Record<'listPets' | 'createPet' | 'getPet', unknown>>;
}

export interface PetFunctionsOptions {
  readonly shards?: number;
  /** The endpoint of DynamoDB, when it is not the engine's own. */
  readonly endpoint?: string;
  /** Whether the tables exist. Without them every request that reaches the store is answered 500. */
  readonly tables?: boolean;
}

async function petTables(): Promise<[pets: string, idempotencyKeys: string]> {
  return Promise.all([tableLike('PetsTable'), tableLike('PetsCreations')]);
}

/** Imports the functions afresh. Their environment variables are reset after the test. */
export async function petFunctions({
  shards = 1,
  endpoint,
  tables = true,
}: PetFunctionsOptions = {}): Promise<PetFunctions> {
  const [pets, idempotencyKeys] = tables ? await petTables() : ['no-table', 'no-table'];
  vi.stubEnv('PETS_TABLE', pets);
  vi.stubEnv('IDEMPOTENCY_KEYS_TABLE', idempotencyKeys);
  vi.stubEnv('PET_SHARDS', String(shards));
  vi.stubEnv('CURSOR_SECRET', 'a secret of the test');
  if (endpoint) stubEndpoint(endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  const { handler: listPets } = await import('../../../functions/pets/list-pets.ts');
  const { handler: createPet } = await import('../../../functions/pets/create-pet.ts');
  const { handler: getPet } = await import('../../../functions/pets/get-pet.ts');
  return {
    handlers: { listPets, createPet, getPet },
    list: request => invoke(listPets, proxyEvent(request)),
    create: request => invoke(createPet, proxyEvent({ method: 'POST', ...request })),
    get: (petId, request) =>
      invoke(getPet, proxyEvent({ path: `/v1/pets/${petId}`, pathParameters: { petId }, ...request })),
  };
}
