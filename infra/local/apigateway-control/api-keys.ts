import * as z from 'zod';
import { KeptFile } from '../host/data-folder.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';

/** An API key with its memberships; times in seconds since 1970, as API Gateway gives them. */
const ApiKey = z.strictObject({
  id: z.string(),
  value: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  enabled: z.boolean(),
  tags: z.record(z.string(), z.string()).optional(),
  createdDate: z.number(),
  lastUpdatedDate: z.number(),
  usagePlanIds: z.array(z.string()).readonly(),
});
export type ApiKey = Readonly<z.infer<typeof ApiKey>>;

export type NewApiKey = Omit<ApiKey, 'id' | 'usagePlanIds'>;

/** The data plane knows a new member of a usage plan this long after it was added. */
const PROPAGATION_MS = 2000;

/**
 * The API keys of the account, which all its APIs share, and the usage plans they belong to. They are kept in a file
 * of the form {"apiKeys": [{"id": "…", "value": "…", "usagePlanIds": ["…"], …}]}, written before a change takes effect.
 */
export class ApiKeys {
  readonly #file: KeptFile<typeof Content>;
  #byId: ReadonlyMap<string, ApiKey>;
  #byValue: ReadonlyMap<string, ApiKey> = new Map();
  readonly #surroundings: Surroundings;
  /** From when on the data plane knows a membership. Those of an earlier start are not in here, and known. */
  readonly #effectiveAtMs = new Map<string, number>();

  constructor(file?: string, given: Partial<Surroundings> = {}) {
    this.#surroundings = surroundings(given);
    this.#file = new KeptFile(file, Content);
    this.#byId = byId(this.#file.read()?.apiKeys ?? []);
    this.#byValue = byValue(this.#byId);
  }

  /** All keys, ordered by id. */
  list(): readonly ApiKey[] {
    return [...this.#byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get count(): number {
    return this.#byId.size;
  }

  find(id: string): ApiKey | undefined {
    return this.#byId.get(id);
  }

  withValue(value: string): ApiKey | undefined {
    return this.#byValue.get(value);
  }

  /** The key with this value as the data plane knows it: without the usage plans that it was just added to. */
  effectiveWithValue(value: string): ApiKey | undefined {
    const apiKey = this.withValue(value);
    const isEffective = (planId: string) =>
      this.#surroundings.now() >= (this.#effectiveAtMs.get(membership(apiKey?.id, planId)) ?? 0);
    return apiKey && { ...apiKey, usagePlanIds: apiKey.usagePlanIds.filter(isEffective) };
  }

  /** Adds a key. Its value must be unique. */
  add(newKey: NewApiKey): ApiKey {
    const apiKey = { ...newKey, id: this.#surroundings.newId('apigateway'), usagePlanIds: [] };
    this.#replace([...this.#byId.values(), apiKey]);
    return apiKey;
  }

  /** Removes a key with its memberships. */
  remove(id: string): void {
    this.#replace([...this.#byId.values()].filter(apiKey => apiKey.id !== id));
  }

  addToPlan(id: string, usagePlanId: string): void {
    this.#replace(
      [...this.#byId.values()].map(apiKey =>
        apiKey.id === id ? { ...apiKey, usagePlanIds: [...apiKey.usagePlanIds, usagePlanId] } : apiKey,
      ),
    );
    const { now, waitScale } = this.#surroundings;
    this.#effectiveAtMs.set(membership(id, usagePlanId), now() + PROPAGATION_MS * waitScale);
  }

  #replace(apiKeys: readonly ApiKey[]): void {
    this.#file.keep({ apiKeys });
    this.#byId = byId(apiKeys);
    this.#byValue = byValue(this.#byId);
  }
}

const membership = (keyId: string | undefined, usagePlanId: string) => `${keyId} ${usagePlanId}`;

const Content = z.strictObject({ apiKeys: z.array(ApiKey).readonly() });

function byId(apiKeys: readonly ApiKey[]): ReadonlyMap<string, ApiKey> {
  return new Map(apiKeys.map(apiKey => [apiKey.id, apiKey]));
}

function byValue(apiKeys: ReadonlyMap<string, ApiKey>): ReadonlyMap<string, ApiKey> {
  return new Map(apiKeys.values().map(apiKey => [apiKey.value, apiKey]));
}
