export { type LedgerLine, readLedger } from '../iam/grant-ledger.ts';
