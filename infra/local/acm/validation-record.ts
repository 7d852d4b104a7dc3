import { createHash } from 'node:crypto';
import { ACCOUNT_ID } from '../cloudformation/pseudo-parameters.ts';
import type { Lookup } from './lookup.ts';

/** ACM follows no more than five chained CNAMEs. */
const MAX_CHAIN = 5;

export interface ValidationRecord {
  readonly Name: string;
  readonly Type: 'CNAME';
  readonly Value: string;
}

/**
 * The record that validates a domain name, the same each time for a domain and an account:
 * `_<32 hex>.zoo.example.` → `_<32 hex>.<10 letters>.acm-validations.aws.` *.zoo.example has the record of zoo.example.
 */
export function validationRecord(domainName: string): ValidationRecord {
  const domain = domainName.replace(/^\*\./, '');
  const digest = (purpose: string) =>
    createHash('sha256').update(`${purpose} ${ACCOUNT_ID} ${domain}`).digest('hex').slice(0, 32);
  return {
    Name: `_${digest('name')}.${domain}.`,
    Type: 'CNAME',
    Value: `_${digest('value')}.${letters(digest('zone').slice(0, 10))}.acm-validations.aws.`,
  };
}

/** Whether the record is in DNS with its value, at the name itself or at the end of a chain. */
export async function isValidated(domainName: string, lookup: Lookup): Promise<boolean> {
  const { Name, Value } = validationRecord(domainName);
  let name = withoutDot(Name);
  for (let followed = 0; followed < MAX_CHAIN; followed++) {
    const answer = await lookup.cname(name);
    if (answer.outcome !== 'RECORDS') return false;
    name = withoutDot(answer.records[0] ?? '');
    if (name === withoutDot(Value)) return true;
  }
  return false;
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}

/** Hexadecimal digits as the letters g to v. */
function letters(digits: string): string {
  return [...digits].map(digit => (16 + Number.parseInt(digit, 16)).toString(36)).join('');
}
