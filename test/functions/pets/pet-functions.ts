import { onTestFinished, vi } from 'vitest';
import { PET_OPERATIONS } from '../../../shared/pets/operations.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import type { ClientRequest, ReadResponse } from '../proxy-event.ts';
import { invoke, proxyEvent } from '../proxy-event.ts';

type PetOperation = (typeof PET_OPERATIONS)[number];

type VerbOf<Name> = Name extends `${infer Verb}Pet${string}` ? Verb : never;

/**
 * The functions of the pets on their own tables, configured by the environment variables that the stack sets. Each is
 * called by its verb, and takes the petId first if its path has one: `list({ query })`, `get('12')`.
 */
export type PetFunctions = {
  readonly [Operation in PetOperation as VerbOf<
    Operation['name']
  >]: Operation['path'] extends `${string}{petId}`
    ? (petId: string, request?: ClientRequest) => Promise<ReadResponse>
    : (request?: ClientRequest) => Promise<ReadResponse>;
};

interface PetFunctionsOptions {
  readonly shards?: number;
  /** Whether the tables exist. Without them every request that reaches the store gets a 500. */
  readonly tables?: boolean;
}

/** Imports the functions afresh. Their environment variables are reset after the test. */
export async function petFunctions(options: PetFunctionsOptions = {}): Promise<PetFunctions> {
  await stubVariables(options);
  vi.resetModules();
  const calls = PET_OPERATIONS.map(async ({ name, method, path }) => {
    const handler = await handlerOf(name);
    const call = (request: ClientRequest = {}) => invoke(handler, proxyEvent({ method, ...request }));
    const ofPet = (petId: string, request?: ClientRequest) =>
      call({ path: `/v1/pets/${petId}`, pathParameters: { petId }, ...request });
    return [name.replace(/Pets?$/, ''), path.endsWith('{petId}') ? ofPet : call] as const;
  });
  return Object.fromEntries(await Promise.all(calls)) as unknown as PetFunctions;
}

/** The handler of an operation, as the stack finds it: `functions/pets/list-pets.ts` for listPets. */
async function handlerOf(name: PetOperation['name']): Promise<unknown> {
  const file = name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
  const { handler } = await import(`../../../functions/pets/${file}.ts`);
  return handler;
}

async function stubVariables({ shards = 1, tables = true }: PetFunctionsOptions): Promise<void> {
  const [pets, idempotencyKeys] = tables
    ? await Promise.all([tableLike('PetsTable'), tableLike('PetsCreations')])
    : ['no-table', 'no-table'];
  vi.stubEnv('PETS_TABLE', pets);
  vi.stubEnv('IDEMPOTENCY_KEYS_TABLE', idempotencyKeys);
  vi.stubEnv('PET_SHARDS', String(shards));
  vi.stubEnv('CURSOR_SECRET', 'a secret of the test');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}
