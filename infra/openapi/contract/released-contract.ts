import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, stringifyJson } from '../../../shared/http/json.ts';
import { openApiDocument } from '../document.ts';
import { type Contract, contractOf, type Part } from './contract-document.ts';

/** The contract that clients were given. `npm run contract` writes the file. */
export const RELEASED_CONTRACT_FILE = join(import.meta.dirname, 'released-contract.json');

export function releasedContract(): Contract {
  return parseJson(readFileSync(RELEASED_CONTRACT_FILE, 'utf8')) as Contract;
}

/** The contract of the sources, with integers of the same type as in a contract that is read from a file. */
export function currentContract(): Contract {
  return contractOf(parseJson(stringifyJson(openApiDocument())) as Part);
}

export function textOf(contract: Contract): string {
  return `${stringifyJson(contract, 2)}\n`;
}
