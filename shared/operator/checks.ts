import type { ApiKeyStore } from '../api-keys/api-key-store.ts';
import type { Project } from '../projects/project.ts';
import type { CommandName } from './contract.ts';
import type { InputOf } from './inputs.ts';
import type { Permits } from './operator.ts';

/** The name of the temporary API keys of `petstore smoke`. */
export const SMOKE_KEY_NAME = 'petstore smoke';

/** Where `petstore smoke` has its domains. The default URL of the project petstore would redirect to them. */
export const SMOKE_PROJECT = 'petstore-smoke';
export const SMOKE_DOMAIN_PREFIX = 'petstore-smoke-';
const SMOKE_DOMAIN = new RegExp(`^${SMOKE_DOMAIN_PREFIX}[0-9a-f]{8}\\.`);

/** In whole seconds, because a key's expiry is rounded up. */
const LONGEST_KEY_LIFE = 15 * 60;

type Rules = { readonly [Name in CommandName]?: (input: InputOf<Name>) => boolean | Promise<boolean> };

/** Permits only what `petstore doctor` and `petstore smoke` ask for: reads, and changes to smoke's own things. */
export function permittedChecks(
  apiKeys: Pick<ApiKeyStore, 'find'>,
  published: Pick<Project, 'apiId' | 'stage'>,
  now = Date.now,
): Permits {
  const always = () => true;
  const ofSmokeProject = ({ id }: { id: string }) => id === SMOKE_PROJECT;
  const ofSmokeDomain = ({ project, domain }: { project?: string | undefined; domain: string }) =>
    project === SMOKE_PROJECT && SMOKE_DOMAIN.test(domain);
  const ofTemporaryKey = async ({ id }: { id: string }) => {
    const key = await apiKeys.find(id);
    return key === undefined || isTemporary(key, Date.parse(key.createdAt));
  };
  const rules: Rules = {
    'environment.inspect': always,
    'keys.list': always,
    'projects.list': always,
    'projects.show': always,
    'domains.list': always,
    'domains.summary': always,
    'domains.show': always,
    // With any scopes, since smoke calls every operation.
    'keys.create': input => isTemporary(input, now()),
    'keys.revoke': ofTemporaryKey,
    'keys.forget': ofTemporaryKey,
    'pets.rehearse': always,
    'projects.create': ({ id, apiId, stage }) =>
      id === SMOKE_PROJECT && apiId === published.apiId && stage === published.stage,
    'projects.deployed': ofSmokeProject,
    'projects.endpoint': ({ id, whileLive }) => id === SMOKE_PROJECT && whileLive === 'redirect',
    'domains.add': input => ofSmokeDomain(input) && !input.withWww,
    'domains.verify': ofSmokeDomain,
    'domains.remove': ofSmokeDomain,
  };
  const ruleOf = new Map(Object.entries(rules));
  return async (command, input) => (await ruleOf.get(command)?.(input as never)) ?? false;
}

interface Named {
  readonly name: string;
  readonly expiresAt?: string | null | undefined;
}

/** Whether it's one of smoke's keys, which expire soon. */
export function isTemporary({ name, expiresAt }: Named, sinceMs: number): boolean {
  if (name !== SMOKE_KEY_NAME || !expiresAt) return false;
  return Math.floor((Date.parse(expiresAt) - sinceMs) / 1000) <= LONGEST_KEY_LIFE;
}
