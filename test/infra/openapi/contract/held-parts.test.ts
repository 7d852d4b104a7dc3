import { expect, test } from 'vitest';
import { contractChanges } from '../../../../infra/openapi/contract/contract-changes.ts';
import type { Contract } from '../../../../infra/openapi/contract/contract-document.ts';
import { releasedContract } from '../../../../infra/openapi/contract/released-contract.ts';

/** A contract that a test may change. */
// biome-ignore lint/suspicious/noExplicitAny: the tests reach deep into a JSON document.
type Draft = any;

/** The released contract with one operation and two of its responses: each part of it is one comparison of its own. */
function createPetAlone(): Contract {
  const contract: Draft = structuredClone(releasedContract());
  const { post } = contract.paths['/pets'];
  const { 201: created, 422: mismatch } = post.responses;
  contract.paths = { '/pets': { post: { ...post, responses: { 201: created, 422: mismatch } } } };
  const { NewPet, Pet, PetStatus, Error: error } = contract.components.schemas;
  contract.components.schemas = { NewPet, Pet, PetStatus, Error: error };
  return contract;
}

function* pathsOf(part: unknown, above: readonly string[] = []): Generator<readonly string[]> {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, child] of Object.entries(part)) {
    yield [...above, name];
    yield* pathsOf(child, [...above, name]);
  }
}

function without(contract: Contract, path: readonly string[]): Contract {
  const draft: Draft = structuredClone(contract);
  const parent = path.slice(0, -1).reduce((part, name) => part[name], draft);
  const name = path.at(-1) as string;
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return draft;
}

/** Whether the loss is reported, or leaves a document that cannot be compared because it names what it lacks. */
function isNoticed(released: Contract, current: Contract): boolean {
  try {
    return contractChanges(released, current, '2026-11-15').length > 0;
  } catch {
    return true;
  }
}

/** Each of these can go without a loss: requests have more room, or the part is about people or about other operations. */
const FREE = [
  /^openapi$/,
  /^servers \d variables/,
  /^paths \/pets post (security|x-required-scope|x-stability)/,
  /^paths \/pets post requestBody required$/,
  /^paths \/pets post parameters 0 schema( type| pattern)?$/,
  /^components schemas NewPet (type|required.*)$/,
  /^components schemas NewPet properties \w+ (type|format|pattern|not|not pattern|minLength|maxLength|minimum|maximum|\$ref)$/,
  /^components securitySchemes bearer bearerFormat$/,
  /^components headers (NextPage|Successor|Deprecation|Sunset|WWW-Authenticate|Retry-After)/,
];

test('nothing of an operation can go unnoticed, unless it gives clients more room', () => {
  const released = createPetAlone();
  const unnoticed = [...pathsOf(released)]
    .filter(path => !isNoticed(released, without(released, path)))
    .map(path => path.join(' '));
  expect(unnoticed.filter(path => !FREE.some(pattern => pattern.test(path)))).toEqual([]);
});
