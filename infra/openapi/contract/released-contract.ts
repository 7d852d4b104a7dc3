import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, stringifyJson } from '../../../shared/http/json.ts';
import { openApiDocument } from '../document.ts';
import { contractChanges } from './contract-changes.ts';
import { type Contract, contractOf, type Part } from './contract-document.ts';

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
  return `${stringifyJson(contract, 2)}\n`;
}
