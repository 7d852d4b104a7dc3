import { checkAlias } from './check-alias.ts';
import { checkCname } from './check-cname.ts';
import { checkTxt } from './check-txt.ts';
import type { CheckedRecord, Vantage } from './checked-record.ts';
import type { RequiredRecord } from './required-record.ts';

/** Checks one required record from one vantage point. */
export async function checkRecord(required: RequiredRecord, vantage: Vantage): Promise<CheckedRecord> {
  switch (required.type) {
    case 'CNAME':
      return checkCname(required, vantage);
    case 'ALIAS':
      return checkAlias(required, vantage);
    case 'TXT':
      return checkTxt(required, vantage);
  }
}
