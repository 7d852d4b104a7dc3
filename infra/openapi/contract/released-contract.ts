import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asciiJson, parseJson, stringifyJson } from '../../../shared/http/json.ts';
import { openApiDocument } from '../document.ts';
import { type Contract, contractChanges, isPart, type Part } from './contract-changes.ts';

/** The contract that clients were given. `npm run contract` writes the file. */
const RELEASED_CONTRACT_FILE = join(import.meta.dirname, 'released-contract.json');

export function releasedContract(file = RELEASED_CONTRACT_FILE): Contract {
  return parseJson(readFileSync(file, 'utf8')) as Contract;
}

/** The contract of the sources, with integers of the same type as in a contract that is read from a file. */
export function currentContract(): Contract {
  return contractOf(parseJson(stringifyJson(openApiDocument())) as Part);
}

/** Makes the contract the released one and returns nothing; or returns why not, if clients would lose something. */
export function acceptContract(current: Contract, day: string, file = RELEASED_CONTRACT_FILE): string[] {
  const losses = lossesBy(current, day, file);
  if (losses.length === 0) writeFileSync(file, textOf(current));
  return losses;
}

/** What is wrong with the file: clients would lose something, or it lacks a part, which is then not protected. */
export function contractFaults(current: Contract, day: string, file = RELEASED_CONTRACT_FILE): string[] {
  const losses = lossesBy(current, day, file);
  if (losses.length > 0 || readFileSync(file, 'utf8') === textOf(current)) return losses;
  return ['The contract has grown. Accept it with: npm run contract'];
}

function lossesBy(current: Contract, day: string, file: string): string[] {
  const losses = contractChanges(releasedContract(file), current, day);
  return losses.length > 0 ? ['Clients of the released contract would lose something:', ...losses] : [];
}

function textOf(contract: Contract): string {
  return `${asciiJson(stringifyJson(contract, 2))}\n`;
}

/** Keywords for people, which bind nobody. */
const PROSE = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'tags',
  'externalDocs',
  'bearerFormat',
  '$comment',
]);

/** Extensions that the comparison reads; all others are presentation. */
const EXTENSIONS = new Set([
  'x-default',
  'x-deprecated-sunset',
  'x-extensible-enum',
  'x-required-scope',
  'x-stability',
]);

/** Below these keywords stand names that the interface chose: a property may be called description. */
const MAPS_OF_NAMES = new Set([
  '$defs',
  'content',
  'headers',
  'paths',
  'patternProperties',
  'properties',
  'responses',
  'schemas',
  'securitySchemes',
]);

/** Below these keywords stand values, which are kept as they are. */
const VALUES = new Set(['const', 'default', 'enum', 'x-default', 'x-extensible-enum']);

/** The contract in a document: without prose, so that better wording doesn't count as a change. */
export function contractOf(document: Part): Contract {
  const { info, tags: _, ...rest } = document;
  const { version } = info as Contract['info'];
  return { info: { version }, ...(withoutProse(rest) as Part) };
}

function withoutProse(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutProse);
  if (!isPart(part)) return part;
  return Object.fromEntries(
    Object.entries(part)
      .filter(([keyword]) => !PROSE.has(keyword) && (!keyword.startsWith('x-') || EXTENSIONS.has(keyword)))
      .map(([keyword, value]) => [keyword, contentOf(keyword, value)]),
  );
}

function contentOf(keyword: string, value: unknown): unknown {
  if (VALUES.has(keyword)) return value;
  if (!MAPS_OF_NAMES.has(keyword) || !isPart(value)) return withoutProse(value);
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withoutProse(child)]));
}
